"""Hashes: the same of integers and of arrays, and without overflow."""

from __future__ import annotations

import random

import numpy as np

from campanula.formats.arrays.hashing import LOW31, PRIME, mixed_key, rolled, transition_home


def test_homes_are_those_of_plain_integers() -> None:
    rng = random.Random(1)
    state, word = (np.array([rng.randrange(LOW31) for _ in range(200)]) for _ in range(2))
    plain = [transition_home(s, w, 9) for s, w in zip(state.tolist(), word.tolist(), strict=True)]
    assert transition_home(state, word, 9).tolist() == plain
    assert set(plain) <= set(range(512))


def test_homes_of_the_largest_numbers_do_not_overflow() -> None:
    largest = np.array([LOW31 - 1])
    assert transition_home(largest, largest, 10)[0] == transition_home(LOW31 - 1, LOW31 - 1, 10)


def test_rolled_hashes_depend_on_the_order() -> None:
    hashes = {rolled(*rolled(1, 1, a), b) for a in range(30) for b in range(30)}
    assert len(hashes) == 900
    assert all(left < LOW31 and right < PRIME for left, right in hashes)


def test_keys_differ_in_the_bits_that_find_slots() -> None:
    keys = [(a, b, c, d) for a in range(6) for b in range(6) for c in range(6) for d in (-1, 0, 1)]
    places = {(mixed_key(*key) >> 20) & 0xFFFF for key in keys}
    assert len(places) > 0.95 * len(keys)
