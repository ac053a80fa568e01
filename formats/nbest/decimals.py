"""Decimal numbers at given places of a text, eight characters at a time.

A number is the word of its last eight bytes, with the bytes before it cleared.  Its digits are
added up in three steps, neighbours first (pairs, then fours, then all eight); those before the
point are first moved up to close its gap.  With at most 15 digits in all, numerator and power of
ten are exact, so one division gives the number nearest to the decimal (Clinger 1990), which is what
`float` gives.  What is longer, or has an exponent, is left to `float`.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ints

MARGIN = 16  # bytes that must stand before the first number's end
MINUS = 45
LANE = 8  # characters of a word
W = np.uint64
ZEROS = W(0x3030303030303030)
POINT = W(0x1010101010101010)  # the bit that tells `.` and its like from digits, less ZEROS
POINT_LESS_ZERO = W(0x1E)
BYTE = W(0xFF)
TO_TENS = W(0x0606060606060606)  # takes digits to 15 at most, what comes after them beyond
HIGH = W(0xF0F0F0F0F0F0F0F0)
PLACE = W(0x0807060504030201)  # byte 7 - k is 8 - k
FOURS = W(0x000000FF000000FF)
TENS = np.array([1.0, *(10.0**k for k in range(2 * LANE))])  # by digits after the point, plus one


def decimals(byte: Bytes, start: Ints, end: Ints) -> Floats | None:
    """Values (n,) of the texts `byte[start:end]`; None when one is no finite number."""
    negative = byte[start] == MINUS
    length = end - start
    length -= negative
    digits, places, bad = _lane(byte, end, np.minimum(length, LANE))
    value = digits.astype(np.float64)
    long = np.flatnonzero(length > LANE)
    if len(long):
        before, before_places, worse = _lane(byte, end[long] - LANE, length[long] - LANE)
        behind = np.where(places[long] > 0, LANE - 1, LANE)  # digits of the last word
        value[long] += before * TENS[behind + 1]
        bad[long] |= worse | (before_places > 0) & (places[long] > 0)
        bad[long] |= length[long] > 2 * LANE - 1
        places[long] += np.where(before_places > 0, before_places + LANE, 0)
    value /= TENS.take(places, mode="clip")
    np.negative(value, out=value, where=negative)
    odd = np.flatnonzero(bad | (length < 1 + (places > 0)))
    return value if _read_odd(byte, start, end, odd, value) else None


def _lane(byte: Bytes, end: Ints, length: Ints) -> tuple[Ints, Ints, Flags]:
    """Digits of the `length` bytes before each end as a number, places after the point plus one
    (0 without a point), and whether they are something else; length above 8 counts as 8.
    """
    windows = np.ndarray((len(byte) - LANE + 1,), "<u8", byte.data, strides=(1,))
    word = windows[end - LANE]
    word ^= ZEROS
    shift = (LANE - np.clip(length, 1, LANE)).astype(np.uint64)
    shift <<= W(3)
    word >>= shift
    word <<= shift
    point = word & POINT
    point >>= W(4)
    word ^= point * POINT_LESS_ZERO
    lower = point - (point != 0)
    strange = word + TO_TENS
    strange |= word
    strange &= HIGH
    strange |= word & (point * BYTE)  # something like a point
    strange |= point & lower  # more than one of them
    places = point * PLACE
    places >>= W(56)
    moved = word & lower
    moved *= BYTE
    word += moved
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
    """Read the numbers at some places one by one; False when one is none, or not finite."""
    if not len(odd):
        return True
    text = byte.tobytes()
    texts = [text[a:b] for a, b in zip(start[odd].tolist(), end[odd].tolist(), strict=True)]
    try:
        value[odd] = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return False
    return bool(np.isfinite(value[odd]).all()) and b"_" not in b" ".join(texts)
