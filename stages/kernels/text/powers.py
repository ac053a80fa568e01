"""Powers of ten as 128-bit numbers, for decimals of doubles and doubles of decimals.

Power k is g 2^(floor(k log2 10) - 127), where g has 128 bits, the highest set.  For writing numbers
g is rounded up (Giulietti 2021, "The Schubfach way to render doubles"); for reading them it is
rounded down, except from 10^-27 to 10^-1, where it is rounded up (Lemire 2021, "Number parsing at a
gigabyte per second"; proof in Mushtak and Lemire 2023).
"""

from __future__ import annotations

import functools

import numpy as np

from campanula.formats.arrays.types import Words64

LEAST, MOST = -342, 324
"""Exponents of the table: reading needs -342 to 308, writing -292 to 324."""

UP, DOWN = True, False
RECIPROCALS = range(-27, 0)  # of fives in 64 bits, which are rounded up for reading, too
BITS = 128


@functools.cache
def powers(rounded: bool) -> Words64:
    """High and low words (MOST - LEAST + 1, 2) of the powers from LEAST on, rounded UP or DOWN."""
    table = np.array([_words(k, rounded) for k in range(LEAST, MOST + 1)], np.uint64)
    table.flags.writeable = False  # the cache gives all callers one array
    return table


def _words(k: int, rounded: bool) -> tuple[int, int]:
    # 10^k = 5^k 2^k: the power of two is in the exponent, so that g is that of 5^k
    if k >= 0:
        power = 5**k
        shift = power.bit_length() - BITS
        number = power >> shift if shift > 0 else power << -shift
        exact = shift <= 0 or number << shift == power
    else:
        power = 5**-k
        number = (1 << (power.bit_length() + BITS - 1)) // power
        exact = False
    if not exact and (rounded or k in RECIPROCALS):
        number += 1
    return number >> 64, number & 0xFFFFFFFFFFFFFFFF
