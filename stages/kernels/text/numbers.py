"""Decimals in bytes as the doubles nearest to them: what Python's `float` gives.

    -17.4  1E-5  +3  .5  5.

Up to 19 digits make a word, times a power of ten of 128 bits (Lemire 2021, "Number parsing at a
gigabyte per second", section 5).  Of more digits the rest is left out where it makes no difference.
What this does not decide, such as a number too small for all 53 bits, is told, and left to `float`.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Words64
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.text.powers import LEAST
from campanula.stages.kernels.text.words import WORD, get, leading_zeros, wide_product
from campanula.stages.kernels.wide import wide

ZERO, NINE, MINUS, PLUS, POINT, LETTER_E, SMALL_E = 48, 57, 45, 43, 46, 69, 101
MOST_DIGITS = 19  # of a word
LARGEST_POWER = 308
MOST_EXPONENT = 9999  # beyond which no more digits of an exponent are read
UNDECIDED = -1  # bits of a NaN
FRACTION_BITS = 52
HIDDEN = 1 << FRACTION_BITS
BIAS = 1023
INFINITE = 2047
NEGATIVE = -(1 << 63)

_NONE, _ONE, _TEN = np.uint64(0), np.uint64(1), np.uint64(10)
_ZEROS, _HIGH = np.uint64(0x3030303030303030), np.uint64(0xF0F0F0F0F0F0F0F0)
_SIXES, _THREES = np.uint64(0x0606060606060606), np.uint64(0x3333333333333333)
_FOURS = np.uint64(0x000000FF000000FF)
_FIRST, _SECOND = np.uint64(0x000F424000000064), np.uint64(0x0000271000000001)
_LANE = np.uint64(100_000_000)
_BITS_4, _BITS_8, _BITS_16, _BITS_32 = np.uint64(4), np.uint64(8), np.uint64(16), np.uint64(32)
_UNSURE = np.uint64(0x1FF)  # low bits that a carry would run through
_LAST = np.uint64(3)


@njit(**LEAN, inline="always")
def _all_digits(word: np.uint64) -> bool:
    """Whether all eight bytes are digits."""
    beyond = ((word + _SIXES) & _HIGH) >> _BITS_4
    return bool(((word & _HIGH) | beyond) == _THREES)


@njit(**LEAN, inline="always")
def _eight(word: np.uint64) -> np.uint64:
    """The number that eight digits are: neighbours are added up, then pairs, then fours."""
    word = word - _ZEROS
    word = word * _TEN + (word >> _BITS_8)
    _, low = wide_product(word & _FOURS, _FIRST, _NONE)
    _, low = wide_product((word >> _BITS_16) & _FOURS, _SECOND, low)
    return low >> _BITS_32


@njit(**LEAN)
def nearest(digits: np.uint64, ten: int, power: Words64) -> int:
    """Bits of the double nearest to digits 10^ten, UNDECIDED where this cannot tell."""
    if digits == _NONE:
        return 0
    if ten < LEAST or ten > LARGEST_POWER:
        return UNDECIDED
    zeros = leading_zeros(digits)
    digits = digits << np.uint64(zeros)
    high, low = wide_product(digits, power[ten - LEAST, 0], _NONE)
    if high & _UNSURE == _UNSURE:
        carried, _ = wide_product(digits, power[ten - LEAST, 1], _NONE)
        high, low = wide_product(digits, power[ten - LEAST, 0], carried)
    upper = np.int64(high >> np.uint64(63))
    shift = np.uint64(upper + 64 - FRACTION_BITS - 3)
    fraction = high >> shift
    exponent = ((217706 * ten) >> 16) + 63 + upper - zeros + BIAS
    if exponent <= 0:
        return UNDECIDED
    if low <= _ONE and -4 <= ten <= 23 and fraction & _LAST == _ONE and fraction << shift == high:
        fraction = fraction - _ONE  # in the middle: to the even one
    half = int(np.int64(fraction + (fraction & _ONE)) >> 1)
    if half >= 2 * HIDDEN:
        half = HIDDEN
        exponent = exponent + 1
    if exponent >= INFINITE:
        return UNDECIDED
    return int((half - HIDDEN) | (exponent << FRACTION_BITS))


@njit(**LEAN, inline="always")
def _is_digit(byte: int) -> bool:
    return ZERO <= byte <= NINE


@njit(**LEAN)
def _exponent(byte: Bytes, at: int) -> tuple[int, int]:
    """Exponent of what stands behind an `e`, and where it ends; 0 where there is none."""
    negative = byte[at] == MINUS
    if negative or byte[at] == PLUS:
        at += 1
    value = 0
    start = at
    while _is_digit(byte[at]):
        value = min(10 * value + wide(byte[at]) - ZERO, MOST_EXPONENT)
        at += 1
    return (-value if negative else value), (at if at > start else 0)


@njit(**LEAN)
def read(byte: Bytes, at: int, power: Words64) -> tuple[int, int]:
    """Bits of the number that begins at a place, UNDECIDED where there is none; the place behind.

    A word must follow what is read, and the number end before the array does.
    """
    negative = byte[at] == MINUS
    if negative or byte[at] == PLUS:
        at += 1
    start = at
    digits, count, ten = _NONE, 0, 0
    cut = False
    points = 0
    while True:
        word = get(byte, at)
        if count <= MOST_DIGITS - WORD and _all_digits(word):
            digits = digits * _LANE + _eight(word)
            count += WORD * (digits != _NONE)
            ten -= WORD * points
            at += WORD
        elif _is_digit(byte[at]):
            if count < MOST_DIGITS:
                digits = digits * _TEN + np.uint64(byte[at] - ZERO)
                count += digits != _NONE
                ten -= points
            else:
                cut = cut or byte[at] != ZERO
                ten += 1 - points
            at += 1
        elif byte[at] == POINT and points == 0:
            points = 1
            at += 1
        else:
            break
    if at - start == points:
        return UNDECIDED, at
    if byte[at] == LETTER_E or byte[at] == SMALL_E:
        more, at = _exponent(byte, at + 1)
        if at == 0:
            return UNDECIDED, start
        ten += more
    bits = nearest(digits, ten, power)
    if cut and nearest(digits + _ONE, ten, power) != bits:
        return UNDECIDED, at
    return (bits | NEGATIVE if negative and bits != UNDECIDED else bits), at
