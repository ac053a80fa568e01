from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.records.columns import ColumnError
from campanula.formats.records.texts import Texts
from tests.strategies import TEXT


@given(st.lists(TEXT, max_size=5))
def test_round_trip(texts: list[str]) -> None:
    packed = Texts.of(texts).pack()
    assert list(Texts.unpack({"text": packed}, "text")) == texts
    assert list(Texts.unpack({"text": packed}, "text", len(texts))) == texts


@given(st.lists(TEXT, min_size=1, max_size=5), st.data())
def test_take_is_indexing(texts: list[str], data: st.DataObject) -> None:
    index = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=6))
    taken = Texts.of(texts).take(np.array(index, np.int64))
    assert list(taken) == [texts[i] for i in index]
    assert [Texts.of(texts)[i] for i in index] == list(taken)


@given(st.lists(TEXT, max_size=5), st.slices(5), st.integers(-6, 6))
def test_indices_are_those_of_a_list(texts: list[str], part: slice, index: int) -> None:
    made = Texts.of(texts)
    assert made[part] == texts[part]
    if -len(texts) <= index < len(texts):
        assert made[index] == texts[index]
    else:
        with pytest.raises(IndexError):
            made[index]


@given(st.lists(TEXT, max_size=5), st.data())
def test_a_span_is_a_slice(texts: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(texts)))
    end = data.draw(st.integers(start, len(texts)))
    assert list(Texts.of(texts).span(start, end)) == texts[start:end]


@pytest.mark.parametrize(
    ("packed", "problem"),
    [
        ("text", "expected texts 'text', found str"),
        ([b"abc", ["|u1", b"\x02"]], "adding up to 3"),
        ([b"\xff", ["|u1", b"\x01"]], "expected UTF-8"),
        (["é".encode(), ["|u1", b"\x01\x01"]], "inside a character"),
        ([b"ab", ["|u1", b"\x03"]], "lengths from 0 to 2"),
        ([b"ab", ["<f8", b"\x03"]], "expected one of"),
    ],
)
def test_damaged_texts_are_refused(
    packed: str | list[bytes | list[str | bytes]], problem: str
) -> None:
    with pytest.raises(ColumnError, match=problem):
        Texts.unpack({"text": packed}, "text")


def test_lengths_that_are_read_wide_are_written_narrow() -> None:
    wide = [b"ab", ["<u2", b"\x01\0\x01\0"]]
    assert Texts.unpack({"text": wide}, "text").pack() == Texts.of(["a", "b"]).pack()


def test_the_number_of_texts_is_checked() -> None:
    with pytest.raises(ColumnError, match="expected 3 entries, found 2"):
        Texts.unpack({"text": Texts.of(["a", "b"]).pack()}, "text", 3)
