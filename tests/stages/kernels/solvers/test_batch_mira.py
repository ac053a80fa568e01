"""Ties of hope and fear; whole epochs are in tests of tuning."""

import numpy as np

from campanula.stages.kernels.solvers import batch_mira as kernel


def test_hope_and_fear_take_the_lower_index():
    score, place = np.array([1.0, 2.0, 2.0, 1.0]), np.array([0, 1, 1, 0], np.int32)
    assert kernel.hope_and_fear(score, place, np.array([1.0, 0.0])) == (0, 1)
