"""Binary search in ascending arrays."""

from __future__ import annotations

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit


@njit(**LEAN)
def lower_bound(array: Ids | Ints, begin: int, end: int, value: int) -> int:
    """Return the first place from begin to end where the array is not below a value, else end."""
    while begin < end:
        middle = (begin + end) // 2
        if array[middle] < value:
            begin = middle + 1
        else:
            end = middle
    return begin


@njit(**LEAN)
def find(array: Ids | Ints, begin: int, end: int, value: int) -> int:
    """Return the first place of a value from begin to end, -1 if it is missing."""
    place = lower_bound(array, begin, end, value)
    return place if place < end and array[place] == value else -1
