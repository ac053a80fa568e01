"""Decimal numbers at given places of a text, eight characters at a time.

The last eight bytes of a number are read as one 64-bit word (SWAR), with bytes before the number
cleared; longer numbers have a second word.  Digits are added up in three steps: pairs of digits,
then fours, then all eight.  Digits before a point are first shifted by one byte to close its gap.
With at most 15 digits in all, numerator and power of ten are exact in double precision, so one
division gives the double nearest to the decimal (Clinger 1990), as `float` does.  Longer numbers,
and those with an exponent, are left to `float`.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ints, Words64

MARGIN = 16  # bytes that must be before the end of the first number: two words
MINUS = ord("-")
LANE = 8  # characters in a 64-bit word
W = np.uint64
ZEROS = W(0x3030303030303030)
POINT = W(0x1010101010101010)  # after XOR with ZEROS, this bit is set for `.` but not for digits
POINT_LESS_ZERO = W(0x1E)  # `.` XOR `0`
BYTE = W(0xFF)
TO_TENS = W(0x0606060606060606)  # added to a byte from 0 to 9 gives at most 15, to others more
HIGH = W(0xF0F0F0F0F0F0F0F0)  # bits that are set in a byte of more than 15
PLACE = W(0x0807060504030201)  # times a word with a 1 in byte k: digits after the point, plus 1
FOURS = W(0x000000FF000000FF)
TENS = np.array([1.0, *(10.0**k for k in range(2 * LANE))])  # by digits after the point, plus one


def decimals(byte: Bytes, start: Ints, end: Ints) -> Floats | None:
    """Return the values (n,) of the texts `byte[start:end]`; None if one is no finite number."""
    negative = byte[start] == MINUS
    length = end - start
    length -= negative
    digits, places, bad = _lane(byte, end, np.minimum(length, LANE))
    value = digits.astype(np.float64)
    long = np.flatnonzero(length > LANE)
    if len(long):
        before, before_places, before_bad = _lane(byte, end[long] - LANE, length[long] - LANE)
        last_digits = np.where(places[long] > 0, LANE - 1, LANE)  # digits of the last word
        value[long] += before * TENS[last_digits + 1]
        # a point in both words is an error, and more than 15 digits are not exact
        bad[long] |= before_bad | (before_places > 0) & (places[long] > 0)
        bad[long] |= length[long] > 2 * LANE - 1
        places[long] += np.where(before_places > 0, before_places + LANE, 0)
    value /= TENS.take(places, mode="clip")
    np.negative(value, out=value, where=negative)
    odd = np.flatnonzero(bad | (length < 1 + (places > 0)))
    return value if _read_odd(byte, start, end, odd, value) else None


def word_windows(byte: Bytes) -> Words64:
    """Return overlapping 64-bit words, one that begins at every byte (n - 7,), without a copy."""
    return np.ndarray((len(byte) - LANE + 1,), "<u8", byte.data, strides=(1,))


def _lane(byte: Bytes, end: Ints, length: Ints) -> tuple[Ints, Ints, Flags]:
    """Read the `length` bytes before each end, at most 8, as digits with or without a point.

    Return the number of all digits, the digits after the point plus one (0 without a point), and
    whether anything else is among the bytes.
    """
    word = word_windows(byte)[end - LANE]
    word ^= ZEROS  # digits become their values
    shift = (LANE - np.clip(length, 1, LANE)).astype(np.uint64)
    shift <<= W(3)
    word >>= shift  # the low bytes, which come first in the text, are cleared
    word <<= shift
    point = word & POINT
    point >>= W(4)  # 1 in the byte of the point
    word ^= point * POINT_LESS_ZERO  # a point becomes 0
    lower = point - (point != 0)  # the bits below the point: digits before it
    strange = word + TO_TENS
    strange |= word
    strange &= HIGH
    strange |= word & (point * BYTE)  # another character than `.` with its bit
    strange |= point & lower  # more than one point
    places = point * PLACE
    places >>= W(56)
    moved = word & lower
    moved *= BYTE  # adding 255 times the digits before the point moves them up by a byte
    word += moved
    # digits d0 d1 ... become pairs 10 d0 + d1, then fours and eights, as in fast_float and simdjson
    moved = word >> W(8)
    word *= W(10)
    word += moved
    moved = word >> W(16)
    moved &= FOURS
    moved *= W(0x0000271000000001)
    word &= FOURS
    word *= W(0x000F424000000064)
    word += moved
    word >>= W(32)
    return word.view(np.int64), places.view(np.int64), strange != 0


def _read_odd(byte: Bytes, start: Ints, end: Ints, odd: Ints, value: Floats) -> bool:
    """Read the numbers at places `odd` by `float`; False if one is no number, or not finite."""
    if not len(odd):
        return True
    text = byte.tobytes()
    texts = [text[a:b] for a, b in zip(start[odd].tolist(), end[odd].tolist(), strict=True)]
    try:
        value[odd] = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return False
    # float accepts underscores in numbers, other tools do not
    return bool(np.isfinite(value[odd]).all()) and b"_" not in b" ".join(texts)
