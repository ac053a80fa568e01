"""Kernels of leave-one-out: what is left of a frequency, and the best rows in order."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from campanula.stages.kernels.bitext import left_out
from campanula.stages.kernels.bitext.left_records import (
    NO_LINKS,
    NO_OWN_LINKS,
    Best,
    CountTable,
    Own,
    Ranked,
    VisitWork,
)


def ints(*numbers: int) -> NDArray[np.int64]:
    return np.array(numbers, np.int64)


def test_what_all_other_rows_gain_counts_before_the_first_of_them_is_given_up():
    """Row 0, which the pair yields, fills the span; row 1 is behind it until n(f) is left out."""
    counts = np.array([[9, 10, 4], [9, 10, 3]], np.int32)
    score = np.log(np.array([[1, 1, 0.4, 1], [1, 1, 0.3, 1]], np.float32))
    weight = np.array([0.0, 1.0, 0.0, 0.0])
    table = CountTable(ints(0, 2), counts, score, weight, -20.0, NO_LINKS, 1)
    none, row = ints(), np.array([0, 1], np.int32)
    own = Own(ints(0, 1), ints(0), ints(5), none, none, none, ints(0), none, none, NO_OWN_LINKS)
    value = np.array([-1.0, -1.1])
    ranked = Ranked(value, row, ints(0, 1), row, np.ones(1, bool), ints(7, 0))
    best = Best(ints(0), ints(-1), np.array([-1.0]), np.zeros((1, 4)))
    work = VisitWork(ints(0, 1, 1), ints(7), ints(0), ints(-1, 0, 0, 0, 0), ints(0), ints(0))
    left_out.put_others(0, 0.01, own, table, ranked, best, work)
    assert best.row.tolist() == [1]
    assert best.value[0] == pytest.approx(-1.1 + np.log(10 / (10 - 5)))


def test_what_is_left_of_a_frequency():
    penalty = -20.0
    assert left_out.rest_log(3, 5, 1, 1, penalty) == pytest.approx(np.log(2 / 4))
    assert left_out.rest_log(3, 5, 0, 2, penalty) == pytest.approx(np.log(3 / 3))
    assert left_out.rest_log(2, 5, 2, 3, penalty) == -20.0
    assert left_out.rest_log(2, 2, 2, 2, penalty) == -20.0
    assert np.isnan(left_out.rest_log(2, 5, 3, 3, penalty))  # more than there are
    assert np.isnan(left_out.rest_log(2, 5, 0, 4, penalty))  # more are left than the rest holds
    assert np.isnan(left_out.rest_log(2, 2, 2, 3, penalty))


def test_the_best_rows_stay_in_order():
    rng = np.random.default_rng(1)
    for full in (1, 2, 5, 9):
        best = Best(np.zeros(11, np.int64), np.zeros(11, np.int64), np.zeros(11), np.zeros((11, 4)))
        span = np.array([2, 2, 2 + full])
        rows = rng.permutation(9)
        values = rng.integers(0, 4, 9).astype(float)
        for row in rows:
            left_out.insert(row, -row, values[row], (values[row], 1.0, 2.0, 3.0), best, span)
        expected = sorted(range(9), key=lambda row: (-values[row], row))[:full]
        assert span.tolist() == [2, 2 + full, 2 + full]
        assert best.row[2 : 2 + full].tolist() == expected
        assert best.change[2 : 2 + full, 0].tolist() == values[expected].tolist()
        assert best.block[2 : 2 + full].tolist() == [-row for row in expected]
        assert best.row[:2].tolist() == [0, 0]
        assert best.row[2 + full :].tolist() == [0] * (9 - full)
