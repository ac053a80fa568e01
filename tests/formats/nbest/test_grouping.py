"""Equal keys and words are told by one place each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.arrays.types import Ints
from campanula.formats.nbest import grouping
from campanula.formats.nbest.grouping import WORD, equal_words, representatives


def check(place: Ints | None, things: Sequence[int] | Sequence[bytes]) -> None:
    """Whether equal things, and no others, have the same place, which is that of one of them."""
    assert place is not None
    assert [things[p] for p in place.tolist()] == things
    assert len(set(place.tolist())) == len(set(things))


def places(words: list[bytes]) -> Ints | None:
    text = b" " * WORD + b" ".join(words) + b" "
    end = WORD - 1 + np.cumsum([len(word) + 1 for word in words], dtype=np.int64)
    start = end - np.array([len(word) for word in words], np.int64)
    return equal_words(np.frombuffer(text, np.uint8), start, end)


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 20)))
def test_keys(keys: list[int]) -> None:
    check(representatives(np.array(keys, np.uint64)), keys)


def test_many_keys() -> None:
    keys = np.random.default_rng(1).integers(0, 5000, 20_000)
    check(representatives(keys.astype(np.uint64)), keys.tolist())


@given(st.lists(st.binary(max_size=40) | st.sampled_from([b"a", b"b", b"a" * 9, b"b" + b"a" * 8])))
def test_words(words: list[bytes]) -> None:
    check(places(words), words)


def test_words_of_one_hash_are_not_taken_for_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "MIX", np.uint64(0))
    monkeypatch.setattr(grouping, "NEXT", np.uint64(1))
    assert places([b"one", b"two"]) is None
    assert places([b"one", b"eight bytes"]) is None
    assert places([b"one", b"one"]) is not None
