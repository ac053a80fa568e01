"""Line search over many lists: every interval of a line with the sum of its winners' statistics.

    sum(x) = sum_i stats(winner_i(x))     piecewise constant; it changes where an envelope does

The places where any winner changes, in order, cut the line into intervals; the sums of all are
prefix sums of what changes.  Compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.lists.scores import score_list
from campanula.stages.kernels.solvers.axes import Envelopes, Pieces, spread
from campanula.stages.kernels.solvers.envelope import Scratch, upper_envelope

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
        for j in range(pad[i] + size, pad[i + 1]):
            score[j] = -np.inf
        best = 0
        for j in range(size):
            if s[j] > s[best]:
                best = j
        winner[i] = first + best


def winners_sum(winner: Ints, stats: Any) -> Any:
    """Sum of the winners' statistics (n_stats,), in 8 bytes each."""
    return stats[winner].sum(axis=0, dtype=np.int64)


@njit(**LEAN)
def find_envelopes(
    pieces: Pieces, stale: Flags, score: Floats, last: Envelopes, found: Envelopes, room: Scratch
) -> None:
    """Write the envelopes of all pieces to found.

    Those of lists whose scores are as they were, not stale (n_lists,), are copied from the last
    ones; for the rest the last ones are the guess.
    """
    n = 0
    for i in range(len(stale)):
        s = score[pieces.pad[i] : pieces.pad[i + 1]]
        for p in range(pieces.list_pieces[i], pieces.list_pieces[i + 1]):
            begin, size = last.begin[p], last.begin[p + 1] - last.begin[p]
            found.begin[p] = n
            for c in range(size):
                room.line[c] = found.line[n + c] = last.line[begin + c]
                found.x[n + c] = last.x[begin + c]
            if stale[i]:
                size = find_envelope(pieces, p, s, size, room)
                for c in range(size):
                    found.line[n + c], found.x[n + c] = room.line[c], room.x[c]
            n += size
    found.begin[len(pieces.list)] = n


@njit(**LEAN)
def find_envelope(pieces: Pieces, p: int, score: Floats, guess: int, room: Scratch) -> int:
    """Number of lines on the envelope of piece p, which room then holds, as it does the guess."""
    low, high, start, size = pieces.low[p], pieces.high[p], pieces.start[p], len(score)
    if pieces.entry[p] == pieces.entry[p + 1]:
        slope = pieces.column[start : start + size]
        return int(upper_envelope(score, slope, low, high, guess, room))
    spread(pieces, p, room.slope)
    return int(upper_envelope(score, room.slope[:size], low, high, guess, room))


@njit(cache=True, nogil=True)
def changes(
    pieces: Pieces, list_pointer: Ints, found: Envelopes, winner: Ints, stats: Any, total: Any
) -> tuple[Ints, Floats, Any, Any]:
    """Where winners change along all axes, unordered.

    Those of axis k are pointer[k]:pointer[k + 1] of x (n,) and of what they add (n, n_stats).
    left (n_axes, n_stats) is the sum of the winners' statistics at the left end, total that here.
    Lists are gone through once, while their statistics are at hand.
    """
    n_axes, n_stats = len(pieces.axis_pointer) - 1, len(total)
    pointer = np.zeros(n_axes + 1, np.int64)
    for p in range(len(pieces.list)):
        pointer[pieces.axis[p] + 1] += found.begin[p + 1] - found.begin[p] - 1
    left = np.empty((n_axes, n_stats), total.dtype)
    for k in range(n_axes):
        pointer[k + 1] += pointer[k]
        for c in range(n_stats):
            left[k, c] = total[c]
    x, added = np.empty(pointer[-1]), np.empty((pointer[-1], n_stats), stats.dtype)
    end = pointer[:-1].copy()
    for p in range(len(pieces.list)):
        i, k = pieces.list[p], pieces.axis[p]
        before, n = list_pointer[i] + found.line[found.begin[p]], end[k]
        for c in range(n_stats):
            left[k, c] += stats[before, c] - stats[winner[i], c]
        for m in range(found.begin[p], found.begin[p + 1] - 1):
            after = list_pointer[i] + found.line[m + 1]
            x[n] = found.x[m]
            for c in range(n_stats):
                added[n, c] = stats[after, c] - stats[before, c]
            before = after
            n += 1
        end[k] = n
    return pointer, x, added, left


@njit(cache=True, nogil=True)
def interval_sums(order: Ints, added: Any, left: Any) -> Any:
    """Sums (n + 1, n_stats) in all intervals: left in the first, then added to in that order."""
    sums = np.empty((len(order) + 1, added.shape[1]), left.dtype)
    for c in range(added.shape[1]):
        sums[0, c] = left[c]
    for m in range(len(order)):
        for c in range(added.shape[1]):
            sums[m + 1, c] = sums[m, c] + added[order[m], c]
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
