"""The upper envelope of a list along a line when that of a nearby theta is known, compiled.

The lines that were the envelope, and the winner of now, have an envelope of their own: a polyline
that is nowhere above that of all lines.  It is the same where no other line comes up to a corner of
it, which one vectorised pass over all lines tells of four corners.  The highest line above a corner
is put in, and the corners that are new are looked at, until none has a line above it.  Where a line
comes so near to a corner that rounding might decide, `upper_envelope` does, so that the result is
its own.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.solvers.envelope import FARTHEST, EnvelopeRoom, highest_of_slope

BLUR = 1e-13  # of the numbers that a line's value is the sum of: more than any rounding of it
PLACE = np.int64((1 << 24) - 1)  # bits of a line's place
ROUNDS = 16  # of lines that are put in


@njit(**LEAN)
def nearby_envelope(
    score: Floats,
    slope: Floats,
    ends: tuple[float, float],
    guess: Ids,
    winner: int,
    room: EnvelopeRoom,
) -> int:
    """Number n of lines on the envelope: room.line[:n], changing at room.x[:n - 1]; or 0.

    ends: the least and the greatest slope, which differ; guess: lines of ascending slopes from the
    one to the other, or none; winner: place of the highest score.  0 if rounding might decide.
    """
    n = _polyline(score, slope, ends, guess, winner, room)
    reach = max(abs(ends[0]), abs(ends[1]))
    for _ in range(ROUNDS):
        n = _without_low_lines(n, room)
        unsure = _unsure_corners(n, reach, room)
        _count_lines(score, slope, unsure, room)
        more = _put_in_risen(score, slope, n, unsure, room)
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
    room: EnvelopeRoom,
) -> int:
    """Write the guess and the winner to room.line; without a guess, highest lines of both ends."""
    n = len(guess)
    if n < 2:
        _set_line(score, slope, highest_of_slope(score, slope, ends[0], room), 0, room)
        _set_line(score, slope, highest_of_slope(score, slope, ends[1], room), 1, room)
        return _put_in(score, slope, winner, 2, room)
    known = False
    for k in range(n):
        known |= guess[k] == winner
        _set_line(score, slope, guess[k], k, room)
    return n if known else _put_in(score, slope, winner, n, room)


@njit(**LEAN, forceinline=True)
def _set_line(score: Floats, slope: Floats, line: int, k: int, room: EnvelopeRoom) -> None:
    """Set line k of the polyline, whose corner to the right is not confirmed."""
    room.line[k], room.right[k] = line, -1
    room.height[k], room.rise[k] = score[line], slope[line]


@njit(**LEAN, forceinline=True)
def _move_line(k: int, to: int, room: EnvelopeRoom) -> None:
    """Have line k of the polyline in the place of another."""
    room.line[to], room.right[to] = room.line[k], room.right[k]
    room.height[to], room.rise[to] = room.height[k], room.rise[k]


@njit(**LEAN, forceinline=True)
def _put_in(score: Floats, slope: Floats, line: int, n: int, room: EnvelopeRoom) -> int:
    """Number of lines when one is among room.line[:n], by slope; of one slope the higher stays."""
    at = n
    while at > 0 and room.rise[at - 1] > slope[line]:
        at -= 1
    if at > 0 and room.rise[at - 1] == slope[line]:
        if score[line] > room.height[at - 1]:
            _set_line(score, slope, line, at - 1, room)
        return n
    for k in range(n, at, -1):
        _move_line(k - 1, k, room)
    _set_line(score, slope, line, at, room)
    return n + 1


@njit(**LEAN, forceinline=True)
def _corner(left: int, right: int, room: EnvelopeRoom) -> float:
    """Where two lines of the polyline meet, as `meeting` has it."""
    x = (room.height[left] - room.height[right]) / (room.rise[right] - room.rise[left])
    return float(min(max(x, -FARTHEST), FARTHEST))


@njit(**LEAN, forceinline=True)
def _without_low_lines(n: int, room: EnvelopeRoom) -> int:
    """Number of the lines room.line[:n] that are on their envelope, which alone are left."""
    left = 0
    for k in range(1, n):
        x = _corner(left, k, room)
        while left > 0 and x <= room.x[left - 1]:
            left -= 1
            x = _corner(left, k, room)
        room.x[left] = x
        left += 1
        if left < k:
            _move_line(k, left, room)
    return left + 1


@njit(**LEAN, forceinline=True)
def _unsure_corners(n: int, reach: float, room: EnvelopeRoom) -> int:
    """Number of corners that are not confirmed: corner[:m], with the heights that lines may have.

    No line but the two of a corner is to be above floor; what is above top is surely higher.
    """
    m = 0
    for c in range(n - 1):
        x = room.x[c]
        if room.right[c] != room.line[c + 1]:
            room.right[c] = room.line[c + 1]
            one = room.height[c] + x * room.rise[c]
            other = room.height[c + 1] + x * room.rise[c + 1]
            blur = BLUR * (abs(one) + abs(other) + 2.0 * abs(x) * reach)
            room.corner[m], room.at[m] = c, x
            room.floor[m], room.top[m] = min(one, other) - blur, max(one, other) + blur
            m += 1
    return m


@njit(**LEAN, forceinline=True)
def _count_lines(score: Floats, slope: Floats, m: int, room: EnvelopeRoom) -> None:
    """Write to near[:m] how many lines come up to the floors of corners."""
    c = 0
    while m - c > 2:
        _count_four(score, slope, c, m - 1, room)
        c += 4
    if m - c > 0:
        _count_two(score, slope, c, m - 1, room)


@njit(**LEAN, forceinline=True)
def _count_two(score: Floats, slope: Floats, c: int, last: int, room: EnvelopeRoom) -> None:
    d = min(c + 1, last)
    x, y, u, v = room.at[c], room.at[d], room.floor[c], room.floor[d]
    one = other = 0
    for j in range(len(score)):
        one += score[j] + x * slope[j] >= u
        other += score[j] + y * slope[j] >= v
    room.near[c] = one
    room.near[d] = other


@njit(**LEAN, forceinline=True)
def _count_four(score: Floats, slope: Floats, c: int, last: int, room: EnvelopeRoom) -> None:
    d, e, f = c + 1, c + 2, min(c + 3, last)
    x, y, z, w = room.at[c], room.at[d], room.at[e], room.at[f]
    floor_x, floor_y, floor_z, floor_w = room.floor[c], room.floor[d], room.floor[e], room.floor[f]
    n_x = n_y = n_z = n_w = 0
    for j in range(len(score)):
        n_x += score[j] + x * slope[j] >= floor_x
        n_y += score[j] + y * slope[j] >= floor_y
        n_z += score[j] + z * slope[j] >= floor_z
        n_w += score[j] + w * slope[j] >= floor_w
    room.near[c] = n_x
    room.near[d] = n_y
    room.near[e] = n_z
    room.near[f] = n_w


@njit(**LEAN, forceinline=True)
def _put_in_risen(score: Floats, slope: Floats, n: int, m: int, room: EnvelopeRoom) -> int:
    """Number of lines when the highest above each of m corners is among room.line[:n].

    0 if no line is near any corner, -1 if lines are near, but none is surely above.
    """
    crowded = risen = 0
    for c in range(m):
        if room.near[c] != 2:
            room.right[room.corner[c]] = -1
            room.at[crowded], room.top[crowded] = room.at[c], room.top[c]
            crowded += 1
    for c in range(crowded):
        best = _highest_above(score, slope, room.at[c], room.top[c], room)
        if best >= 0:
            risen += 1
            n = _put_in(score, slope, best, n, room)
    if risen:
        return n
    return -1 if crowded else 0


@njit(**LEAN, forceinline=True)
def _highest_above(score: Floats, slope: Floats, x: float, top: float, room: EnvelopeRoom) -> int:
    """Place of a line above top at x, the highest but for its last digits; -1 for none.

    The bits of numbers above 0 ascend with them as integers, and the last make way for the place.
    """
    for j in range(len(score)):
        room.value[j] = score[j] + x * slope[j] - top
    best = np.int64(0)
    for j in range(len(score)):
        best = max(best, (room.key[j] & ~PLACE) | j)
    return int(best & PLACE) if best > PLACE else -1
