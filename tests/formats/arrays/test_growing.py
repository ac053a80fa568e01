"""Arrays that grow keep what they hold."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.growing import (
    Column,
    JoinedColumn,
    Pointers,
    extended,
    grown,
    grown_with_zeros,
)


def test_an_array_with_room_stays() -> None:
    array = np.arange(4)
    assert grown(array, 4) is array


def test_a_grown_array_has_room_for_as_many_again() -> None:
    rows = grown(np.arange(6, dtype=np.int32).reshape(3, 2), 5)
    assert rows.shape == (10, 2)
    assert rows.dtype == np.int32
    assert rows[:3].tolist() == [[0, 1], [2, 3], [4, 5]]


def test_new_rows_may_be_0() -> None:
    flags = np.array([True, True])
    assert grown_with_zeros(flags, 2) is flags
    assert grown_with_zeros(flags, 3).tolist() == [True, True, False, False, False, False]
    assert not grown_with_zeros(np.zeros(0, np.int64), 100).any()


def test_what_is_added_stands_behind_what_is_used() -> None:
    array = np.zeros(4, np.int64)
    for size in range(0, 20, 2):
        array = extended(array, size, np.array([size, size + 1]))
    assert array[:20].tolist() == list(range(20))


def test_a_column_grows_and_is_written_over_once_it_was_emptied() -> None:
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


def test_parts_are_joined_into_a_column_of_their_own() -> None:
    column = JoinedColumn(np.int64, 2)
    assert column.values.shape == (0, 2)
    first = np.array([[1, 2]])
    column.extend(first)
    column.append([3, 4])
    held = column.values
    assert (len(column), column.nbytes, held.tolist()) == (2, 32, [[1, 2], [3, 4]])
    assert column.values is held
    first[:] = 9
    column.extend(first.astype(np.int32))
    assert column.values.tolist() == [[1, 2], [3, 4], [9, 9]]
    assert column.values.dtype == np.int64
    column.clear()
    assert (len(column), held.tolist()) == (0, [[1, 2], [3, 4]])


def test_one_part_is_copied() -> None:
    column, part = JoinedColumn(np.float64), np.arange(3.0)
    column.extend(part)
    column.values[:] = 7.0
    assert part.tolist() == [0.0, 1.0, 2.0]


def test_pointers_go_on_where_the_last_segment_ended() -> None:
    pointers = Pointers()
    for _ in range(2):
        assert pointers.values.tolist() == [0]
        pointers.add_segment(3)
        pointers.add_segments(np.array([7, 8, 8, 12]))
        pointers.add_segment(0)
        pointers.add_segments(np.array([2]))
        assert pointers.values.tolist() == [0, 3, 4, 4, 8, 8]
        assert pointers.values.dtype == np.int64
        pointers.clear()
