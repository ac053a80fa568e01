"""Pointers that divide an array into segments: segment i is `values[pointer[i]:pointer[i + 1]]`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Ints


def pointer_of(lengths: NDArray[Any] | list[int]) -> Ints:
    """Return the pointers (n + 1,) of n consecutive segments with these lengths (n,)."""
    pointer = np.zeros(len(lengths) + 1, np.int64)
    # lengths may have a byte each: sums are taken in 64 bits
    np.add.accumulate(lengths, dtype=np.int64, out=pointer[1:])
    return pointer


def lengths_of(pointer: Ints) -> Ints:
    """Return the lengths (n,) of the segments of pointers (n + 1,)."""
    return pointer[1:] - pointer[:-1]


def expand(start: NDArray[np.integer], length: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Write n ranges of places out in full, range i being start[i] to start[i] + length[i] - 1.

    Return the pointers (n + 1,) of the ranges, and the places (sum of length,).
    """
    pointer = pointer_of(length)
    return pointer, np.arange(pointer[-1]) + np.repeat(start - pointer[:-1], length)


def expand_rows(pointer: Ints, row: Ints) -> tuple[Ints, Ints]:
    """Return the pointers of the segments `row` of pointers, and the places of their entries."""
    return expand(pointer[:-1][row], lengths_of(pointer)[row])
