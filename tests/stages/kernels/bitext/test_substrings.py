"""Substrings of a text, and the sentences that have those still wanted, against sets of tuples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.bitext.substrings import Substrings, choose, substrings
from tests.naive import selection as naive

WORDS = "abc"
TEXT = st.lists(st.lists(st.sampled_from([*WORDS]), max_size=7).map(" ".join), max_size=6)


def arrays(lines: list[str]) -> tuple[Ints, Ints]:
    sentences = [[WORDS.find(word) for word in line.split()] for line in lines]
    token = np.array([word for sentence in sentences for word in sentence], np.int64)
    return token, pointer_of([len(sentence) for sentence in sentences])


def spelled(found: Substrings) -> dict[tuple[str, ...], int]:
    """All substrings but the empty one, and how many chosen sentences have each."""
    texts: list[tuple[str, ...]] = [()]
    for parent, word in zip(found.parent[1:], found.word[1:], strict=True):
        texts.append((*texts[parent], WORDS[word]))
    return dict(zip(texts[1:], found.pairs[1:].tolist(), strict=True))


@given(TEXT, st.integers(1, 8))
def test_all_substrings_are_found_once(lines: list[str], longest: int) -> None:
    found = spelled(substrings(*arrays(lines), longest))
    expected = set().union(*(naive.substrings(line, longest) for line in lines))
    assert found.keys() == expected


@given(TEXT, TEXT, st.integers(1, 4), st.integers(1, 3), st.integers(1, 6))
def test_sentences_are_chosen_as_by_sets(
    tests: list[str], source: list[str], longest: int, count: int, batch: int
) -> None:
    source = [line.replace("c", "d") if number % 2 else line for number, line in enumerate(source)]
    found = substrings(*arrays(tests), longest)
    chosen: list[int] = []
    for first in range(0, len(source), batch):
        flags = choose(found, *arrays(source[first : first + batch]), count, first)
        chosen += (first + flags.nonzero()[0]).tolist()
    assert chosen == naive.by_substrings(source, tests, longest, count)
    for text, pairs in spelled(found).items():
        there = [number for number, line in enumerate(source) if text in naive.substrings(line, 9)]
        assert pairs == len(set(there) & set(chosen)) >= min(count, len(there))


@pytest.mark.parametrize("lines", [[], [""], ["", ""]])
def test_a_text_without_words_has_none(lines: list[str]) -> None:
    found = substrings(*arrays(lines), 12)
    assert len(found.pairs) == 1
    assert not choose(found, *arrays(["a b", ""]), 1, 0).any()
