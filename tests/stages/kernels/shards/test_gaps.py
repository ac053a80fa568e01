"""Ids as gaps: back and forth, and weights and slopes at them."""

import numpy as np
import pytest

from campanula.stages.kernels.shards.gaps import gaps_of, gather_pairs, ids_of, scatter
from campanula.stages.kernels.shards.records import MORE

NUMBERS = [
    [],
    [0],
    [MORE - 1],
    [MORE - 2, MORE - 1, MORE],
    [0, MORE, 2 * MORE, 2 * MORE + 1, 5 * MORE + 3],
    [2 * MORE - 1, 4 * MORE],
]


@pytest.mark.parametrize("numbers", NUMBERS)
def test_any_gap_can_be_said(numbers):
    ids = np.array(numbers, np.int32)
    gaps = gaps_of(ids)
    assert gaps.dtype == np.uint16
    found = np.empty_like(ids)
    ids_of(gaps, found)
    assert (found == ids).all()
    theta = np.random.default_rng(1).normal(size=6 * MORE)
    for width in (1, 2):
        pair = np.full((len(ids), width), 7.0)  # what a room had before
        gather_pairs(gaps, theta, pair)
        assert (pair[:, 0] == theta[ids]).all()
    assert not pair[:, 1].any()
    expected = theta.copy()
    expected[ids] += 2.0 * pair[:, 0]
    pair[:, 1] = 2.0 * pair[:, 0]
    scatter(gaps, pair, theta)
    assert (theta == expected).all()


def test_the_largest_number_takes_its_room():
    ids = np.array([2**31 - 2], np.int32)
    found = np.empty_like(ids)
    ids_of(gaps_of(ids), found)
    assert found.tolist() == [2**31 - 2]
