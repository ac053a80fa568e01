"""One width for whole numbers."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.compiled import njit


@njit(cache=True, nogil=True, inline="always")
def wide(number: int | np.integer) -> int:
    """The number as 64 bits.

    For Numba an entry of an int32 array stays 32 bits wide, and `int` leaves it so: a variable that
    is set from it and from a constant would have two types, and a kernel that takes it would be
    compiled once more for it.
    """
    return int(np.int64(number))
