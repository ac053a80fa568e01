"""Find the hypotheses of a sentence that equal no earlier one, compiled.

A relevant set is a set: a hypothesis that equals an earlier member, in text, gain and features, is
not added again.  Texts are compared by 64-bit hashes, all else exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.inventory.fingerprints import mixed_in
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.memory import free_slots
from campanula.stages.kernels.relevant.records import Rows
from campanula.stages.kernels.wide import wide

FREE = -1


@njit(cache=True, nogil=True)
def hash_of(rows: Rows, j: Index) -> Any:
    """Return a hash of the text, ids and values of hypothesis j.

    With the ids alone, all derivations of one text would want one slot of the table.
    """
    mixed: Any = rows.text[j]
    bits = rows.value.view(np.uint64)
    for e in range(rows.binary_pointer[j], rows.binary_pointer[j + 1]):
        mixed = mixed_in(mixed, np.uint64(rows.binary_id[e]))
    for e in range(rows.valued_pointer[j], rows.valued_pointer[j + 1]):
        mixed = mixed_in(mixed, np.uint64(rows.valued_id[e]))
        if rows.value[e] != 0.0:  # 0.0 and -0.0 are equal and have different bits
            mixed = mixed_in(mixed, bits[e])
    return mixed


@njit(cache=True, nogil=True)
def _same(pointer: Ints, column: Any, j: Index, other: Index) -> bool:
    """Whether rows j and other of a column have the same length and entries."""
    own, others = column[pointer[j] : pointer[j + 1]], column[pointer[other] : pointer[other + 1]]
    return bool(np.array_equal(own, others))


@njit(cache=True, nogil=True)
def _equal(rows: Rows, j: Index, other: Index) -> bool:
    """Whether two hypotheses are equal in text, gain and features."""
    # the cheap columns first: most hypotheses differ in these already
    if rows.text[j] != rows.text[other] or rows.gain[j] != rows.gain[other]:
        return False
    return bool(
        _same(rows.binary_pointer, rows.binary_id, j, other)
        and _same(rows.valued_pointer, rows.valued_id, j, other)
        and _same(rows.valued_pointer, rows.value, j, other)
    )


@njit(cache=True, nogil=True)
def _is_new(rows: Rows, slots: Ids, first: Index, j: Index, end: Index, apart: bool) -> bool:
    """Whether hypothesis j equals none in the hash table; if so, add it to the table.

    Truths, which stand before `end`, are compared with truths alone, and alternatives with
    alternatives, unless `apart`: then each is compared with all.
    """
    last = len(slots) - 1
    slot = wide(hash_of(rows, j) & np.uint64(last))
    while slots[slot] != FREE:
        other = first + slots[slot]
        if (apart or (other < end) == (j < end)) and _equal(rows, j, other):
            return False
        slot = (slot + 1) & last
    slots[slot] = j - first  # place in the list: the table has 32 bits, hypotheses may have more
    return True


@njit(cache=True, nogil=True)
def mark_new(rows: Rows, truths: Ids, apart: bool, new: Flags) -> None:
    """Mark in new (n_hyps,) the hypotheses that equal no earlier one among truths or alternatives.

    The first truths[i] hypotheses of list i are truths.  apart: an alternative that equals a truth
    is not new either.
    """
    for i in range(len(truths)):
        first, last = rows.list_pointer[i], rows.list_pointer[i + 1]
        slots = free_slots(last - first)
        for j in range(first, last):
            new[j] = _is_new(rows, slots, first, j, first + truths[i], apart)


@njit(cache=True, nogil=True)
def leave_best(rows: Rows, truths: Ids, new: Flags) -> None:
    """Of the marked truths of each list leave only the first of the highest gain marked.

    Updates with one truth read no other.  truths (n_lists,) as in mark_new; new (n_hyps,).
    """
    for i in range(len(truths)):
        first = rows.list_pointer[i]
        best = first
        for j in range(first, first + truths[i]):
            if rows.gain[j] > rows.gain[best]:  # the first of equals is never marked as a copy
                best = j
        for j in range(first, first + truths[i]):
            new[j] &= j == best
