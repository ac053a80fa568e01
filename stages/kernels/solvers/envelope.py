"""The upper envelope of a list along a line in weight space, compiled.

Along theta + x d the score of hypothesis j is a line in x, and the winner is the upper envelope:

    s_j(x) = score_j + x slope_j,    slope = F d,    winner(x) = argmax_j s_j(x)    (Och 2003)

Where two lines of the envelope meet, either no line is higher and the winner changes there, or the
highest line belongs between them.  One vectorised pass over all lines decides this, so lines need
not be sorted; and the envelope of a nearby theta is a guess that the same pass confirms.  Of
identical lines the one of the lowest index wins.

Lists are padded to a multiple of PAD lines with lines of score -inf and slope 0, because the last
lines of a list that do not fill vectors would take as long as all others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit

PAD = 32  # a multiple of what a vectorised, unrolled loop takes at once
FARTHEST = 1e300  # bound of a meeting place of almost parallel lines; finite, so that sums are too
_MAGNITUDE = np.int64(0x7FFFFFFFFFFFFFFF)  # all bits of a float but its sign


class EnvelopeWork(NamedTuple):
    """Working memory for one list of up to n lines; key is the bits of value.

    score and slope: those of the list's lines.  The other arrays are of candidates for the envelope
    (line, x, waiting, sure, right, height, rise) and of the corners where they meet (corner, at,
    floor, top, near).
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


def scratch(n: int) -> EnvelopeWork:
    """Return working memory for lists of up to n lines, padding included."""
    value = np.empty(n)
    ints = np.empty((5, n), np.int64)
    floats = np.empty((8, n))
    line, waiting, right, corner, near = ints
    score, slope, x, height, rise, at, floor, top = floats
    return EnvelopeWork(
        value=value, key=value.view(np.int64), score=score, slope=slope,
        line=line, x=x, waiting=waiting, sure=np.empty(n, np.bool_), right=right,
        height=height, rise=rise,
        corner=corner, at=at, floor=floor, top=top, near=near,
    )  # fmt: skip


@njit(**LEAN)
def place_of_max(key: Ints) -> int:
    """First place of the greatest number, from the bits of the numbers; there is no -0.0 or NaN."""
    # as integers, the bits of floats above 0 ascend, and those of others descend, which the `^`
    # turns round; a maximum of integers is vectorised, one of floats only with fastmath
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
    work: EnvelopeWork,
) -> int:
    """Place of the highest line at x of a slope between low and high; -1 if none is above floor."""
    # a count first, in most calls all that is needed: no line is above the corner
    above = 0
    for j in range(len(score)):
        above += score[j] + x * slope[j] > floor
    if above == 0:
        return -1
    for j in range(len(score)):
        between = (low < slope[j]) & (slope[j] < high)
        work.value[j] = score[j] + x * slope[j] if between else -np.inf
    best = place_of_max(work.key[: len(score)])
    return best if work.value[best] > floor else -1


@njit(**LEAN)
def highest_of_slope(score: Floats, slope: Floats, value: float, work: EnvelopeWork) -> int:
    """Place of the highest score among the lines of slope `value`."""
    for j in range(len(score)):
        work.value[j] = score[j] if slope[j] == value else -np.inf
    return int(place_of_max(work.key[: len(score)]))


@njit(**LEAN)
def meeting(score: Floats, slope: Floats, left: int, right: int) -> float:
    """Return x where two lines meet; `left` has the lower slope."""
    # of two floats, not NumPy's numbers: interpreted, those warn where the quotient is infinite
    x = float(score[left] - score[right]) / float(slope[right] - slope[left])
    return float(min(max(x, -FARTHEST), FARTHEST))


@njit(**LEAN)
def alone(score: Floats, slope: Floats, left: int, right: int) -> bool:
    """Whether all other lines are lower where two lines meet."""
    # the lower of both values, which rounding makes differ: both lines then count
    x = meeting(score, slope, left, right)
    floor = min(score[left] + x * slope[left], score[right] + x * slope[right])
    count = 0
    for j in range(len(score)):
        count += score[j] + x * slope[j] >= floor
    return count == 2


@njit(**LEAN)
def lines_of_guess(
    score: Floats, slope: Floats, low: float, high: float, guess: int, work: EnvelopeWork
) -> int:
    """Write the lines of the guess that are on the envelope, and both ends, to work.waiting.

    The guess is line[:guess].  The lines are in order from right to left; sure says of each whether
    its change from the line to the left is confirmed.  Return how many.
    """
    # a line is on the envelope if at one of its corners no third line comes up
    count = 0
    right_sure = False
    for k in range(guess - 1, 0, -1):
        left_sure = alone(score, slope, work.line[k - 1], work.line[k])
        if left_sure or right_sure:
            work.waiting[count] = work.line[k]
            work.sure[count] = left_sure
            count += 1
        elif k == guess - 1:
            work.waiting[0] = highest_of_slope(score, slope, high, work)
            work.sure[0] = False
            count = 1
        right_sure = left_sure
    if guess < 2:
        work.waiting[0] = highest_of_slope(score, slope, high, work)
        work.sure[0] = False
        count = 1
    first = work.line[0] if right_sure else highest_of_slope(score, slope, low, work)
    work.waiting[count] = first
    return count + 1


@njit(**LEAN)
def upper_envelope(
    score: Floats, slope: Floats, low: float, high: float, guess: int, work: EnvelopeWork
) -> int:
    """Compute the envelope; return its number n of lines.

    It is work.line[:n] from left to right, changing at work.x[:n - 1].  low < high are the least
    and the greatest slope.  work.line[:guess] is a guess of ascending slopes that begins with a
    line of slope low and ends with one of slope high; it changes the time, not the result.
    """
    waiting = lines_of_guess(score, slope, low, high, guess, work) - 1
    left = work.waiting[waiting]
    n = 1
    work.line[0] = left
    # `waiting` is a stack: a line found between two others comes before the right one of them
    while waiting > 0:
        right = work.waiting[waiting - 1]
        x = meeting(score, slope, left, right)
        if not work.sure[waiting - 1]:
            floor = max(score[left] + x * slope[left], score[right] + x * slope[right])
            between = highest(score, slope, x, slope[left], slope[right], floor, work)
            if between >= 0:
                work.waiting[waiting] = between
                work.sure[waiting] = False
                waiting += 1
                continue
        work.x[n - 1] = x
        work.line[n] = right
        left = right
        waiting -= 1
        n += 1
    return n
