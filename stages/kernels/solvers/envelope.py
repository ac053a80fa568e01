"""The upper envelope of a list along a line in weight space, compiled.

Along theta + x d the score of hypothesis j is a line in x, and the winner is the upper envelope:

    s_j(x) = score_j + x slope_j,    slope = F d,    winner(x) = argmax_j s_j(x)    (Och 2003)

Where two lines of the envelope meet, either no line is higher and the winner changes there, or the
highest one belongs between them.  A question to all lines is one vectorised pass, so nothing need
be sorted; and lines that were the envelope of a nearby theta are a guess that the same question
confirms.  Of identical lines the one of the lowest index wins.

Lists are padded to a multiple of PAD lines, the added ones with score -inf and slope 0, because a
vectorised pass over a remainder takes as long as one over the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit

PAD = 32
FARTHEST = 1e300  # where lines of almost equal slope meet; finite, so that sums of it are numbers
_MAGNITUDE = np.int64(0x7FFFFFFFFFFFFFFF)


class EnvelopeRoom(NamedTuple):
    """Room for one list of up to n lines; key is the bits of value.

    score: of the list; slope: where they are spread.  The rest is of lines that may be the envelope
    (line, x, waiting, sure, right) and of corners of theirs (corner, at, floor, top, near).
    """

    value: Floats
    key: Ints
    score: Floats
    slope: Floats
    line: Ints
    x: Floats
    waiting: Ints
    sure: Flags
    right: Ints
    height: Floats
    rise: Floats
    corner: Ints
    at: Floats
    floor: Floats
    top: Floats
    near: Ints


def scratch(n: int) -> EnvelopeRoom:
    """Room for lists of up to n lines, padding included."""
    value, ints, floats = np.empty(n), np.empty((5, n), np.int64), np.empty((8, n))
    line, waiting, right, corner, near = ints
    score, slope, x, height, rise, at, floor, top = floats
    return EnvelopeRoom(
        value=value, key=value.view(np.int64), score=score, slope=slope,
        line=line, x=x, waiting=waiting, sure=np.empty(n, np.bool_), right=right,
        height=height, rise=rise,
        corner=corner, at=at, floor=floor, top=top, near=near,
    )  # fmt: skip


@njit(**LEAN)
def place_of_max(key: Ints) -> int:
    """First place of the greatest number, from the bits of the numbers; there is no -0.0 or NaN.

    The bits of numbers above 0 ascend with them as integers, the others' descend.  Unlike a
    maximum of floats, one of integers is vectorised without leave to change results.
    """
    top = -_MAGNITUDE
    for j in range(len(key)):
        top = max(top, key[j] ^ ((key[j] >> 63) & _MAGNITUDE))
    top ^= (top >> 63) & _MAGNITUDE
    first = len(key)
    for j in range(len(key)):
        first = min(first, j if key[j] == top else len(key))
    return first


@njit(**LEAN)
def highest(
    score: Floats,
    slope: Floats,
    x: float,
    low: float,
    high: float,
    floor: float,
    room: EnvelopeRoom,
) -> int:
    """Place of the highest line at x of a slope between low and high; -1 if none is above floor."""
    above = 0
    for j in range(len(score)):
        above += score[j] + x * slope[j] > floor
    if above == 0:
        return -1
    for j in range(len(score)):
        between = (low < slope[j]) & (slope[j] < high)
        room.value[j] = score[j] + x * slope[j] if between else -np.inf
    best = place_of_max(room.key[: len(score)])
    return best if room.value[best] > floor else -1


@njit(**LEAN)
def highest_of_slope(score: Floats, slope: Floats, value: float, room: EnvelopeRoom) -> int:
    """Place of the highest score among the lines of slope `value`."""
    for j in range(len(score)):
        room.value[j] = score[j] if slope[j] == value else -np.inf
    return int(place_of_max(room.key[: len(score)]))


@njit(**LEAN)
def meeting(score: Floats, slope: Floats, left: int, right: int) -> float:
    """Where two lines meet, the left one of the lower slope."""
    # of two floats, not NumPy's numbers: interpreted, those warn where the quotient is infinite
    x = float(score[left] - score[right]) / float(slope[right] - slope[left])
    return float(min(max(x, -FARTHEST), FARTHEST))


@njit(**LEAN)
def alone(score: Floats, slope: Floats, left: int, right: int) -> bool:
    """Whether every other line is lower where two lines meet."""
    x = meeting(score, slope, left, right)
    floor = min(score[left] + x * slope[left], score[right] + x * slope[right])
    count = 0
    for j in range(len(score)):
        count += score[j] + x * slope[j] >= floor
    return count == 2


@njit(**LEAN)
def known_lines(
    score: Floats, slope: Floats, low: float, high: float, guess: int, room: EnvelopeRoom
) -> int:
    """Lines of the envelope that are found at once, both ends among them: the first of `waiting`.

    They come from the guess, line[:guess], and wait from right to left; sure says of each whether
    its change from the line to the left is confirmed.  Returns how many.
    """
    count, right_sure = 0, False
    for k in range(guess - 1, 0, -1):
        left_sure = alone(score, slope, room.line[k - 1], room.line[k])
        if left_sure or right_sure:
            room.waiting[count], room.sure[count] = room.line[k], left_sure
            count += 1
        elif k == guess - 1:
            room.waiting[0], room.sure[0] = highest_of_slope(score, slope, high, room), False
            count = 1
        right_sure = left_sure
    if guess < 2:
        room.waiting[0], room.sure[0] = highest_of_slope(score, slope, high, room), False
        count = 1
    first = room.line[0] if right_sure else highest_of_slope(score, slope, low, room)
    room.waiting[count] = first
    return count + 1


@njit(**LEAN)
def upper_envelope(
    score: Floats, slope: Floats, low: float, high: float, guess: int, room: EnvelopeRoom
) -> int:
    """Number n of lines on the envelope: line[:n] from left to right, changing at x[:n - 1].

    low < high are the least and the greatest slope.  line[:guess] is a guess of ascending slopes
    that begins with one of slope low and ends with one of slope high; it changes the work alone.
    """
    waiting = known_lines(score, slope, low, high, guess, room) - 1
    left, n = room.waiting[waiting], 1
    room.line[0] = left
    while waiting > 0:
        right = room.waiting[waiting - 1]
        x = meeting(score, slope, left, right)
        if not room.sure[waiting - 1]:
            floor = max(score[left] + x * slope[left], score[right] + x * slope[right])
            between = highest(score, slope, x, slope[left], slope[right], floor, room)
            if between >= 0:
                room.waiting[waiting], room.sure[waiting] = between, False
                waiting += 1
                continue
        room.x[n - 1], room.line[n], left = x, right, right
        waiting -= 1
        n += 1
    return n
