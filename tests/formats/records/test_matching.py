from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.features import NO_IDS, Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import common_id, matched
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References


def lists(*ids: str | int) -> Iterator[KBest]:
    """A list a sentence, by id or by number."""
    nothing, names = Features.of_dense(NO_IDS, np.zeros((0, 1))), Names()
    for place, key in enumerate(ids):
        sid, name = (key, None) if isinstance(key, int) else (place, key)
        yield KBest(sid, Texts.of([f"text of {key}"]), nothing, names, id=name)


def seen(ids: Sequence[str | int], lines: list[str], *more: list[str]) -> list[list[str]]:
    """References that each list has, as far as there are some."""
    found, references = matched(lists(*ids), References.of(lines, *more))
    return [list(references.of_sentence(kbest.sid, kbest.id)) for kbest in found]


def test_lines_of_ids_in_any_order() -> None:
    assert seen(["u2", "u1"], ["u1 one", "u2\ttwo  words"]) == [["two  words"], ["one"]]
    assert seen(["u2", "u1"], ["u1", "u2  "]) == [[""], [""]]
    assert seen(["a", "b"], ["a x", "b y"], ["b z", "a v"]) == [["x", "v"], ["y", "z"]]


def test_lines_without_ids_are_in_order() -> None:
    assert seen(["u2", "u1"], ["one", "two words"]) == [["one"], ["two words"]]
    assert seen([0, 1], ["0 one", "1 two"]) == [["0 one"], ["1 two"]]
    assert seen([0], ["0"]) == [["0"]]


def test_numbers_that_do_not_count_from_0_are_ids_too() -> None:
    assert seen([12, 1043], ["1043 b", "12 a"]) == [["a"], ["b"]]
    assert seen([0, 2], ["x", "y", "z"]) == [["x"], ["z"]]


def test_lines_that_count_as_the_lists_do_have_these_ids() -> None:
    assert seen([0, 1, 2], ["2 c", "0 a", "1 b"]) == [["a"], ["b"], ["c"]]
    assert seen([0, 1, 2], ["0 a", "1 b", "3 c"]) == [["0 a"], ["1 b"], ["3 c"]]
    assert seen([0, 1, 2], ["0 a", "1 b", "1 c"]) == [["0 a"], ["1 b"], ["1 c"]]


def test_a_word_that_is_an_id_by_chance_makes_none_of_the_lines() -> None:
    lines = ["the cat", "a dog", "the end"]
    assert seen(["cat-1", "the", "cat-3"], lines) == [[line] for line in lines]


def test_all_lists_are_passed_on() -> None:
    ids = [f"u{i}" for i in range(50)]
    assert seen(ids, [f"{key} {key} again" for key in ids]) == [[f"{key} again"] for key in ids]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["u1 a", "u2 b", "u1 c"], "references 1: line 3: expected each id once, found 'u1' as in"),
        (["u1 a", "u2 b", " c"], "references 1: line 3: expected `id text`, as in other lines"),
    ],
)
def test_lines_that_are_not_keyed_as_others(lines: list[str], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        matched(lists("u1", "u2", "u3"), References.of(lines))


def test_files_have_the_same_ids() -> None:
    with pytest.raises(DataError, match="references 2: line 2: expected an id that references 1"):
        matched(lists("a", "b"), References.of(["a x", "b y"], ["a x", "c y"]))


def test_a_sentence_without_a_line() -> None:
    with pytest.raises(DataError, match="references 1: expected a line of 'u3', found none"):
        seen(["u1", "u2", "u3"], ["u1 a", "u2 b"])


def test_records_of_one_sentence_have_one_id() -> None:
    (one,), (other,), (none,) = lists("u1"), lists("u2"), lists(0)
    assert common_id(one, [one], "dev") == "u1"
    assert common_id(none, [none, none], "dev") is None
    with pytest.raises(
        DataError, match="dev: sentence 0: expected one sentence of one id, found 'u1"
    ):
        common_id(one, [one, other], "dev")
    with pytest.raises(DataError, match="found no id and 'u2'"):
        common_id(none, [other], "dev")
