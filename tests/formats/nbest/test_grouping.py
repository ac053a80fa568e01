"""Equal keys and words are told by one place each."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.nbest import grouping
from campanula.formats.nbest.grouping import WORD, equal_words, representatives


def check(place, things):
    """Whether equal things, and no others, have the same place, which is that of one of them."""
    assert [things[p] for p in place.tolist()] == things
    assert len(set(place.tolist())) == len(set(things))


def places(words):
    text = b" " * WORD + b" ".join(words) + b" "
    end = WORD - 1 + np.cumsum([len(word) + 1 for word in words], dtype=np.int64)
    start = end - np.array([len(word) for word in words], np.int64)
    return equal_words(np.frombuffer(text, np.uint8), start, end)


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 20)))
def test_keys(keys):
    check(representatives(np.array(keys, np.uint64)), keys)


def test_many_keys():
    keys = np.random.default_rng(1).integers(0, 5000, 20_000)
    check(representatives(keys.astype(np.uint64)), keys.tolist())


@given(st.lists(st.binary(max_size=40) | st.sampled_from([b"a", b"b", b"a" * 9, b"b" + b"a" * 8])))
def test_words(words):
    check(places(words), words)


def test_words_of_one_hash_are_not_taken_for_equal(monkeypatch):
    monkeypatch.setattr(grouping, "MIX", np.uint64(0))
    monkeypatch.setattr(grouping, "NEXT", np.uint64(1))
    assert places([b"one", b"two"]) is None
    assert places([b"one", b"eight bytes"]) is None
    assert places([b"one", b"one"]) is not None
