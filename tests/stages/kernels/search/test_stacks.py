"""The order of a stack."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.search import stacks as search_stacks


@pytest.mark.parametrize("size", [0, 1, 2, 7, 64])
def test_descending_is_stable(size):
    value = np.random.default_rng(size).integers(0, 5, size).astype(np.float64)
    expected = sorted(range(size), key=lambda i: -value[i])
    assert search_stacks.descending(value).tolist() == expected
