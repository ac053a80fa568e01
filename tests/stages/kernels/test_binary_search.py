"""Binary search beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.binary_search import find, lower_bound


@pytest.mark.parametrize(
    "array", [np.array([1, 3, 3, 7], np.int32), np.array([1, 3, 3, 7], np.int64)]
)
def test_places_in_ascending_arrays(array: Ids | Ints) -> None:
    for value in range(9):
        place = int(np.searchsorted(array, value))
        assert lower_bound(array, 0, 4, value) == place
        assert find(array, 0, 4, value) == (place if value in array else -1)
    assert lower_bound(array, 2, 2, 0) == 2
    assert find(array, 0, 3, 7) == find(array, 0, 0, 1) == -1
