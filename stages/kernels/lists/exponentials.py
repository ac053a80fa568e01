"""Powers of e of many numbers at once, as the processor's vector units work them out.

    e^x = 2^n e^r,   n = round(x / ln 2),   |r| <= ln 2 / 2

The library's function is called number by number; losses over shards take one for every hypothesis
of every list.  Within two units in the last place of the true value.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit

LOWEST = -708.0  # below e to this power there is no room for all digits
PER_LN2 = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01  # ends in zeros, so that n times it is exact
LN2_LOW = 1.90821492927058770002e-10
ROUND = 6755399441055744.0  # 1.5 * 2^52: a sum with it ends in the whole number beside it
BIAS, DIGITS = 1023, 52  # of the exponent of a float64, and the bits below it


@njit(**LEAN)
def largest(x: Floats) -> float:
    """The largest of numbers (n,), at least one; NaN is passed over.

    Four maxima side by side need not wait for each other.
    """
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
    """Write e^(x - shift) to out (n,); a difference is to be at most 0, one below -708 counts so.

    The powers of 2 come first, by their bits.  Terms of the series are added in pairs (Estrin),
    which need not wait for each other.
    """
    n = len(x)
    for j in range(n):
        y = x[j] - shift
        out[j] = (LOWEST if y < LOWEST else y) * PER_LN2 + ROUND
    bits = out.view(np.int64)
    for j in range(n):
        bits[j] = (bits[j] + BIAS) << DIGITS  # what is above the whole number falls off
    for j in range(n):
        y = x[j] - shift
        y = LOWEST if y < LOWEST else y
        k = (y * PER_LN2 + ROUND) - ROUND
        r = (y - k * LN2_HIGH) - k * LN2_LOW
        q = r * r
        a = (1.0 / 6.0 + r * (1.0 / 24.0)) + q * (1.0 / 120.0 + r * (1.0 / 720.0))
        b = (1.0 / 5040.0 + r * (1.0 / 40320.0)) + q * (1.0 / 362880.0 + r * (1.0 / 3628800.0))
        c = (1.0 / 39916800.0 + r * (1.0 / 479001600.0)) + q * (1.0 / 6227020800.0)
        q4 = q * q
        out[j] *= 1.0 + (r + (0.5 * q + (q * r) * (a + q4 * (b + q4 * c))))
