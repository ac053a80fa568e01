"""Rows of numbers, sorted within a bound of memory: sorted runs in files, merged.

A run is as many rows as fit, sorted by radix, column by column from the last to the first.  To
merge, some rows of each run are read.  Of what has been read, all rows up to the lowest of the last
ones can be passed on, sorted together: no run has more of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.estimating.scratch import FileColumn, Rows

DIGIT = 16  # bits of a number that NumPy sorts by in one pass
HELD = 6  # times its size that a sort takes in memory, about
LEAST_READ = 64  # rows of a run


@dataclass(frozen=True, slots=True)
class RowForm:
    """Rows (n, columns), sorted by the first `keys` columns.

    Rows of equal keys become one whose last column is the sum of theirs where `summed`; else no two
    may have equal keys.
    """

    columns: int
    keys: int
    summed: bool = False


class SortedRows:
    """Takes rows in any order and gives them sorted."""

    def __init__(self, form: RowForm, folder: str, memory: int) -> None:
        self._form = form
        self._most = max(LEAST_READ, memory // (4 * form.columns * HELD))
        self._waiting: list[Rows] = []
        self._n_waiting = 0
        self._runs = FileColumn(folder, "<u4", form.columns)
        self._ends: list[int] = []  # of runs, one behind the other

    def add(self, rows: Rows) -> None:
        """Take some rows."""
        self._waiting.append(rows)
        self._n_waiting += len(rows)
        if self._n_waiting >= self._most:
            self._write()

    def blocks(self) -> Iterator[Rows]:
        """Yield all rows in order, some at a time; equal ones are in the same block."""
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
        return in_order(rows, self._form)

    def _merged(self) -> Iterator[Rows]:
        size = max(LEAST_READ, self._most // len(self._ends))
        bounds = pairwise([0, *self._ends])
        heads = [_Head(self._runs, start, stop, size) for start, stop in bounds]
        while heads:
            more = [head for head in heads if head.more]
            last = min((head.last(self._form.keys) for head in more), default=None)
            pieces = [head.taken(last) for head in heads]
            yield in_order(np.concatenate(pieces), self._form)
            heads = [head for head in heads if head.filled()]


class _Head:
    """What has been read of a run and not been passed on."""

    def __init__(self, runs: FileColumn, start: int, stop: int, size: int) -> None:
        self._runs, self._next, self._stop = runs, start, stop
        self._size = size
        self._rows = np.zeros((0, 0), np.uint32)
        self.filled()

    @property
    def more(self) -> bool:
        """Whether rows are left that have not been read."""
        return self._next < self._stop

    def last(self, keys: int) -> tuple[int, ...]:
        """Keys of the last row that was read."""
        return tuple(self._rows[-1, :keys].tolist())

    def taken(self, last: tuple[int, ...] | None) -> Rows:
        """Rows up to those keys, or all, which are gone then."""
        size = len(self._rows) if last is None else count_up_to(self._rows, last)
        taken = self._rows[:size]
        self._rows = self._rows[size:]
        return taken

    def filled(self) -> bool:
        """Read more where nothing is left; whether there is anything then."""
        if not len(self._rows) and self.more:
            stop = min(self._next + self._size, self._stop)
            self._rows = self._runs.read(self._next, stop)
            self._next = stop
        return len(self._rows) > 0


def count_up_to(rows: Rows, keys: tuple[int, ...]) -> int:
    """How many of sorted rows are not behind these keys."""
    low, high = 0, len(rows)
    for column, key in enumerate(keys):
        values = rows[low:high, column]
        left = np.searchsorted(values, np.uint32(key), "left")
        right = np.searchsorted(values, np.uint32(key), "right")
        low, high = low + int(left), low + int(right)
    return high


def in_order(rows: Rows, form: RowForm) -> Rows:
    """Rows sorted by their keys, those of equal keys summed if so asked."""
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
    """Places (n,) of rows in the order of their keys; of equals the first first."""
    order = np.arange(len(rows))
    for column in reversed(range(keys)):
        number = rows[order, column]
        for shift in (0, DIGIT):
            digit = (number >> np.uint32(shift)).astype(np.uint16)
            if (digit[1:] >= digit[:-1]).all():
                continue
            turned = np.argsort(digit, kind="stable")
            order, number = order[turned], number[turned]
    return order
