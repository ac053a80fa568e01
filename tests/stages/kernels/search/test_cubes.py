"""Which phrases may come next, and what the rest costs."""

from __future__ import annotations

import random

import numpy as np

from campanula.stages.kernels.records import DISTANCE_ORDER, MONOTONE_ORDER, SWAP_ORDER
from campanula.stages.kernels.search import cubes as search_cubes
from campanula.stages.kernels.search.hypotheses import empty_hypothesis
from campanula.stages.kernels.search.outlook import STARTS, span_starts
from campanula.stages.kernels.search.room import room_for_cubes
from tests.stages.kernels.search.sentences import sentence_of, settings_of

N = 12
EVERY = span_starts(N, np.ones((N, 9), np.int32))  # every span has an option


def starts_of(gap, mask, end, length, reordering, limit=6, starts=EVERY):
    """Words where a phrase of some length may start next."""
    settings = settings_of(reordering=reordering, limit=limit)
    bits = search_cubes.next_starts(length, gap, mask, end, starts, settings)
    return [gap + j for j in range(N) if bits >> j & 1]


def test_swap_fills_a_gap_with_one_block_at_once():
    swap = SWAP_ORDER
    assert 3 in starts_of(3, 0, 3, 2, swap)  # in order
    assert 5 in starts_of(3, 0, 3, 2, swap)  # behind a gap of two words that a block can fill
    count = np.ones((N, 9), np.int32)
    count[3, 1] = 0
    assert starts_of(3, 0, 3, 2, swap, starts=span_starts(N, count)) == [4, 6, 7, 8, 9, 10]
    assert starts_of(3, 0b1100, 7, 2, swap) == [3]  # the gap, wholly
    assert starts_of(3, 0b1100, 7, 1, swap) == []


def test_monotone_order_goes_on_at_the_gap():
    assert starts_of(3, 0, 3, 2, MONOTONE_ORDER) == [3]


def test_distance_is_limited_as_in_moses():
    distance = DISTANCE_ORDER
    assert starts_of(0, 0, 0, 1, distance, 3) == [0, 1, 2]
    assert starts_of(0, 0, 0, 2, distance, 3) == [0, 1]  # the way back would be 4
    assert starts_of(0, 0, 0, 9, distance, 3) == [0]  # at the first gap any length will do
    assert starts_of(0, 0b1000, 4, 1, distance, 3) == [1, 2]  # the way to 0 is too long
    assert starts_of(0, 0b1000, 4, 2, distance, 3) == [1]  # 3 is not free


def allowed(gap, mask, end, start, length, limit):
    """The rule word by word."""
    free = all(mask >> (word - gap) & 1 == 0 for word in range(start, start + length))
    near = abs(start - end) <= limit and (start == gap or start + length - gap <= limit)
    return free and near and start + length <= N


def test_starts_are_those_of_the_rule_word_by_word():
    rng = random.Random(1)
    for _ in range(300):
        gap, limit, length = rng.randrange(N), rng.randrange(8), rng.randint(1, 9)
        mask = rng.getrandbits(8) & ~1
        end = rng.randint(max(0, gap - 3), min(N, gap + limit))
        expected = [
            start
            for start in range(gap, min(gap + limit, N - 1) + 1)
            if allowed(gap, mask, end, start, length, limit)
        ]
        assert starts_of(gap, mask, end, length, DISTANCE_ORDER, limit) == expected


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


def test_grids_that_find_no_room_are_asked_for_again():
    sentence = sentence_of(1)
    sentence.outlook.n_options[:] = 1
    sentence.outlook.starts[:] = 1
    hypotheses = empty_hypothesis(sentence)
    assert search_cubes.make_cubes(1, sentence, hypotheses, room_for_cubes(STARTS - 1)) == -1
    cubes = room_for_cubes(STARTS)
    assert search_cubes.make_cubes(1, sentence, hypotheses, cubes) == 1
    assert search_cubes.n_candidates(1, cubes) == 1
