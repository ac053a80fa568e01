"""Doubles as the shortest decimals that read as the same number, written as bytes.

Of the decimals that are nearer to a double than to its neighbours these are the shortest, and of
those the nearest: what Python's `repr` gives.  Found with three multiplications by a power of ten
of 128 bits (Giulietti 2021, "The Schubfach way to render doubles", figure 8 and section 9).

    0.1  -17.25  1e-05  100  1e16         without `.0`, and without the plus of an exponent
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Words64
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.text.powers import LEAST
from campanula.stages.kernels.text.words import WORD, put, wide_product

LONGEST = 32  # bytes that are written of a number, the longest of which has 23
SIGN = 0x7FFFFFFFFFFFFFFF  # all bits but it
FRACTION_BITS = 52
HIDDEN = 1 << FRACTION_BITS
BIAS = 1075  # of the exponent of a fraction that is taken for a whole number
FIXED_FROM, FIXED_TO = -4, 16  # places of the point between which `repr` has no exponent
ZERO, MINUS, POINT, EXPONENT = 48, 45, 46, 101
LANE = 100_000_000  # digits are written in eights

_ONE, _NONE = np.uint64(1), np.uint64(0)


@njit(**LEAN, inline="always")
def _rounded(high: np.uint64, low: np.uint64, factor: int) -> int:
    """The product's bits from the 128th on, the last of them set where what is cut off is not 0."""
    carried, _ = wide_product(low, np.uint64(factor), _NONE)
    top, rest = wide_product(high, np.uint64(factor), carried)
    return int(np.int64(top)) | int(rest > _ONE)


@njit(**LEAN)
def _shortest(fraction: int, exponent: int, power: Words64) -> tuple[int, int]:
    """Digits and power of ten of a double above 0, given its fields; zeros may end the digits."""
    c = fraction | HIDDEN if exponent > 0 else fraction
    q = max(exponent, 1) - BIAS
    if -FRACTION_BITS <= q <= 0 and c & ((1 << -q) - 1) == 0:
        return c >> -q, 0  # a whole number
    # below a power of two the neighbour is half as far away
    near = fraction == 0 and exponent > 1
    k = (q * 1262611 - (524031 if near else 0)) >> 22  # floor(log10) of the interval
    shift = q + ((-k * 1741647) >> 19) + 1
    high, low = power[-k - LEAST, 0], power[-k - LEAST, 1]
    odd = c & 1  # the ends of the interval read as an even one
    lower = _rounded(high, low, (4 * c - 2 + int(near)) << shift) + odd
    value = _rounded(high, low, (4 * c) << shift)
    upper = _rounded(high, low, (4 * c + 2) << shift) - odd
    digits = value >> 2
    if digits >= 10:
        tens = digits // 10
        below, above = lower <= 40 * tens, 40 * tens + 40 <= upper
        if below != above:
            return tens + int(above), k + 1
    below, above = lower <= 4 * digits, 4 * digits + 4 <= upper
    if below != above:
        return digits + int(above), k
    middle = 4 * digits + 2
    up = value > middle or (value == middle and digits & 1 == 1)
    return digits + int(up), k


@njit(**LEAN, inline="always")
def _count(digits: int) -> int:
    """How many digits a number from 1 to 10^17 - 1 has: most often 16 or 17."""
    if digits >= LANE * LANE:
        return 17
    if digits >= LANE * LANE // 10:
        return 16
    count, bound = (1, 10) if digits < LANE else (9, 10 * LANE)
    while digits >= bound:
        bound *= 10
        count += 1
    return count


@njit(**LEAN, inline="always")
def _without_zeros(digits: int, ten: int) -> tuple[int, int]:
    """The digits and the power of ten of the same number, no zero at their end."""
    if digits % LANE == 0:
        digits //= LANE
        ten += 8
    while digits % 10 == 0:
        digits //= 10
        ten += 1
    return digits, ten


@njit(**LEAN, inline="always")
def _characters(number: int) -> int:
    """The eight digits of a number below 10^8 as bytes of a word, the first one the lowest.

    Halves, quarters and eighths of the number side by side, each divided by one multiplication.
    """
    half = number // 10000
    word = half | (number - 10000 * half) << 32
    tens = ((word * 10486) >> 20) & 0x0000007F0000007F  # hundreds of four digits
    word = tens | (word - 100 * tens) << 16
    tens = ((word * 103) >> 10) & 0x000F000F000F000F
    word = tens | (word - 10 * tens) << 8
    return word | 0x3030303030303030


@njit(**LEAN, inline="always")
def _write(out: Bytes, at: int, digits: int, count: int) -> int:
    """Write a number of `count` digits; return the place behind it.

    What stands behind may be written over, up to a word.
    """
    below, left = 0, count
    if left > WORD:
        digits, below = digits // LANE, digits % LANE
        left -= WORD
    lowest = below
    if left > WORD:
        digits, below = digits // LANE, digits % LANE
        left -= WORD
    put(out, at, _characters(digits) >> (WORD * (WORD - left)))
    if count > 2 * WORD:
        put(out, at + left, _characters(below))
    if count > WORD:
        put(out, at + count - WORD, _characters(lowest))
    return at + count


@njit(**LEAN)
def _write_exponent(out: Bytes, at: int, exponent: int) -> int:
    """`e-05`, `e16`; return the place behind it."""
    out[at] = EXPONENT
    at += 1
    if exponent < 0:
        out[at] = MINUS
        at += 1
        exponent = -exponent
    width = 3 if exponent >= 100 else 2
    return _write(out, at, exponent, width)


@njit(**LEAN)
def spell(out: Bytes, at: int, bits: int, power: Words64) -> int:
    """Write a finite double, given its 64 bits, from `at` on; return the place behind it.

    Of `out` LONGEST bytes from there on may be written.
    """
    if bits < 0:
        out[at] = MINUS
        at += 1
        bits &= SIGN
    if bits == 0:
        out[at] = ZERO
        return at + 1
    digits, ten = _shortest(bits & (HIDDEN - 1), bits >> FRACTION_BITS, power)
    return lay_out(out, at, digits, ten, FIXED_TO)


@njit(**LEAN)
def lay_out(out: Bytes, at: int, digits: int, ten: int, fixed_to: int) -> int:
    """Write a number by its digits, from 1 to 10^17 - 1, and a power of ten, from `at` on; return
    the place behind it.

    Where the point is behind more digits than `fixed_to` there is an exponent.
    """
    digits, ten = _without_zeros(digits, ten)
    count = _count(digits)
    point = count + ten  # digits before the point
    if not FIXED_FROM < point <= fixed_to:
        return _write_exponent(out, _write_parts(out, at, digits, count, 1), point - 1)
    if point <= 0:
        out[at] = ZERO
        out[at + 1] = POINT
        for place in range(at + 2, at + 2 - point):
            out[place] = ZERO
        at += 2 - point
    elif ten < 0:
        return _write_parts(out, at, digits, count, point)
    at = _write(out, at, digits, count)
    for place in range(at, at + ten):
        out[place] = ZERO
    return at + max(ten, 0)


@njit(**LEAN, inline="always")
def _write_parts(out: Bytes, at: int, digits: int, count: int, before: int) -> int:
    """Write digits with a point, unless none follows, behind the first of them."""
    if count == before:
        return _write(out, at, digits, count)
    end = _write(out, at + 1, digits, count)
    for place in range(at, at + before):
        out[place] = out[place + 1]
    out[at + before] = POINT
    return end
