"""Runs of places in arrays, one after another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from campanula.formats.records.columns import Ints


def places(start: NDArray[np.integer], length: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Pointers of runs of places (n + 1,), each `length` from its `start` on, and the places."""
    pointer = np.zeros(len(length) + 1, np.int64)
    np.cumsum(length, out=pointer[1:])
    return pointer, np.arange(pointer[-1]) + np.repeat(start - pointer[:-1], length)
