"""Which phrases may come next, and what the rest costs."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.records import DISTANCE_ORDER, SWAP_ORDER
from campanula.stages.kernels.search import cubes as search_cubes


def test_swap_fills_a_gap_with_one_block_at_once():
    allowed = search_cubes.allowed
    swap = SWAP_ORDER
    assert allowed(3, 0, 3, 3, 2, False, swap, 6)  # in order
    assert allowed(3, 0, 3, 5, 2, True, swap, 6)  # behind a gap of two words that a block can fill
    assert not allowed(3, 0, 3, 5, 2, False, swap, 6)
    assert allowed(3, 0b1100, 7, 3, 2, False, swap, 6)  # the gap, wholly
    assert not allowed(3, 0b1100, 7, 3, 1, False, swap, 6)
    assert not allowed(3, 0b1100, 7, 7, 1, True, swap, 6)


def test_distance_is_limited_as_in_moses():
    allowed = search_cubes.allowed
    distance = DISTANCE_ORDER
    assert allowed(0, 0, 0, 2, 1, False, distance, 3)
    assert not allowed(0, 0, 0, 2, 2, False, distance, 3)  # the way back would be 4
    assert allowed(0, 0, 0, 0, 9, False, distance, 3)  # at the first gap any length will do
    assert not allowed(0, 0b1000, 4, 0, 1, False, distance, 3)
    assert not allowed(0, 0b1000, 4, 2, 2, False, distance, 3)  # not free


def test_rest_counts_the_jumps_that_must_come():
    inner, tail = np.zeros((9, 9)), np.zeros(9)
    inner[0, 2], inner[3, 1], tail[6] = -1.0, -2.0, -4.0
    ahead = -0.5 * np.abs(np.arange(9)[:, None] - np.arange(8))
    # covered: 2, 4, 5; after word 5 back to 0 (6 words), over word 2 (1), over 4 and 5 (2)
    assert search_cubes.rest(8, 0, 0b110100, 6, inner, tail, ahead) == -7.0 - 0.5 * 9
    assert search_cubes.rest(8, 8, 0, 8, inner, tail, ahead) == 0.0


def test_what_is_covered_moves_the_gap():
    assert search_cubes.covered(3, 0, 5, 2) == (3, 0b1100)
    assert search_cubes.covered(3, 0b1100, 3, 1) == (4, 0b110)
    assert search_cubes.covered(3, 0b1100, 3, 2) == (7, 0)
