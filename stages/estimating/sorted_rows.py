"""Rows of numbers, sorted within a bound of memory: sorted runs in files, merged.

A run is as many rows as fit into memory, sorted by radix, column by column from the last to the
first.  To merge, some rows of each run are read.  Compare the last row read of each run: all rows
up to the lowest of them can be sorted together and passed on, since no run can have more such rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.estimating.scratch import FileColumn, Rows

DIGIT = 16  # bits: NumPy sorts numbers of 16 bits by radix, in one pass
HELD = 6  # memory of a sort, about, as a multiple of the size of the rows
LEAST_READ = 64  # rows that are read of a run at a time


@dataclass(frozen=True, slots=True)
class RowForm:
    """The form of rows (n, columns) that are sorted by their first `keys` columns.

    summed: rows of equal keys become one, and their last columns are added; otherwise no two rows
    may have equal keys.
    """

    columns: int
    keys: int
    summed: bool = False


class SortedRows:
    """Takes rows in any order and gives them sorted."""

    def __init__(self, form: RowForm, folder: str, memory: int) -> None:
        self._form = form
        # 4 bytes a number
        self._most = max(LEAST_READ, memory // (4 * form.columns * HELD))
        self._waiting: list[Rows] = []
        self._n_waiting = 0
        self._runs = FileColumn(folder, "<u4", form.columns)
        self._ends: list[int] = []  # ends of the runs, which are one behind the other in the file

    def add(self, rows: Rows) -> None:
        """Take some rows."""
        self._waiting.append(rows)
        self._n_waiting += len(rows)
        if self._n_waiting >= self._most:
            self._write()

    def blocks(self) -> Iterator[Rows]:
        """Yield all rows in order, some at a time; rows of equal keys are in the same block."""
        if not self._ends:
            yield self._sorted_waiting()
            return
        if self._n_waiting:
            self._write()
        yield from self._merged()

    def _write(self) -> None:
        self._runs.append(self._sorted_waiting())
        self._ends.append(self._runs.size)

    def _sorted_waiting(self) -> Rows:
        none = np.zeros((0, self._form.columns), np.uint32)
        rows = np.concatenate([none, *self._waiting])
        self._waiting.clear()
        self._n_waiting = 0
        return sorted_by_keys(rows, self._form)

    def _merged(self) -> Iterator[Rows]:
        size = max(LEAST_READ, self._most // len(self._ends))
        bounds = pairwise([0, *self._ends])
        heads = [_Head(self._runs, start, stop, size) for start, stop in bounds]
        while heads:
            # a run that has been read to its end limits nothing: no row of it can follow
            more = [head for head in heads if head.more]
            last = min((head.last(self._form.keys) for head in more), default=None)
            pieces = [head.taken(last) for head in heads]
            yield sorted_by_keys(np.concatenate(pieces), self._form)
            heads = [head for head in heads if head.filled()]


class _Head:
    """The rows of a run that have been read and not been passed on."""

    def __init__(self, runs: FileColumn, start: int, stop: int, size: int) -> None:
        self._runs = runs
        self._next = start
        self._stop = stop
        self._size = size
        self._rows = np.zeros((0, 0), np.uint32)
        self.filled()

    @property
    def more(self) -> bool:
        """Whether the run has rows that have not been read."""
        return self._next < self._stop

    def last(self, keys: int) -> tuple[int, ...]:
        """Return the keys of the last row that was read."""
        return tuple(self._rows[-1, :keys].tolist())

    def taken(self, last: tuple[int, ...] | None) -> Rows:
        """Remove and return the rows up to the keys `last`, or all rows for None."""
        size = len(self._rows) if last is None else count_up_to(self._rows, last)
        taken = self._rows[:size]
        self._rows = self._rows[size:]
        return taken

    def filled(self) -> bool:
        """Read more rows if none are held; return whether any are held then."""
        if not len(self._rows) and self.more:
            stop = min(self._next + self._size, self._stop)
            self._rows = self._runs.read(self._next, stop)
            self._next = stop
        return len(self._rows) > 0


def count_up_to(rows: Rows, keys: tuple[int, ...]) -> int:
    """Return the number of sorted rows whose keys are at most `keys`: a binary search by column."""
    low = 0
    high = len(rows)
    for column, key in enumerate(keys):
        values = rows[low:high, column]
        left = np.searchsorted(values, np.uint32(key), "left")
        right = np.searchsorted(values, np.uint32(key), "right")
        low, high = low + int(left), low + int(right)
    return high


def sorted_by_keys(rows: Rows, form: RowForm) -> Rows:
    """Return rows sorted by their keys; where form.summed, one row for those of equal keys."""
    if len(rows) < 2:
        return rows
    rows = rows[_order(rows, form.keys)]
    if not form.summed:
        return rows
    differs = (rows[1:, : form.keys] != rows[:-1, : form.keys]).any(axis=1)
    first = np.concatenate([[0], np.flatnonzero(differs) + 1])
    total = np.add.reduceat(rows[:, -1], first)
    rows = rows[first]
    rows[:, -1] = total
    return rows


def _order(rows: Rows, keys: int) -> Ints:
    """Return the places (n,) of rows in the order of their keys; a stable sort."""
    order = np.arange(len(rows))
    for column in reversed(range(keys)):
        # by the lower half, then by the upper one: each pass keeps the order of those before
        number = rows[order, column]
        for shift in (0, DIGIT):
            digit = (number >> np.uint32(shift)).astype(np.uint16)
            if (digit[1:] >= digit[:-1]).all():  # often: the upper bits of small numbers are 0
                continue
            turned = np.argsort(digit, kind="stable")
            order = order[turned]
            number = number[turned]
    return order
