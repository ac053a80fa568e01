"""Read decimals from bytes as the nearest doubles, the results of Python's `float`.

    -17.4  1E-5  +3  .5  5.

Up to 19 digits make a word, times a power of ten of 128 bits (Lemire 2021, "Number parsing at a
gigabyte per second", section 5).  More digits are ignored where they make no difference.  Numbers
that this method cannot decide, such as those too small for all 53 bits, are UNDECIDED, and the
caller uses `float`.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Words64
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.text.powers import LEAST
from campanula.stages.kernels.text.words import WORD, get, leading_zeros, wide_product
from campanula.stages.kernels.wide import wide

ZERO, NINE, MINUS, PLUS, POINT, LETTER_E, SMALL_E = b"09-+.Ee"
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
_UNSURE = np.uint64(0x1FF)  # low bits of the product, which a carry runs through if all are set
_LAST = np.uint64(3)


@njit(**LEAN, inline="always")
def _all_digits(word: np.uint64) -> bool:
    """Whether all eight bytes are digits."""
    # digits are 0x30 to 0x39: their high half is 3, and still 3 after adding 6
    beyond = ((word + _SIXES) & _HIGH) >> _BITS_4
    return bool(((word & _HIGH) | beyond) == _THREES)


@njit(**LEAN, inline="always")
def _eight(word: np.uint64) -> np.uint64:
    """The number of eight digits: digits are joined in pairs, pairs in fours, fours in eight."""
    word = word - _ZEROS
    word = word * _TEN + (word >> _BITS_8)
    _, low = wide_product(word & _FOURS, _FIRST, _NONE)
    _, low = wide_product((word >> _BITS_16) & _FOURS, _SECOND, low)
    return low >> _BITS_32


@njit(**LEAN)
def nearest(digits: np.uint64, ten: int, power: Words64) -> int:
    """Bits of the double nearest to digits 10^ten; UNDECIDED where this method cannot tell."""
    if digits == _NONE:
        return 0
    if ten < LEAST or ten > LARGEST_POWER:
        return UNDECIDED
    zeros = leading_zeros(digits)
    digits = digits << np.uint64(zeros)
    high, low = wide_product(digits, power[ten - LEAST, 0], _NONE)
    # the power's low word matters only where its product could carry into the bits that count
    if high & _UNSURE == _UNSURE:
        carried, _ = wide_product(digits, power[ten - LEAST, 1], _NONE)
        high, low = wide_product(digits, power[ten - LEAST, 0], carried)
    upper = np.int64(high >> np.uint64(63))
    shift = np.uint64(upper + 64 - FRACTION_BITS - 3)
    fraction = high >> shift
    # 217706 / 2^16 is log2(10), precise enough for the floor of all these powers
    exponent = ((217706 * ten) >> 16) + 63 + upper - zeros + BIAS
    if exponent <= 0:
        return UNDECIDED
    if low <= _ONE and -4 <= ten <= 23 and fraction & _LAST == _ONE and fraction << shift == high:
        fraction = fraction - _ONE  # exactly between two doubles, only for such powers: to the even
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
    """Exponent of a number, behind its `e`, and the place behind it, 0 if there are no digits."""
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
    """Bits of the number that begins at a place, UNDECIDED if there is none, and the place behind.

    The array has at least WORD bytes behind the number.
    """
    negative = byte[at] == MINUS
    if negative or byte[at] == PLUS:
        at += 1
    start = at
    digits = _NONE
    count = 0
    ten = 0
    cut = False
    points = 0
    while True:
        word = get(byte, at)
        if count <= MOST_DIGITS - WORD and _all_digits(word):
            digits = digits * _LANE + _eight(word)
            # zeros in front of the number are no digits of the word
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
    # with digits cut off the number is above `digits` and below `digits + 1`
    if cut and nearest(digits + _ONE, ten, power) != bits:
        return UNDECIDED, at
    return (bits | NEGATIVE if negative and bits != UNDECIDED else bits), at
