"""Rows do not depend on how lists store their features."""

import numpy as np

from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.relevant.rows import rows_of


def test_rows_are_the_same_however_a_list_stores_its_features():
    """Two hypotheses {3: 1, 5: 0.5} and {1: 1, 3: 1}, dense and in parts, and in any order."""
    gain, text = np.array([0.5, 0.25]), np.array([1, 2], np.uint64)
    none, no_ids = np.zeros(3, np.int64), np.zeros(0, np.int32)
    dense = Lists(
        np.array([0, 2]), np.array([0, 3]), np.array([5, 3, 1], np.int32), np.array([0, 6]),
        np.array([0.5, 0.0, 1.0, 1.0, 0.0, 1.0]), none, no_ids, np.zeros(0), none, no_ids,
    )  # fmt: skip
    parts = Lists(
        np.array([0, 2]), np.array([0, 0]), no_ids, np.array([0, 0]), np.zeros(0),
        np.array([0, 2, 3]), np.array([5, 3, 1], np.int32), np.array([0.5, 1.0, 1.0]),
        np.array([0, 0, 1]), np.array([3], np.int32),
    )  # fmt: skip
    for lists in (dense, parts):
        rows = rows_of(lists, gain, text)
        assert rows.valued_pointer.tolist() == [0, 1, 1]
        assert (rows.valued_id.tolist(), rows.value.tolist()) == ([5], [0.5])
        assert rows.binary_pointer.tolist() == [0, 1, 3]
        assert rows.binary_id.tolist() == [3, 1, 3]


def test_values_move_with_their_ids():
    none, no_ids = np.zeros(2, np.int64), np.zeros(0, np.int32)
    lists = Lists(
        np.array([0, 1]), np.array([0, 3]), np.array([7, 2, 4], np.int32), np.array([0, 3]),
        np.array([0.7, 0.2, 0.4]), none, no_ids, np.zeros(0), none, no_ids,
    )  # fmt: skip
    rows = rows_of(lists, np.array([0.5]), np.array([1], np.uint64))
    assert rows.valued_id.tolist() == [2, 4, 7]
    assert rows.value.tolist() == [0.2, 0.4, 0.7]
