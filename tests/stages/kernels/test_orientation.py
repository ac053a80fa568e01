"""Orientation of blocks: one by one, and of arrays."""

from __future__ import annotations

from itertools import product

import numpy as np

from campanula.stages.kernels.orientation import orientation, orientations
from campanula.stages.kernels.records import DISCONTINUOUS, MONOTONE, SWAPPED


def test_orientation_of_a_block():
    assert orientation(2, 4, 0, 2) == MONOTONE
    assert orientation(0, 2, 2, 4) == SWAPPED
    assert orientation(3, 4, 0, 2) == DISCONTINUOUS
    assert orientation(0, 1, 2, 4) == DISCONTINUOUS


def test_the_first_block_follows_the_start_of_the_sentence():
    assert orientation(0, 1, -1, 0) == MONOTONE
    assert orientation(1, 2, -1, 0) == DISCONTINUOUS


def test_arrays_are_block_by_block():
    spans = [(start, end) for start, end in product(range(4), repeat=2) if start < end]
    rows = np.array([(*a, *b) for a, b in product(spans, [(-1, 0), *spans])])
    assert orientations(*rows.T.copy()).tolist() == [orientation(*row) for row in rows.tolist()]
