"""Which hypotheses of a sentence are like none before them, compiled.

A relevant set is a set: what equals an earlier member, in text, gain and features, is not added
again.  Texts are compared by 64-bit hashes, all else exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import Rows

STEP = np.uint64(0xBF58476D1CE4E5B9)  # as in fingerprints of names
BITS_32 = np.uint64(32)
FREE = -1


@njit(cache=True, nogil=True)
def hash_of(rows: Rows, j: Index) -> Any:
    """A hash of the text, ids and values of hypothesis j.

    Without the values all derivations of one text would be in one place of a table.
    """
    mixed, bits = rows.text[j], rows.value.view(np.uint64)
    for e in range(rows.binary_pointer[j], rows.binary_pointer[j + 1]):
        mixed = (mixed ^ np.uint64(rows.binary_id[e])) * STEP
        mixed ^= mixed >> BITS_32
    for e in range(rows.valued_pointer[j], rows.valued_pointer[j + 1]):
        mixed = (mixed ^ np.uint64(rows.valued_id[e])) * STEP
        mixed ^= mixed >> BITS_32
        if rows.value[e] != 0.0:  # 0.0 and -0.0 are equal and have different bits
            mixed = (mixed ^ bits[e]) * STEP
            mixed ^= mixed >> BITS_32
    return mixed


@njit(cache=True, nogil=True)
def _same(pointer: Ints, column: Any, j: Index, other: Index) -> bool:
    """Whether rows j and other of a column are as long, and equal."""
    own, others = column[pointer[j] : pointer[j + 1]], column[pointer[other] : pointer[other + 1]]
    return bool(np.array_equal(own, others))


@njit(cache=True, nogil=True)
def _equal(rows: Rows, j: Index, other: Index) -> bool:
    """Whether two hypotheses are one."""
    if rows.text[j] != rows.text[other] or rows.gain[j] != rows.gain[other]:
        return False
    return bool(
        _same(rows.binary_pointer, rows.binary_id, j, other)
        and _same(rows.valued_pointer, rows.valued_id, j, other)
        and _same(rows.valued_pointer, rows.value, j, other)
    )


@njit(cache=True, nogil=True)
def _is_new(rows: Rows, slots: Ids, first: Index, j: Index, end: Index, apart: bool) -> bool:
    """Whether hypothesis j is like none in the hash table, which it is put into then.

    Truths, which stand before `end`, are compared with truths, and, if they are to be apart, with
    alternatives as well.
    """
    last = len(slots) - 1
    slot = np.int64(hash_of(rows, j) & np.uint64(last))
    while slots[slot] != FREE:
        other = first + slots[slot]
        if (apart or (other < end) == (j < end)) and _equal(rows, j, other):
            return False
        slot = (slot + 1) & last
    slots[slot] = j - first
    return True


@njit(cache=True, nogil=True)
def mark_new(rows: Rows, truths: Ids, apart: bool, new: Flags) -> None:
    """Mark in new (n_hyps,) what is like none before it among truths, or among alternatives.

    The first truths[i] hypotheses of list i are truths.  apart: an alternative is not like a truth.
    """
    for i in range(len(truths)):
        first, last = rows.list_pointer[i], rows.list_pointer[i + 1]
        size = 4
        while size < 2 * (last - first):
            size *= 2
        slots = np.full(size, FREE, np.int32)
        for j in range(first, last):
            new[j] = _is_new(rows, slots, first, j, first + truths[i], apart)


@njit(cache=True, nogil=True)
def leave_best(rows: Rows, truths: Ids, new: Flags) -> None:
    """Of the truths of each list that are marked leave the first of the highest gain marked.

    Updates with one truth read no other.  truths (n_lists,) as in mark_new; new (n_hyps,).
    """
    for i in range(len(truths)):
        first = rows.list_pointer[i]
        best = first
        for j in range(first, first + truths[i]):
            if rows.gain[j] > rows.gain[best]:
                best = j
        for j in range(first, first + truths[i]):
            new[j] &= j == best
