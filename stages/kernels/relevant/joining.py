"""Join the rows of several sets sentence by sentence, compiled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import Rows


@njit(cache=True, nogil=True)
def _add_lengths(rows: Rows, first: Index, at: Ints, valued: Ints, binary: Ints) -> None:
    """Write the lengths of the rows of lists from `first` on, those of list i from at[i] on."""
    for i in range(len(at)):
        place = at[i]
        for j in range(rows.list_pointer[first + i], rows.list_pointer[first + i + 1]):
            valued[place] = rows.valued_pointer[j + 1] - rows.valued_pointer[j]
            binary[place] = rows.binary_pointer[j + 1] - rows.binary_pointer[j]
            place += 1


@njit(cache=True, nogil=True)
def _add_rows(rows: Rows, first: Index, at: Ints, joined: Rows) -> None:
    """Write the rows of lists from `first` on, those of list i from at[i] on; advance `at`."""
    for i in range(len(at)):
        for j in range(rows.list_pointer[first + i], rows.list_pointer[first + i + 1]):
            place = at[i]
            # entry by entry: slices would be arrays, made for each hypothesis
            joined.gain[place] = rows.gain[j]
            joined.text[place] = rows.text[j]
            to = joined.valued_pointer[place]
            for e in range(rows.valued_pointer[j], rows.valued_pointer[j + 1]):
                joined.valued_id[to] = rows.valued_id[e]
                joined.value[to] = rows.value[e]
                to += 1
            to = joined.binary_pointer[place]
            for e in range(rows.binary_pointer[j], rows.binary_pointer[j + 1]):
                joined.binary_id[to] = rows.binary_id[e]
                to += 1
            at[i] += 1


def joined_rows(sets: Sequence[Rows], first: int, last: int) -> Rows:
    """Return the rows of lists first:last of all sets: by sentence, then in the order of sets."""
    sizes = [np.diff(rows.list_pointer[first : last + 1]) for rows in sets]
    list_pointer = pointer_of(np.sum(sizes, axis=0))
    # lengths first: they say where each row's entries begin
    n = int(list_pointer[-1])
    length = np.empty((2, n), np.int64)
    at = list_pointer[:-1].copy()
    for rows, size in zip(sets, sizes, strict=True):
        _add_lengths(rows, first, at, length[0], length[1])
        at += size
    valued, binary = pointer_of(length[0]), pointer_of(length[1])
    joined = Rows(
        list_pointer,
        valued,
        np.empty(valued[-1], np.int32),
        np.empty(valued[-1]),
        binary,
        np.empty(binary[-1], np.int32),
        np.empty(n),
        np.empty(n, np.uint64),
    )
    at = list_pointer[:-1].copy()  # from the beginning again
    for rows in sets:
        _add_rows(rows, first, at, joined)
    return joined
