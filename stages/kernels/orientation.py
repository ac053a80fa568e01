"""Where a block stands in the source, seen from the block before it (Tillmann 2004).

MONOTONE        the block begins where the one before ends (R: to the right of it)
SWAPPED         the block ends where the one before begins (L: to the left of it)
DISCONTINUOUS   the block stands elsewhere (N)
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import DISCONTINUOUS, MONOTONE, SWAPPED


@njit(cache=True, nogil=True, inline="always")
def orientation(start: int, end: int, before_start: int, before_end: int) -> int:
    """Orientation of the block of source words start to end, after one of before_start to
    before_end; the sentence's start is a block from -1 to 0.
    """
    # no block ends at -1, so the first block of a sentence is never SWAPPED
    value = DISCONTINUOUS
    if start == before_end:
        value = MONOTONE
    elif end == before_start:
        value = SWAPPED
    return value


@njit(cache=True, nogil=True)
def orientations(start: Ints, end: Ints, before_start: Ints, before_end: Ints) -> Ints:
    """Orientations (n,) of blocks, given the words (n,) of each and of the block before it."""
    value = np.empty(len(start), dtype=np.int64)
    for x in range(len(start)):
        value[x] = orientation(start[x], end[x], before_start[x], before_end[x])
    return value
