"""Line search over many lists: every interval of a line with the sum of its winners' statistics.

    sum(x) = sum_i stats(winner_i(x))     piecewise constant; it changes where an envelope does

The places where any winner changes, in order, cut the line into intervals; the statistics of the
intervals are prefix sums of the changes.  Compiled.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.solvers.axes import Envelopes, Pieces

NARROW = 1e-10  # relative width below which an interval may come from rounding alone
TOGETHER = 8  # statistics that are added at once: a loop of fixed length becomes vector code


class Changes(NamedTuple):
    """Places where winners change along all axes, and the changes of the sum of statistics.

    Those of axis k are pointer[k]:pointer[k + 1] of x (n,) and of added (n, n_stats), unordered.
    left (n_axes, n_stats) is the sum of the winners' statistics at the left end.
    """

    pointer: Ints
    x: Floats
    added: Any
    left: Ints


def winners_sum(winner: Ints, stats: Any) -> Any:
    """Sum of the winners' statistics (n_stats,), int64."""
    # statistics may be stored in fewer bytes, in which a corpus's sum would overflow
    return stats[winner].sum(axis=0, dtype=np.int64)


@njit(**LEAN, forceinline=True)
def _write_difference(row: Any, after: Any, before: Any) -> None:
    """Write after - before, of one length, to row."""
    n = len(row)
    for start in range(0, n - TOGETHER + 1, TOGETHER):
        for c in range(start, start + TOGETHER):
            row[c] = after[c] - before[c]
    for c in range(n - n % TOGETHER, n):
        row[c] = after[c] - before[c]


@njit(**LEAN, forceinline=True)
def _write_sum(row: Any, one: Any, other: Any) -> None:
    """Write one + other, of one length, to row."""
    n = len(row)
    for start in range(0, n - TOGETHER + 1, TOGETHER):
        for c in range(start, start + TOGETHER):
            row[c] = one[c] + other[c]
    for c in range(n - n % TOGETHER, n):
        row[c] = one[c] + other[c]


@njit(cache=True, nogil=True)
def changes(
    pieces: Pieces, list_pointer: Ints, envelopes: Envelopes, winner: Ints, stats: Any, total: Ints
) -> Changes:
    """Return the changes of winners along all axes, from the envelopes of all pieces.

    winner (n_lists,) are the winners at the present theta, total (n_stats,) the sum of their
    statistics.
    """
    n_axes = len(pieces.axis_pointer) - 1
    n_stats = len(total)
    pointer = np.zeros(n_axes + 1, np.int64)
    for p in range(len(pieces.list)):
        pointer[pieces.axis[p] + 1] += envelopes.begin[p + 1] - envelopes.begin[p] - 1
    left = np.empty((n_axes, n_stats), total.dtype)
    for k in range(n_axes):
        pointer[k + 1] += pointer[k]
        left[k] = total
    x = np.empty(pointer[-1])
    added = np.empty((pointer[-1], n_stats), stats.dtype)
    # list by list, so that a list's statistics are in the cache; `end` is where an axis goes on
    end = pointer[:-1].copy()
    for p in range(len(pieces.list)):
        i, k = pieces.list[p], pieces.axis[p]
        before = list_pointer[i] + envelopes.line[envelopes.begin[p]]
        n = end[k]
        if before != winner[i]:
            for c in range(n_stats):
                left[k, c] += stats[before, c] - stats[winner[i], c]
        for m in range(envelopes.begin[p], envelopes.begin[p + 1] - 1):
            after = list_pointer[i] + envelopes.line[m + 1]
            x[n] = envelopes.x[m]
            _write_difference(added[n], stats[after], stats[before])
            before = after
            n += 1
        end[k] = n
    return Changes(pointer, x, added, left)


def in_order(line: Changes, first: int, last: int) -> Ints:
    """Order (n,) of the changes along axes first to last by their place, axis by axis."""
    ends = line.pointer[first : last + 1].tolist()
    order = np.empty(ends[-1] - ends[0], np.int64)
    for begin, end in pairwise(ends):
        order[begin - ends[0] : end - ends[0]] = np.argsort(line.x[begin:end])
    return order


@njit(cache=True, nogil=True)
def interval_sums(line: Changes, first: int, last: int, order: Ints) -> tuple[Floats, Ints]:
    """Return the ends of the intervals of axes first to last, and the sums in the intervals.

    order (n,) sorts the changes of each axis.  x (n,) ascends on each axis; sums (n + last - first,
    n_stats): an axis has one row more than changes.
    """
    start = line.pointer[first]
    x = np.empty(len(order))
    row = 0
    sums = np.empty((len(order) + last - first, line.added.shape[1]), line.left.dtype)
    for k in range(first, last):
        begin, end = line.pointer[k], line.pointer[k + 1]
        for c in range(sums.shape[1]):
            sums[row, c] = line.left[k, c]
        for m in range(begin - start, end - start):
            at = begin + order[m]
            x[m] = line.x[at]
            _write_sum(sums[row + 1], sums[row], line.added[at])
            row += 1
        row += 1
    return x, sums


@njit(cache=True, nogil=True)
def inside(left: float, right: float, unit: float) -> float:
    """Return a step into an interval; 0 if the interval contains 0.

    It is the middle, but at most twice as far as the nearer end, or `unit` beyond the nearer end if
    that is farther.
    """
    # the middle of an infinite interval is infinite, and that of a very wide one hardly better
    if left >= 0.0:
        return float(min(0.5 * (left + right), left + max(left, unit)))
    if right <= 0.0:
        return float(max(0.5 * (left + right), right + min(right, -unit)))
    return 0.0


@njit(cache=True, nogil=True)
def best_interval(
    x: Floats, value: Floats, low: float, high: float, unit: float
) -> tuple[float, float]:
    """Value and step of the best interval within [low, high], the leftmost of equally good ones.

    x (n,) ascends, value (n + 1,).  -inf and 0 if no interval is wide enough.
    """
    best = -np.inf
    step = 0.0
    left = low
    for m in range(len(value)):
        right = min(x[m], high) if m < len(x) else high
        if value[m] > best and right - left > NARROW * (min(abs(left), abs(right)) + unit):
            best, step = value[m], inside(left, right, unit)
        left = max(left, right)
    return best, step


@njit(cache=True, nogil=True)
def best_intervals(
    pointer: Ints, x: Floats, value: Floats, low: Floats, high: Floats, unit: float
) -> tuple[Floats, Floats]:
    """Values and steps (n_axes,) of the best intervals of axes within [low, high] (n_axes,).

    x and value are those of interval_sums, pointer (n_axes + 1,) to x counts from its first.
    """
    n_axes = len(low)
    best, step = np.full(n_axes, -np.inf), np.zeros(n_axes)
    for k in range(n_axes):
        begin, end = pointer[k] - pointer[0], pointer[k + 1] - pointer[0]
        # an axis without changes has no other interval than that of the present theta
        if begin < end:
            own = value[begin + k : end + k + 1]
            best[k], step[k] = best_interval(x[begin:end], own, low[k], high[k], unit)
    return best, step
