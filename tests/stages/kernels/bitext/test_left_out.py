"""Kernels of leave-one-out: what is left of a frequency, and the best rows in order."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.bitext import left_out
from campanula.stages.kernels.bitext.left_records import Best


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
