"""Hashes of strings of words."""

from __future__ import annotations

import itertools

import numpy as np

from campanula.stages.kernels.graph.strings import words_hash


def test_a_string_has_the_same_hashes_however_it_is_cut():
    word = np.array([5, 0, -1, 7, 1 << 30], np.int32)
    whole = words_hash(0, 0, 0, 5, word)
    for cut in range(6):
        assert words_hash(*words_hash(0, 0, 0, cut, word), cut, 5, word) == whole
    assert words_hash(3, 4, 2, 2, word) == (3, 4)


def test_short_strings_differ():
    strings = [s for n in range(1, 6) for s in itertools.product((0, 1, 2), repeat=n)]
    hashes = {words_hash(1, 1, 0, len(s), np.array(s, np.int32)) for s in strings}
    assert len(hashes) == len(strings)
