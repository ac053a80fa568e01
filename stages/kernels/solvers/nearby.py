"""The upper envelope of a list along a line when that of a nearby theta is known, compiled.

The lines of the nearby envelope, together with the present winner, have an envelope of their own: a
polyline that is nowhere above the envelope of all lines.  Both are equal if no other line reaches a
corner of the polyline; one vectorised pass over all lines tests four corners.  The highest line
above a corner is inserted, and the new corners are tested, until no corner has a line above it.
Where a line comes so close to a corner that rounding might decide, the caller uses
`upper_envelope`, so that the result is the same in every case.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.solvers.envelope import FARTHEST, EnvelopeWork, highest_of_slope

BLUR = 1e-13  # relative to the summands of a line's value: more than rounding can change it
PLACE = np.int64((1 << 24) - 1)  # low bits of a float that are replaced by a line's place
ROUNDS = 16  # of inserting lines; a guess that needs more is too bad to be worth it


@njit(**LEAN)
def nearby_envelope(
    score: Floats,
    slope: Floats,
    ends: tuple[float, float],
    guess: Ids,
    winner: int,
    work: EnvelopeWork,
) -> int:
    """Return the number n of lines on the envelope, work.line[:n], which changes at work.x[:n - 1].

    0 if rounding might decide, or the guess is too bad.  ends: the least and the greatest slope,
    which differ; guess: lines of ascending slopes from the one to the other, or none; winner: place
    of the highest score.
    """
    n = _polyline(score, slope, ends, guess, winner, work)
    reach = max(abs(ends[0]), abs(ends[1]))
    for _ in range(ROUNDS):
        n = _without_low_lines(n, work)
        unsure = _unsure_corners(n, reach, work)
        _count_lines(score, slope, unsure, work)
        more = _put_in_risen(score, slope, n, unsure, work)
        if more <= 0:
            return n if more == 0 else 0
        n = more
    return 0


@njit(**LEAN, forceinline=True)
def _polyline(
    score: Floats,
    slope: Floats,
    ends: tuple[float, float],
    guess: Ids,
    winner: int,
    work: EnvelopeWork,
) -> int:
    """Write the guess, or without one the highest lines of the ends, and the winner to work."""
    n = len(guess)
    if n < 2:
        _set_line(score, slope, highest_of_slope(score, slope, ends[0], work), 0, work)
        _set_line(score, slope, highest_of_slope(score, slope, ends[1], work), 1, work)
        return _put_in(score, slope, winner, 2, work)
    has_winner = False
    for k in range(n):
        has_winner |= guess[k] == winner
        _set_line(score, slope, guess[k], k, work)
    return n if has_winner else _put_in(score, slope, winner, n, work)


@njit(**LEAN, forceinline=True)
def _set_line(score: Floats, slope: Floats, line: int, k: int, work: EnvelopeWork) -> None:
    """Set line k of the polyline; its corner to the right is not confirmed."""
    # a copy of score and slope: the polyline's few numbers stay side by side in the cache
    work.line[k] = line
    work.right[k] = -1
    work.height[k], work.rise[k] = score[line], slope[line]


@njit(**LEAN, forceinline=True)
def _move_line(k: int, to: int, work: EnvelopeWork) -> None:
    """Copy line k of the polyline to another place."""
    work.line[to], work.right[to] = work.line[k], work.right[k]
    work.height[to], work.rise[to] = work.height[k], work.rise[k]


@njit(**LEAN, forceinline=True)
def _put_in(score: Floats, slope: Floats, line: int, n: int, work: EnvelopeWork) -> int:
    """Insert a line into work.line[:n] by slope; return the new number of lines.

    Of two lines of one slope only the higher one stays.
    """
    # from the right end: the lines are few, and moving them costs as much as the search
    at = n
    while at > 0 and work.rise[at - 1] > slope[line]:
        at -= 1
    if at > 0 and work.rise[at - 1] == slope[line]:
        if score[line] > work.height[at - 1]:
            _set_line(score, slope, line, at - 1, work)
        return n
    for k in range(n, at, -1):
        _move_line(k - 1, k, work)
    _set_line(score, slope, line, at, work)
    return n + 1


@njit(**LEAN, forceinline=True)
def _corner(left: int, right: int, work: EnvelopeWork) -> float:
    """Return x where two lines of the polyline meet, the same number as `meeting`."""
    x = (work.height[left] - work.height[right]) / (work.rise[right] - work.rise[left])
    return float(min(max(x, -FARTHEST), FARTHEST))


@njit(**LEAN, forceinline=True)
def _without_low_lines(n: int, work: EnvelopeWork) -> int:
    """Remove the lines of work.line[:n] that are not on their envelope; return how many remain."""
    left = 0
    for k in range(1, n):
        x = _corner(left, k, work)
        # the line before is below where its two corners change places
        while left > 0 and x <= work.x[left - 1]:
            left -= 1
            x = _corner(left, k, work)
        work.x[left] = x
        left += 1
        if left < k:
            _move_line(k, left, work)
    return left + 1


@njit(**LEAN, forceinline=True)
def _unsure_corners(n: int, reach: float, work: EnvelopeWork) -> int:
    """Write the corners that are not confirmed to work.corner[:m]; return m.

    A corner is confirmed if only its two lines are above floor; a line above top is certainly
    higher than the corner.
    """
    m = 0
    for c in range(n - 1):
        x = work.x[c]
        # right is the neighbour with which the corner was tested last: a new one is a new corner
        if work.right[c] != work.line[c + 1]:
            work.right[c] = work.line[c + 1]
            one = work.height[c] + x * work.rise[c]
            other = work.height[c + 1] + x * work.rise[c + 1]
            blur = BLUR * (abs(one) + abs(other) + 2.0 * abs(x) * reach)
            work.corner[m] = c
            work.at[m] = x
            work.floor[m], work.top[m] = min(one, other) - blur, max(one, other) + blur
            m += 1
    return m


@njit(**LEAN, forceinline=True)
def _count_lines(score: Floats, slope: Floats, m: int, work: EnvelopeWork) -> None:
    """Write to near[:m] how many lines are above the floors of corners."""
    # four corners a pass over the lines, or two: each line is read once for all of them
    c = 0
    while m - c > 2:
        _count_four(score, slope, c, m - 1, work)
        c += 4
    if m - c > 0:
        _count_two(score, slope, c, m - 1, work)


@njit(**LEAN, forceinline=True)
def _count_two(score: Floats, slope: Floats, c: int, last: int, work: EnvelopeWork) -> None:
    d = min(c + 1, last)
    x, y, u, v = work.at[c], work.at[d], work.floor[c], work.floor[d]
    one = other = 0
    for j in range(len(score)):
        one += score[j] + x * slope[j] >= u
        other += score[j] + y * slope[j] >= v
    work.near[c] = one
    work.near[d] = other


@njit(**LEAN, forceinline=True)
def _count_four(score: Floats, slope: Floats, c: int, last: int, work: EnvelopeWork) -> None:
    d, e, f = c + 1, c + 2, min(c + 3, last)
    x, y, z, w = work.at[c], work.at[d], work.at[e], work.at[f]
    floor_x, floor_y, floor_z, floor_w = work.floor[c], work.floor[d], work.floor[e], work.floor[f]
    n_x = n_y = n_z = n_w = 0
    for j in range(len(score)):
        n_x += score[j] + x * slope[j] >= floor_x
        n_y += score[j] + y * slope[j] >= floor_y
        n_z += score[j] + z * slope[j] >= floor_z
        n_w += score[j] + w * slope[j] >= floor_w
    work.near[c] = n_x
    work.near[d] = n_y
    work.near[e] = n_z
    work.near[f] = n_w


@njit(**LEAN, forceinline=True)
def _put_in_risen(score: Floats, slope: Floats, n: int, m: int, work: EnvelopeWork) -> int:
    """Insert the highest line above each of m corners; return the new number of lines.

    0 if no line is near any corner, -1 if lines are near, but none is certainly above.
    """
    crowded = risen = 0
    for c in range(m):
        if work.near[c] != 2:  # more than the corner's own two lines
            work.right[work.corner[c]] = -1
            work.at[crowded], work.top[crowded] = work.at[c], work.top[c]
            crowded += 1
    for c in range(crowded):
        best = _highest_above(score, slope, work.at[c], work.top[c], work)
        if best >= 0:
            risen += 1
            n = _put_in(score, slope, best, n, work)
    if risen:
        return n
    return -1 if crowded else 0


@njit(**LEAN, forceinline=True)
def _highest_above(score: Floats, slope: Floats, x: float, top: float, work: EnvelopeWork) -> int:
    """Place of the highest line above top at x, up to its last digits; -1 if there is none."""
    # as integers, the bits of floats above 0 ascend; with the place in the lowest bits, one
    # vectorised maximum gives the line, too
    for j in range(len(score)):
        work.value[j] = score[j] + x * slope[j] - top
    best = np.int64(0)
    for j in range(len(score)):
        best = max(best, (work.key[j] & ~PLACE) | j)
    return int(best & PLACE) if best > PLACE else -1
