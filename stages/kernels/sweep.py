"""Line search over many lists: every interval of a line with the sum of its winners' statistics.

    sum(x) = sum_i stats(winner_i(x))     piecewise constant; it changes where an envelope does

The places where any winner changes, in order, cut the line into intervals; the sums of all are
prefix sums of what changes.  Compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from stages.kernels.axes import Envelopes, Pieces, spread
from stages.kernels.envelope import LEAN, Scratch, upper_envelope
from stages.kernels.lists import Floats, Ints, Lists
from stages.kernels.scores import score_list

NARROW = 1e-10  # an interval narrower than this share of its place is rounding


@njit(cache=True, nogil=True)
def rescore(
    lists: Lists, which: Ints, theta: Floats, pad: Ints, score: Floats, winner: Ints
) -> None:
    """Write padded scores and the winning rows of the lists `which` at theta; ties: the lower."""
    for i in which:
        first, size = lists.list_pointer[i], lists.list_pointer[i + 1] - lists.list_pointer[i]
        s = score[pad[i] : pad[i] + size]
        score_list(lists, i, theta, s)
        score[pad[i] + size : pad[i + 1]] = -np.inf
        best = 0
        for j in range(size):
            if s[j] > s[best]:
                best = j
        winner[i] = first + best


@njit(**LEAN)
def find_envelopes(
    pieces: Pieces, which: Ints, score: Floats, found: Envelopes, room: Scratch
) -> None:
    """Find the envelopes of all pieces of the lists `which`; those found last are the guess."""
    for i in which:
        s = score[pieces.pad[i] : pieces.pad[i + 1]]
        for p in range(pieces.list_pieces[i], pieces.list_pieces[i + 1]):
            begin, guess, low, high = pieces.slot[p], found.n[p], pieces.low[p], pieces.high[p]
            for c in range(guess):
                room.line[c] = found.line[begin + c]
            if pieces.entry[p] == pieces.entry[p + 1]:
                slope = pieces.column[pieces.start[p] : pieces.start[p] + len(s)]
                n = upper_envelope(s, slope, low, high, guess, room)
            else:
                spread(pieces, p, room.slope)
                n = upper_envelope(s, room.slope[: len(s)], low, high, guess, room)
            found.n[p] = n
            for c in range(n):
                found.line[begin + c] = room.line[c]
            for c in range(n - 1):
                found.x[begin + c] = room.x[c]


@njit(cache=True, nogil=True)
def changes(
    pieces: Pieces, k: int, list_pointer: Ints, found: Envelopes, winner: Ints, stats: Any,
    total: Any,
) -> tuple[Floats, Ints, Ints]:  # fmt: skip
    """Where winners change along axis k, unordered: x (n,), the rows before and after (n,).

    total (n_stats,) is the sum of the winners' statistics here, and becomes that at the left end.
    """
    size = 0
    for q in range(pieces.axis_pointer[k], pieces.axis_pointer[k + 1]):
        size += found.n[pieces.of_axis[q]] - 1
    x, before, after = np.empty(size), np.empty(size, np.int64), np.empty(size, np.int64)
    n = 0
    for q in range(pieces.axis_pointer[k], pieces.axis_pointer[k + 1]):
        p = pieces.of_axis[q]
        i, begin = pieces.list[p], pieces.slot[p]
        top = list_pointer[i]
        for c in range(len(total)):
            total[c] += stats[top + found.line[begin], c] - stats[winner[i], c]
        for m in range(begin, begin + found.n[p] - 1):
            x[n], before[n], after[n] = found.x[m], top + found.line[m], top + found.line[m + 1]
            n += 1
    return x, before, after


@njit(cache=True, nogil=True)
def interval_sums(order: Ints, before: Ints, after: Ints, stats: Any, left: Any) -> Any:
    """Sums (n + 1, n_stats) in all intervals: left in the first, changed in the given order."""
    sums = np.empty((len(order) + 1, stats.shape[1]), stats.dtype)
    sums[0] = left
    for m in range(len(order)):
        b, a = before[order[m]], after[order[m]]
        for c in range(stats.shape[1]):
            sums[m + 1, c] = sums[m, c] + stats[a, c] - stats[b, c]
    return sums


@njit(cache=True, nogil=True)
def inside(left: float, right: float, unit: float) -> float:
    """The step into an interval: its middle, but less than twice as far as its nearer end.

    Or `unit` past the nearer end where that is farther; so an endless interval has a step too.
    0 if the interval holds 0.
    """
    if left >= 0.0:
        return float(min(0.5 * (left + right), left + max(left, unit)))
    if right <= 0.0:
        return float(max(0.5 * (left + right), right + min(right, -unit)))
    return 0.0


@njit(cache=True, nogil=True)
def best_interval(
    x: Floats, value: Floats, low: float, high: float, unit: float
) -> tuple[float, float]:
    """Value and step of the best interval within [low, high]: the leftmost of the best.

    x (n,) ascends, value (n + 1,).  -inf and 0 if there is none wide enough.
    """
    best, step, left = -np.inf, 0.0, low
    for m in range(len(value)):
        right = min(x[m], high) if m < len(x) else high
        wide = right - left > NARROW * (min(abs(left), abs(right)) + unit)
        if value[m] > best and wide:
            best, step = value[m], inside(left, right, unit)
        left = max(left, right)
    return best, step
