"""Kernels of lexical weights without a pair's links; whole lists stand in tests of decoding."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.bitext import left_lexical


def test_places_in_ascending_arrays():
    array = np.array([1, 3, 3, 7])
    for value in range(9):
        assert left_lexical.lower_bound(array, 0, 4, value) == np.searchsorted(array, value)
    assert left_lexical.lower_bound(array, 2, 2, 0) == 2
