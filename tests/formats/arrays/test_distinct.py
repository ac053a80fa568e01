"""Distinct numbers are those of np.unique."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.arrays.distinct import distinct, numbered


@given(st.lists(st.integers(0, 5) | st.integers(0, (1 << 31) - 1)))
def test_equal_to_unique(numbers: list[int]) -> None:
    ids = np.array(numbers, np.int32)
    table, places = np.unique(ids, return_inverse=True)
    assert distinct(ids).tolist() == table.tolist()
    found, where = numbered(ids)
    assert (found.tolist(), where.tolist()) == (table.tolist(), places.tolist())
    assert found.dtype == where.dtype == np.int32
