"""Exponentials of many numbers at once, for the processor's vector units.

    e^x = 2^n e^r,   n = round(x / ln 2),   |r| <= ln 2 / 2

The library's function takes one number a call, and losses over shards need an exponential for every
hypothesis of every list.  Results are within two units in the last place of the true value.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit

LOWEST = -708.0  # below e to this power there is no room for all digits
PER_LN2 = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01  # ends in zeros, so that n times it is exact
LN2_LOW = 1.90821492927058770002e-10
ROUND = 6755399441055744.0  # 1.5 * 2^52: adding it rounds a number to a whole one, in the low bits
BIAS, DIGITS = 1023, 52  # of the exponent of a float64, and the bits below it


@njit(**LEAN)
def largest(x: Floats) -> float:
    """Return the largest of numbers (n,), n > 0, without regard to NaN."""
    # four maxima side by side: one alone would make each comparison wait for the one before
    a = b = c = d = -np.inf
    n = len(x)
    for j in range(0, n - 3, 4):
        a = x[j] if x[j] > a else a
        b = x[j + 1] if x[j + 1] > b else b
        c = x[j + 2] if x[j + 2] > c else c
        d = x[j + 3] if x[j + 3] > d else d
    for j in range(n - n % 4, n):
        a = x[j] if x[j] > a else a
    return float(max(max(a, b), max(c, d)))


@njit(**LEAN)
def exponentials(x: Floats, shift: float, out: Floats) -> None:
    """Write e^(x - shift) to out (n,).

    x - shift is at most 0; below -708 it counts as -708.
    """
    n = len(x)
    # first the powers of 2, in `out`: their bits are set through its view as int64
    for j in range(n):
        y = x[j] - shift
        out[j] = (LOWEST if y < LOWEST else y) * PER_LN2 + ROUND
    bits = out.view(np.int64)
    for j in range(n):
        bits[j] = (bits[j] + BIAS) << DIGITS  # the shift drops the bits of ROUND itself
    for j in range(n):
        y = x[j] - shift
        y = LOWEST if y < LOWEST else y
        k = (y * PER_LN2 + ROUND) - ROUND
        r = (y - k * LN2_HIGH) - k * LN2_LOW
        q = r * r
        # terms of the series in pairs (Estrin): they need not wait for each other as in Horner's
        a = (1.0 / 6.0 + r * (1.0 / 24.0)) + q * (1.0 / 120.0 + r * (1.0 / 720.0))
        b = (1.0 / 5040.0 + r * (1.0 / 40320.0)) + q * (1.0 / 362880.0 + r * (1.0 / 3628800.0))
        c = (1.0 / 39916800.0 + r * (1.0 / 479001600.0)) + q * (1.0 / 6227020800.0)
        q4 = q * q
        out[j] *= 1.0 + (r + (0.5 * q + (q * r) * (a + q4 * (b + q4 * c))))
