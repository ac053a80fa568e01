"""Arrays that grow, a heap and a hash table: what the search kernels keep their work in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit

LOW31 = 0x7FFFFFFF


@njit(cache=True, nogil=True)
def grown(array: NDArray[Any], size: int, used: int) -> Any:
    """Return the array, or one with room for `size` entries and the first `used` copied."""
    larger = array
    if size > array.shape[0]:
        larger = np.empty(size + size // 2, dtype=array.dtype)
        for i in range(used):
            larger[i] = array[i]
    return larger


@njit(cache=True, nogil=True)
def grown_rows(array: NDArray[Any], size: int, used: int) -> Any:
    """Return the array, or one with room for `size` rows and the first `used` copied."""
    larger = array
    if size > array.shape[0]:
        larger = np.empty((size + size // 2, array.shape[1]), dtype=array.dtype)
        for i in range(used):
            for k in range(array.shape[1]):
                larger[i, k] = array[i, k]
    return larger


@njit(cache=True, nogil=True)
def sift_down(priority: Floats, cell: Ints, size: int, value: float, item: int) -> None:
    """Put an item in the place of the heap's top."""
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and priority[child + 1] > priority[child]:
            child += 1
        if priority[child] <= value:
            break
        priority[place], cell[place] = priority[child], cell[child]
        place = child
    priority[place], cell[place] = value, item


@njit(cache=True, nogil=True)
def sift_up(priority: Floats, cell: Ints, size: int, value: float, item: int) -> None:
    """Add an item to a heap of `size` items; the arrays have room."""
    place = size
    while place > 0:
        parent = (place - 1) >> 1
        if priority[parent] >= value:
            break
        priority[place], cell[place] = priority[parent], cell[parent]
        place = parent
    priority[place], cell[place] = value, item


@njit(cache=True, nogil=True)
def find_slot(slots: Ids, keys: Ints, a: int, b: int, c: int, d: int) -> int:
    """Slot of the key (a, b, c, d) in a hash table of row numbers, or the free slot for it."""
    mixed = a * 0x2545F491 ^ (b & LOW31) * 0x5851F42D ^ (b >> 31) * 0x3C6EF372 ^ c * 0x1B873593
    mixed ^= d * 0x19D699A5
    mixed ^= mixed >> 27
    mixed = ((mixed & LOW31) * 0x6C8E9CF5) & 0x3FFFFFFFFFFFFFF
    size = slots.shape[0] - 1
    slot = (mixed >> 20) & size
    searching = True
    while searching:
        row = slots[slot]
        searching = row >= 0 and (
            keys[row, 0] != a or keys[row, 1] != b or keys[row, 2] != c or keys[row, 3] != d
        )
        if searching:
            slot = (slot + 1) & size
    return int(slot)


@njit(cache=True, nogil=True)
def free_slots(entries: int) -> Ids:
    """Empty hash table with room for some entries."""
    size = 64
    while size < 2 * entries:
        size *= 2
    return np.full(size, -1, dtype=np.int32)
