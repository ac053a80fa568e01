"""Sums at scales that are powers of 2^64."""

import numpy as np
import pytest

from campanula.stages.kernels.shards.losses import (
    SCALES,
    add_partial,
    all_finite,
    rescaled,
    scaled_gain,
)
from campanula.stages.kernels.shards.records import OwnSums, Sums


def test_scales_are_apart_by_powers_of_two():
    sums = Sums(np.array([3.0, 0.0]), np.array([1.0, -7.0]))
    rescaled(sums, SCALES)
    assert sums.value.tolist() == [3.0 * 2.0**-64, SCALES]
    assert sums.gradient.tolist() == [2.0**-64, -7.0 * 2.0**-64]
    rescaled(sums, 0.0)
    assert sums.value.tolist() == [3.0, 0.0]


@pytest.mark.parametrize("log_gain", [0.0, -1e-9, -50.0, -700.0, 1e-9])
def test_a_gain_is_at_the_scale_of_the_sums(log_gain):
    own = OwnSums(np.array([0.0, -np.inf]), np.zeros((1, 2)))
    found = scaled_gain(own, log_gain)
    assert np.log(found) + own.value[1] == pytest.approx(log_gain, abs=1e-12)
    assert 1.0 <= found < 2.0**64 * 1.001
    assert scaled_gain(own, -np.inf) == 0.0


def test_what_was_added_goes_along_to_another_scale():
    own = OwnSums(np.array([3.0, 0.0]), np.array([[5.0, 1.0], [6.0, -7.0]]))
    assert scaled_gain(own, 1.5 * SCALES) == pytest.approx(np.exp(0.5 * SCALES))
    assert own.value.tolist() == [3.0 * 2.0**-64, SCALES]
    assert own.pair.tolist() == [[5.0, 2.0**-64], [6.0, -7.0 * 2.0**-64]]
    assert own.sums.gradient.tolist() == [2.0**-64, -7.0 * 2.0**-64]


def test_another_scale_leaves_weights_without_slopes_alone():
    own = OwnSums(np.array([3.0, 0.0]), np.array([[5.0], [6.0]]))
    scaled_gain(own, 1.5 * SCALES)
    assert own.pair.tolist() == [[5.0], [6.0]]


@pytest.mark.parametrize("scales", [(0, 0), (0, 1), (1, 0), (0, -np.inf), (-np.inf, 2)])
def test_partial_sums_are_added_at_one_scale(scales):
    one, two = (
        Sums(
            np.array([0.0 if s == -np.inf else 1.5, SCALES * s]),
            np.zeros(2) if s == -np.inf else np.array([1.0, -2.0]),
        )
        for s in scales
    )
    top = max(scales)
    weight = [0.0 if s == -np.inf else 2.0 ** (64 * (s - top)) for s in scales]
    add_partial(one, two)
    assert one.value.tolist() == [1.5 * sum(weight), SCALES * top]
    for part, scale in zip((one, two), weight, strict=True):
        assert part.gradient.tolist() == (np.array([1.0, -2.0]) * scale).tolist()


def test_what_is_not_finite_is_seen():
    assert all_finite(np.array([1e308, -1e308, 0.0]))
    for bad in (np.inf, -np.inf, np.nan):
        assert not all_finite(np.array([0.0, bad, 1.0]))
    assert all_finite(np.zeros(0))
