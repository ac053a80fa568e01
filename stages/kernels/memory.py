"""Arrays that grow, a heap and hash tables for the kernels.

Arrays grow as those of formats/arrays/growing.py; the hash functions are those of formats/arrays,
compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays import hashing
from campanula.formats.arrays.columns import STATE, WORD
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.wide import wide

ROOM = 1024  # rows that arrays which grow have at first

_PLAIN: Any = {"cache": True, "nogil": True}
transition_home = njit(**_PLAIN, inline="always")(hashing.transition_home)
rolled = njit(**_PLAIN)(hashing.rolled)
spelled = njit(**_PLAIN, inline="always")(hashing.spelled)
mixed_key = njit(**_PLAIN, inline="always")(hashing.mixed_key)


@njit(cache=True, nogil=True)
def grown(array: NDArray[Any], size: int) -> Any:
    """Return the array if it has `size` rows, else a copy with twice as many (formats/arrays)."""
    larger = array
    if size > array.shape[0]:
        # twice what is asked for, so that n entries are copied O(n) times in all
        fresh = np.empty((2 * size, *array.shape[1:]), dtype=array.dtype)
        # entry by entry: assigning a slice compiles to much more code, which every command
        # would load for each kind of array
        new, old = fresh.ravel(), array.ravel()
        for i in range(old.shape[0]):
            new[i] = old[i]
        larger = fresh
    return larger


@njit(cache=True, nogil=True)
def sift_down(priority: Floats, cell: Ints, size: int, value: float, item: int) -> None:
    """Replace the top of a heap of `size` items; the highest priority is on top."""
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and priority[child + 1] > priority[child]:
            child += 1
        if priority[child] <= value:
            break
        # the hole moves, and the item is written once, where the hole stops
        priority[place], cell[place] = priority[child], cell[child]
        place = child
    priority[place] = value
    cell[place] = item


@njit(cache=True, nogil=True)
def sift_up(priority: Floats, cell: Ints, size: int, value: float, item: int) -> None:
    """Add an item to a heap of `size` items; the arrays are longer than that."""
    place = size
    while place > 0:
        parent = (place - 1) >> 1
        if priority[parent] >= value:
            break
        priority[place], cell[place] = priority[parent], cell[parent]
        place = parent
    priority[place] = value
    cell[place] = item


@njit(cache=True, nogil=True)
def find_slot(slots: Ids, keys: Ints, a: int, b: int, c: int, d: int) -> int:
    """Slot of the key (a, b, c, d) in a hash table of row numbers, or the free slot for it."""
    size = slots.shape[0] - 1
    slot = (mixed_key(a, b, c, d) >> 20) & size  # the lower bits are mixed less
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
def find_row(slots: Ids, rows: Ids, wanted: int) -> int:
    """Slot of a row equal to rows[wanted] in a table of row numbers, or the free slot for it."""
    left, right = 0, 0
    for column in range(rows.shape[1]):
        left, right = rolled(left, right, wide(rows[wanted, column]))
    size = slots.shape[0] - 1
    slot = (mixed_key(left, right, 0, 0) >> 20) & size
    searching = True
    while searching:
        row = slots[slot]
        same = row >= 0
        for column in range(rows.shape[1]):
            same = same and rows[row, column] == rows[wanted, column]
        searching = row >= 0 and not same
        if searching:
            slot = (slot + 1) & size
    return int(slot)


@njit(cache=True, nogil=True, inline="always")
def find_transition(table: Ids, bits: int, state: int, word: int) -> int:
    """Slot of (state, word) in a table of transitions; a free slot if the table does not have it.

    The table is that of formats/model/hash_table.py.
    """
    # no wrap at the end: a free slot behind the last home slot ends every search
    slot = transition_home(state, word, bits)
    while table[slot, STATE] >= 0 and (table[slot, STATE] != state or table[slot, WORD] != word):
        slot += 1
    return int(slot)


@njit(cache=True, nogil=True)
def free_slots(entries: int) -> Ids:
    """Return an empty hash table for up to `entries` row numbers; -1 marks a free slot."""
    size = 64  # a power of two, so that `& (size - 1)` is the rest of a division
    while size < 2 * entries:  # at most half full: probes stay short, and always end
        size *= 2
    return np.full(size, -1, dtype=np.int32)
