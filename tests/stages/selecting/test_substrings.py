"""Pairs chosen by substrings of test texts, batch by batch."""

from __future__ import annotations

from campanula.stages.selecting.substrings import SubstringSelection
from tests.naive import selection as naive

TESTS = ["the cat sat", "a\u00a0dog  ran\tfar", ""]
SOURCE = ["x y", "the dog sat", "the cat", "cat sat", "the cat sat", "ran far a\u00a0dog", "far"]


def test_the_pairs_are_those_of_sets() -> None:
    for longest, count in ((1, 1), (2, 1), (12, 1), (2, 2)):
        selection = SubstringSelection(TESTS, longest, count)
        flags = [*selection.choose(SOURCE[:3], 0), *selection.choose(SOURCE[3:], 3)]
        tests = [line.replace("\u00a0", "_") for line in TESTS]
        source = [line.replace("\u00a0", "_") for line in SOURCE]
        chosen = [number for number, flag in enumerate(flags) if flag]
        assert chosen == naive.by_substrings(source, tests, longest, count)


def test_what_is_said_at_the_end() -> None:
    selection = SubstringSelection(["a b"], 12, 1)
    assert str(selection) == "0 of 3 substrings are in the corpus"
    selection.choose(["b a", "b"], 0)
    assert str(selection) == "2 of 3 substrings are in the corpus"
