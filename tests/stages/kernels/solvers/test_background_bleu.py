"""BLEU over a background against the naive twin; distinct statistics."""

import numpy as np
import pytest

from campanula.stages.kernels.solvers import background_bleu as kernel
from tests.naive import batch_mira as naive
from tests.stages.tuning.scored import random_stats


def rows_of_list(rows, i):
    """Rows (n, 10) of list i."""
    first, last = 10 * rows.pointer[i], 10 * rows.pointer[i + 1]
    return rows.stats[first:last].reshape(10, -1).T


def test_distinct_rows_are_those_of_each_list():
    stats = np.random.default_rng(0).integers(0, 2, (40, 10))
    stats[:, 3:] = 0
    pointer = np.array([0, 1, 15, 40])
    rows = kernel.distinct_rows(pointer, stats)
    assert len(rows.stats) == 10 * rows.pointer[-1]
    for i, (first, last) in enumerate([(0, 1), (1, 15), (15, 40)]):
        own = rows_of_list(rows, i)
        assert (own[rows.place[first:last]] == stats[first:last]).all()
        assert len(own) == len(np.unique(stats[first:last], axis=0))


def test_one_list_of_one_hypothesis():
    rows = kernel.distinct_rows(np.array([0, 1]), np.arange(10)[None])
    assert rows.stats.tolist() == list(range(10))
    assert rows.place.tolist() == [0]


@pytest.mark.parametrize("n", [1, 3, 4, 33])
def test_scaled_bleus_as_the_naive_twin(n):
    rng = np.random.default_rng(n)
    stats = np.array([random_stats(rng) for _ in range(2 + n)])
    stats[:, 0] += np.arange(2 + n)  # so that all rows differ
    rows = kernel.distinct_rows(np.array([0, 2, 2 + n]), stats)
    for scale in (1.0, 1e-3, 100.0):
        background, gain = scale * rng.random(10), np.full(n + 1, -1.0)
        kernel.scaled_bleus(rows, 1, background, gain)
        added = background.tolist()
        expected = [naive.scaled_bleu(row.astype(float).tolist(), added) for row in stats[2:]]
        assert gain[:n] == pytest.approx(expected)
        assert gain[n] == -1.0


def test_scaled_bleu_of_nothing_is_0():
    rows, gain = kernel.distinct_rows(np.array([0, 1]), np.zeros((1, 10), np.int64)), np.ones(1)
    kernel.scaled_bleus(rows, 0, np.zeros(10), gain)
    assert gain[0] == 0.0


def test_statistics_are_added_to_what_decays():
    stats = np.arange(30).reshape(3, 10)
    rows, total = kernel.distinct_rows(np.array([0, 1, 3]), stats), np.ones(10)
    kernel.add_statistics(rows, 1, 1, 0.5, total)
    assert total.tolist() == (0.5 + stats[2]).tolist()
