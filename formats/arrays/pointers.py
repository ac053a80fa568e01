"""Consecutive parts of an array: part i is `values[pointer[i]:pointer[i + 1]]`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Ints


def pointer_of(lengths: NDArray[Any] | list[int]) -> Ints:
    """Pointers (n + 1,) of n consecutive parts of the given lengths (n,)."""
    pointer = np.zeros(len(lengths) + 1, np.int64)
    np.add.accumulate(lengths, dtype=np.int64, out=pointer[1:])
    return pointer


def lengths_of(pointer: Ints) -> Ints:
    """Lengths (n,) of the parts that pointers (n + 1,) bound."""
    return pointer[1:] - pointer[:-1]


def expand(start: NDArray[np.integer], length: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Pointers (n + 1,) of n runs of places, each `length` from its `start` on, and the places."""
    pointer = pointer_of(length)
    return pointer, np.arange(pointer[-1]) + np.repeat(start - pointer[:-1], length)
