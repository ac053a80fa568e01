"""Doubles as the shortest decimals that read as the same number, written as bytes.

Of the decimals that are nearer to a double than to its neighbours, this is the shortest, and of
several such the nearest, as in Python's `repr`.  It takes three multiplications by a power of ten
of 128 bits (Giulietti 2021, "The Schubfach way to render doubles", figure 8 and section 9).

    0.1  -17.25  1e-05  100  1e16         without `.0`, and without the plus of an exponent
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Words64
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.text.powers import LEAST
from campanula.stages.kernels.text.words import WORD, put, wide_product

LONGEST = 32  # bytes that writing a number may overwrite; the longest number has 23
SIGN = 0x7FFFFFFFFFFFFFFF  # all bits but the sign
FRACTION_BITS = 52
HIDDEN = 1 << FRACTION_BITS
BIAS = 1075  # 1023 + 52: the fraction, with its hidden bit, is an integer times 2^(exponent - BIAS)
FIXED_FROM, FIXED_TO = -4, 16  # places of the point between which `repr` has no exponent
ZERO, MINUS, POINT, EXPONENT = b"0-.e"
LANE = 100_000_000  # digits are written in eights

_ONE, _NONE = np.uint64(1), np.uint64(0)


@njit(**LEAN, inline="always")
def _rounded(high: np.uint64, low: np.uint64, factor: int) -> int:
    """The product's bits from the 128th on; the last is set if any bit that is cut off is."""
    carried, _ = wide_product(low, np.uint64(factor), _NONE)
    top, rest = wide_product(high, np.uint64(factor), carried)
    return int(np.int64(top)) | int(rest > _ONE)


@njit(**LEAN)
def _shortest(fraction: int, exponent: int, power: Words64) -> tuple[int, int]:
    """Digits and power of ten of a double above 0, given its fields; digits may end in zeros."""
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
    """Number of digits of a number from 1 to 10^17 - 1."""
    # 17 and 16 first: most doubles have so many
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
    """Digits and power of ten of the same number, without zeros at the end of the digits."""
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

    Up to a word behind the number is overwritten.
    """
    below = 0
    left = count
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
    """Write an exponent, such as `e-05` or `e16`; return the place behind it."""
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

    Up to LONGEST bytes of `out` from `at` on are overwritten.
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
    """Write digits, from 1 to 10^17 - 1, times 10^ten, from `at` on; return the place behind it.

    A number with more than `fixed_to` digits before the point gets an exponent.
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
    """Write digits with a point behind the first `before` of them, unless these are all."""
    if count == before:
        return _write(out, at, digits, count)
    # all digits one place too far, then the first ones back: splitting them takes a division
    end = _write(out, at + 1, digits, count)
    for place in range(at, at + before):
        out[place] = out[place + 1]
    out[at + before] = POINT
    return end
