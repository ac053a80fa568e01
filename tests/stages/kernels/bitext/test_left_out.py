"""Kernels of leave-one-out: what is left of a frequency, and the best rows in order."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.bitext import left_out


def test_what_is_left_of_a_frequency():
    penalty = -20.0
    assert left_out.rest_log(3, 5, 1, 1, penalty) == pytest.approx(np.log(2 / 4))
    assert left_out.rest_log(3, 5, 0, 2, penalty) == pytest.approx(np.log(3 / 3))
    assert left_out.rest_log(2, 5, 2, 3, penalty) == -20.0
    assert left_out.rest_log(2, 2, 2, 2, penalty) == -20.0
    assert np.isnan(left_out.rest_log(2, 5, 3, 3, penalty))  # more than there are
    assert np.isnan(left_out.rest_log(2, 5, 0, 4, penalty))  # more are left than the rest holds
    assert np.isnan(left_out.rest_log(2, 2, 2, 3, penalty))


def test_places_in_ascending_arrays():
    array = np.array([1, 3, 3, 7])
    for value in range(9):
        assert left_out.lower_bound(array, 0, 4, value) == np.searchsorted(array, value)
    assert left_out.lower_bound(array, 2, 2, 0) == 2


def test_the_best_rows_stay_in_order():
    rng = np.random.default_rng(1)
    for full in (1, 2, 5, 9):
        best = left_out.Best(np.zeros(11, np.int64), np.zeros(11), np.zeros((11, 2)))
        span = np.array([2, 2, 2 + full])
        rows = rng.permutation(9)
        values = rng.integers(0, 4, 9).astype(float)
        for row in rows:
            left_out.insert(row, values[row], (values[row], 1.0), best, span)
        expected = sorted(range(9), key=lambda row: (-values[row], row))[:full]
        assert span.tolist() == [2, 2 + full, 2 + full]
        assert best.row[2 : 2 + full].tolist() == expected
        assert best.change[2 : 2 + full, 0].tolist() == values[expected].tolist()
        assert best.row[:2].tolist() == [0, 0]
        assert best.row[2 + full :].tolist() == [0] * (9 - full)


def test_phrases_with_unknown_words_have_no_key():
    word = np.array([4, 5, -1, 4, 5], np.int32)
    at, length = np.array([0, 1, 3, 2], np.int32), np.array([2, 2, 2, 1], np.uint8)
    key = left_out.text_keys(word, at, length)
    assert key[1] == key[3] == -1
    assert key[0] == key[2] > 0
    rows = left_out.row_keys(np.array([1]), np.array([0, 1, 3]), np.array([9, 4, 5], np.int32))
    assert rows.tolist() == [key[0]]
