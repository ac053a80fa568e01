"""One width for whole numbers."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.compiled import njit


@njit(cache=True, nogil=True, inline="always")
def wide(number: int | np.integer) -> int:
    """Return the number as a 64-bit integer.

    In Numba an entry of an int32 array stays 32 bits wide, even after `int`: a variable that is
    set from an entry and from a constant would have two types, and a kernel that takes an entry as
    an argument would be compiled once more for 32 bits.
    """
    # np.int64 widens; int makes it Python's own where Python runs the kernels.  The `int` around
    # results of other kernels is for the type checker: in machine code it changes nothing.
    return int(np.int64(number))
