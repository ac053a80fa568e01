"""Numbers of features within a list against NumPy's unique."""

import numpy as np
import pytest

from campanula.stages.kernels.shards.numbering import number_within


@pytest.mark.parametrize("size", [0, 1, 7, 500])
def test_numbers_are_those_of_unique(size):
    rng = np.random.default_rng(size)
    ids = rng.integers(0, 2 * size + 1, size).astype(np.int32) * 1_000_003
    table, codes = number_within(ids)
    expected, inverse = np.unique(ids, return_inverse=True)
    assert (table == expected).all()
    assert (codes == inverse).all()
    assert table.dtype == codes.dtype == np.int32
