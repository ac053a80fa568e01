"""Resampling against enumeration, sacrebleu's draws, and the counts that must come out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from campanula.stages.kernels.metrics import resampling
from tests.naive import resampling as naive


def rate(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / np.maximum(sums[:, 1], 1)


@pytest.mark.parametrize(("n", "chosen"), [(2, 1), (5, 2), (4, 4), (3, 0), (1, 1)])
def test_every_choice_is_as_likely(n: int, chosen: int) -> None:
    taken = resampling.deal(n, chosen, 20000, np.random.default_rng(1))
    assert taken.shape == (20000, n)
    assert (taken.sum(axis=1) == chosen).all()
    found, counts = np.unique(taken, axis=0, return_counts=True)
    ways = len(list(itertools.combinations(range(n), chosen)))
    assert len(found) == ways
    assert counts / 20000 == pytest.approx(np.full(ways, 1 / ways), abs=0.015)


def test_dealing_equals_all_deals() -> None:
    rng = np.random.default_rng(3)
    for first, second in ((1, 1), (2, 1), (2, 2)):
        pool = rng.integers(1, 9, (4, first + second, 2))
        pool[:, :first, 0] += 2
        expected = naive.p_of_all_deals(pool.tolist(), first, lambda s: s[0] / s[1])
        sums = resampling.dealt_sums(pool, first, 20000, rng)
        rest = pool.sum(axis=(0, 1)) - sums
        both = [pool[:, :first].sum(axis=(0, 1)), pool[:, first:].sum(axis=(0, 1))]
        found = abs(float(np.diff(rate(np.array(both)))[0]))
        p = resampling.p_value(np.abs(rate(sums) - rate(rest)), found)
        assert p == pytest.approx(expected, abs=0.015)


def test_nothing_to_deal() -> None:
    assert resampling.dealt_sums([], 1, 10, np.random.default_rng(1)).size == 0


def test_samples_are_sacrebleus_draws() -> None:
    stats = np.arange(12).reshape(6, 2) ** 2
    drawn = np.random.default_rng(5).choice(6, size=(7, 6), replace=True)
    sums = resampling.bootstrap_sums(stats, 7, np.random.default_rng(5))
    assert sums.tolist() == stats[drawn].sum(axis=1).tolist()


def test_p_is_never_0_and_equal_differences_are_not_above() -> None:
    chance = np.array([0.5, 1.0, 1.0, 2.0])
    assert resampling.p_value(chance, 1.0) == 2 / 5
    assert resampling.p_value(chance, 3.0) == 1 / 5
    assert resampling.p_value(chance[:0], 0.0) == 1.0
