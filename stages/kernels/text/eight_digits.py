"""Doubles rounded to eight digits, written as bytes as C's `%.8g` does.

    -1.2345678  -0.00012345678  -1e-05  0

The number is multiplied by a power of ten that a double holds exactly, so that eight digits stand
before the point.  The product and its rounding error are computed exactly (Dekker 1971, "A
floating-point technique for extending the available precision"), so that an exact half is never
taken for a number close to it; a half is rounded to the even digit.
"""

from __future__ import annotations

import math

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Floats
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.text.spelling import MINUS, ZERO, lay_out

DIGITS = 8
LEAST, MOST = 1e-14, 1e7
"""`spell_eight` can write 0 and numbers of sizes from LEAST up to, but not including, MOST."""
SMALLEST, LARGEST = 10**7, 10**8  # of eight digits
SPLIT = 134217729.0  # 2^27 + 1, halves the digits of a double

POWER = np.array([10.0**k for k in range(23)])  # all powers that doubles hold exactly


def can_spell(values: Floats) -> Flags:
    """Which numbers (n,) `spell_eight` can write."""
    size = np.abs(values)
    spelled: Flags = (values == 0) & ~np.signbit(values)
    spelled |= (size >= LEAST) & (size < MOST)
    return spelled


@njit(**LEAN)
def _halves(value: float) -> tuple[float, float]:
    """Split a double into a sum of two doubles of half the digits, whose products are exact."""
    large = SPLIT * value
    high = large - (large - value)
    return high, value - high


@njit(**LEAN)
def _rounded(size: float, power: float) -> int:
    """The integer nearest to size * power, which is below 2^53."""
    product = size * power
    high, low = _halves(size)
    power_high, power_low = _halves(power)
    lacking = low * power_low - (
        ((product - high * power_high) - low * power_high) - high * power_low
    )
    whole = math.floor(product)
    beyond = (product - whole) - 0.5
    digits = int(whole)
    # the error of the product decides only where the product itself is exactly a half
    if beyond > 0.0 or (beyond == 0.0 and lacking > 0.0):
        return digits + 1
    if beyond == 0.0 and lacking == 0.0:
        return digits + digits % 2
    return digits


@njit(**LEAN)
def spell_eight(out: Bytes, at: int, value: float) -> int:
    """Write a number for which can_spell is true from `at` on; return the place behind it.

    Up to spelling.LONGEST bytes of `out` from `at` on are overwritten.
    """
    if value == 0.0:
        out[at] = ZERO
        return at + 1
    size = abs(value)
    if value < 0.0:
        out[at] = MINUS
        at += 1
    shift = DIGITS - 1  # a power of ten that brings eight digits before the point
    while size * POWER[shift] < SMALLEST:
        shift += 1
    while size * POWER[shift] >= LARGEST:
        shift -= 1
    return lay_out(out, at, _rounded(size, POWER[shift]), -shift, DIGITS)
