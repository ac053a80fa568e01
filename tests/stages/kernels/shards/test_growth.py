"""Posterior counts by sign against sums over rows."""

import numpy as np
import pytest

from campanula.stages.growth.posterior import counts_of
from campanula.stages.kernels.shards.growth import excess_of_list
from tests.naive.losses import softmax
from tests.stages.tuning.sharded.shards import random_lists, sharded


@pytest.mark.parametrize("seed", range(3))
def test_counts_are_apart_by_sign_for_dense_sparse_and_binary_features(seed):
    lists = random_lists(seed, 4, n_features=600, widest=320)
    names = list(lists[0].names)
    theta = np.random.default_rng(seed).normal(size=len(names)) * 0.3
    expected, gain = np.zeros((len(names), 2)), 0.0
    for kbest in lists:
        rows = list(kbest.features.rows(kbest.names))
        number = {name: k for k, name in enumerate(names)}
        scores = [sum(theta[number[n]] * v for n, v in row.items()) for row in rows]
        p = softmax(scores)
        mean = sum(q * own for q, own in zip(p, kbest.gain, strict=True))
        gain += mean
        for q, own, row in zip(p, kbest.gain, rows, strict=True):
            for name, value in row.items():
                count = q * (own - mean) * value
                expected[number[name], int(count <= 0)] += abs(count)
    (shard,) = sharded(lists, ()).shards
    sums, value = counts_of(shard, theta)
    found = np.zeros_like(expected)
    found[shard.ids] = sums
    assert value == pytest.approx(gain, rel=1e-12)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-14)


def test_gains_that_are_all_alike_raise_and_lower_nothing():
    rng = np.random.default_rng(4)
    for n in (1, 2, 5, 50):
        g, alike = np.ones(n), np.full(n, rng.random())
        assert excess_of_list(rng.normal(size=n), alike, g) == alike[0]
        assert not g.any()
