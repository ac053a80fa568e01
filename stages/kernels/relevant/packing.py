"""Pack the rows of sentences into sets, compiled.

In a set, entries have codes: the features of each sentence are numbered from 0, so that a code
takes two bytes where an id takes four.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import Rows, Sets
from campanula.stages.kernels.shards.numbering import distinct

SENTENCES, HYPS, RARE, VALUED, BINARY = range(5)
"""Columns of a cursor (5,): how much of each array of packed sets is written."""


@njit(cache=True, nogil=True)
def _is_kept(kept: Flags, feature: Index) -> bool:
    return len(kept) == 0 or bool(kept[feature])


@njit(cache=True, nogil=True)
def _features(rows: Rows, i: Index, new: Flags, kept: Flags) -> Ids:
    """Return the ids of all entries of list i to pack: of each hypothesis valued, then binary."""
    # the order in which _pack_rows reads their codes
    first, last = rows.list_pointer[i], rows.list_pointer[i + 1]
    size = rows.valued_pointer[last] - rows.valued_pointer[first]
    size += rows.binary_pointer[last] - rows.binary_pointer[first]
    ids = np.empty(size, np.int32)
    n = 0
    for j in range(first, last):
        if not new[j]:
            continue
        for e in range(rows.valued_pointer[j], rows.valued_pointer[j + 1]):
            if _is_kept(kept, rows.valued_id[e]):
                ids[n] = rows.valued_id[e]
                n += 1
        for e in range(rows.binary_pointer[j], rows.binary_pointer[j + 1]):
            if _is_kept(kept, rows.binary_id[e]):
                ids[n] = rows.binary_id[e]
                n += 1
    return ids[:n]


@njit(cache=True, nogil=True)
def _pack_rows(
    rows: Rows, i: Index, new: Flags, kept: Flags, codes: Ids, sets: Sets, at: Ints
) -> None:
    """Write the new hypotheses of list i; codes (n_entries,): those of _features, in its order."""
    code = 0
    for j in range(rows.list_pointer[i], rows.list_pointer[i + 1]):
        if not new[j]:
            continue
        for e in range(rows.valued_pointer[j], rows.valued_pointer[j + 1]):
            if _is_kept(kept, rows.valued_id[e]):
                sets.valued_code[at[VALUED]] = codes[code]
                sets.value[at[VALUED]] = rows.value[e]
                at[VALUED] += 1
                code += 1
        for e in range(rows.binary_pointer[j], rows.binary_pointer[j + 1]):
            if _is_kept(kept, rows.binary_id[e]):
                sets.binary_code[at[BINARY]] = codes[code]
                at[BINARY] += 1
                code += 1
        sets.gain[at[HYPS]] = rows.gain[j]
        at[HYPS] += 1  # pointers have one entry more than rows: the end of this one is written
        sets.valued_pointer[at[HYPS]] = at[VALUED]
        sets.binary_pointer[at[HYPS]] = at[BINARY]


@njit(cache=True, nogil=True)
def _highest(gain: Floats) -> int:
    """Return the place of the highest gain, the first of equals."""
    place = 0
    for j in range(1, len(gain)):
        if gain[j] > gain[place]:
            place = j
    return place


@njit(cache=True, nogil=True)
def pack(
    rows: Rows,
    truths: Ids,
    new: Flags,
    kept: Flags,
    count: Ids,
    widest: int,
    sets: Sets,
    at: Ints,
) -> int:
    """Append lists to sets, whose arrays have room; at (5,) is the cursor.

    truths (n_lists,): how many of a list's first hypotheses are truths; new (n_hyps,): which
    hypotheses to pack; kept (n_features,), or (0,) for all: which features to pack.  count
    (n_features,) is increased by the number of lists that have each feature.  All ids are written
    to sets.rare; places.py replaces them by places.

    Returns -1, or the number of the first list that has more than `widest` distinct features; it
    and later lists are not packed.
    """
    for i in range(len(truths)):
        first = rows.list_pointer[i]
        table, codes = distinct(_features(rows, i, new, kept))
        if len(table) > widest:  # its codes would not fit the type of the sets'
            return i
        for feature in table:
            count[feature] += 1
        sets.rare[at[RARE] : at[RARE] + len(table)] = table
        at[RARE] += len(table)
        start = at[HYPS]
        _pack_rows(rows, i, new, kept, codes, sets, at)
        n_truths = 0  # those that are packed: equal ones are not new
        for j in range(first, first + truths[i]):
            n_truths += new[j]
        sets.truths[at[SENTENCES]] = n_truths
        end = start + n_truths if n_truths else at[HYPS]
        sets.best[at[SENTENCES]] = _highest(sets.gain[start:end])
        at[SENTENCES] += 1
        sets.pointer[at[SENTENCES]] = at[HYPS]
        sets.rare_pointer[at[SENTENCES]] = at[RARE]
    return -1
