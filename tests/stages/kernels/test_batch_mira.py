import numpy as np
import pytest

from stages.kernels import batch_mira as kernel
from tests.naive import batch_mira as naive
from tests.stages.tuning.scored import random_stats


def test_distinct_rows_are_those_of_each_list():
    stats = np.random.default_rng(0).integers(0, 2, (40, 10))
    stats[:, 3:] = 0
    pointer = np.array([0, 1, 15, 40])
    rows = kernel.distinct_rows(pointer, stats)
    for i, (first, last) in enumerate([(0, 1), (1, 15), (15, 40)]):
        own = rows.stats[rows.pointer[i] : rows.pointer[i + 1]]
        assert (own[rows.place[first:last]] == stats[first:last]).all()
        assert len(own) == len(np.unique(stats[first:last], axis=0))


def test_scaled_bleu_as_the_naive_twin():
    rng = np.random.default_rng(1)
    for scale in (1.0, 1e-3, 100.0):
        stats, background = np.array([random_stats(rng)], float), scale * rng.random(10)
        expected = naive.scaled_bleu(stats[0], background)
        assert kernel.scaled_bleu(stats, 0, background) == pytest.approx(expected)


def test_scaled_bleu_of_nothing_is_0():
    assert kernel.scaled_bleu(np.zeros((1, 10)), 0, np.zeros(10)) == 0.0


def test_hope_and_fear_take_the_lower_index():
    score, place = np.array([1.0, 2.0, 2.0, 1.0]), np.array([0, 1, 1, 0], np.int32)
    assert kernel.hope_and_fear(score, place, np.array([1.0, 0.0])) == (0, 1)
