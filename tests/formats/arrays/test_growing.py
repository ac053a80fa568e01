"""Arrays that grow keep what they hold."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.growing import Column, extended, grown


def test_an_array_with_room_stays():
    array = np.arange(4)
    assert grown(array, 4) is array


def test_a_grown_array_has_room_for_as_many_again():
    rows = grown(np.arange(6, dtype=np.int32).reshape(3, 2), 5)
    assert rows.shape == (10, 2)
    assert rows.dtype == np.int32
    assert rows[:3].tolist() == [[0, 1], [2, 3], [4, 5]]


def test_what_is_added_stands_behind_what_is_used():
    array = np.zeros(4, np.int64)
    for size in range(0, 20, 2):
        array = extended(array, size, np.array([size, size + 1]))
    assert array[:20].tolist() == list(range(20))


def test_a_column_grows_and_is_written_over_once_it_was_emptied():
    column = Column(np.int32)
    assert len(column.values) == 0
    column.append(7)
    column.extend(np.arange(3))
    held = column.values
    assert held.tolist() == [7, 0, 1, 2]
    assert column.nbytes == 16
    column.clear()
    column.extend(np.array([5]))
    assert (len(column), column.values.tolist(), held.tolist()) == (1, [5], [5, 0, 1, 2])
    assert Column(np.int64, 3).values.shape == (0, 3)
