"""Turn lists as they are stored into rows of one form (records.Rows), compiled."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints, Words64
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index, Lists
from campanula.stages.kernels.relevant.records import Rows

VALUED, BINARY = range(2)  # kinds of entries, in this order of lengths, pointers and places


@njit(cache=True, nogil=True)
def _row_lengths(lists: Lists, valued: Ints, binary: Ints) -> None:
    """Count the entries of each hypothesis (n_hyps,): those of value 1, and others but 0."""
    for i in range(len(lists.list_pointer) - 1):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        place = lists.dense_start[i]  # a dense feature's values of a list stand side by side
        for _ in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
            for j in range(first, last):
                value = lists.dense[place]
                binary[j] += value == 1.0
                valued[j] += value != 1.0 and value != 0.0
                place += 1
    for j in range(len(binary)):
        for e in range(lists.sparse_pointer[j], lists.sparse_pointer[j + 1]):
            value = lists.sparse_value[e]
            binary[j] += value == 1.0
            valued[j] += value != 1.0 and value != 0.0
        binary[j] += lists.binary_pointer[j + 1] - lists.binary_pointer[j]


@njit(cache=True, nogil=True)
def _put(rows: Rows, at: Ints, j: Index, feature: Index, value: float) -> None:
    """Write an entry to row j; at (n_hyps, 2): the next places of its valued and binary entries."""
    if value == 1.0:
        rows.binary_id[at[j, BINARY]] = feature
        at[j, BINARY] += 1
    elif value != 0.0:
        rows.valued_id[at[j, VALUED]] = feature
        rows.value[at[j, VALUED]] = value
        at[j, VALUED] += 1


@njit(cache=True, nogil=True)
def _fill(lists: Lists, rows: Rows, at: Ints) -> None:
    """Write all entries in the order in which the lists have them."""
    for i in range(len(lists.list_pointer) - 1):
        place = lists.dense_start[i]
        for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
            for j in range(lists.list_pointer[i], lists.list_pointer[i + 1]):
                _put(rows, at, j, lists.dense_id[k], lists.dense[place])
                place += 1
    for j in range(len(at)):
        for e in range(lists.sparse_pointer[j], lists.sparse_pointer[j + 1]):
            _put(rows, at, j, lists.sparse_id[e], lists.sparse_value[e])
        for e in range(lists.binary_pointer[j], lists.binary_pointer[j + 1]):
            _put(rows, at, j, lists.binary_id[e], 1.0)


@njit(cache=True, nogil=True)
def _ascends(ids: Ids) -> bool:
    # most rows do ascend, and this is far quicker than to sort them
    ascends = True
    for e in range(1, len(ids)):
        ascends &= ids[e] >= ids[e - 1]
    return ascends


@njit(cache=True, nogil=True)
def _sort(rows: Rows) -> None:
    """Sort the entries of every row by id."""
    for j in range(len(rows.gain)):
        own = rows.binary_id[rows.binary_pointer[j] : rows.binary_pointer[j + 1]]
        if not _ascends(own):
            own[:] = np.sort(own)  # all of value 1: there is nothing else to move
        own = rows.valued_id[rows.valued_pointer[j] : rows.valued_pointer[j + 1]]
        if not _ascends(own):
            value = rows.value[rows.valued_pointer[j] : rows.valued_pointer[j + 1]]
            order = np.argsort(own)
            own[:] = own[order]
            value[:] = value[order]


def rows_of(lists: Lists, gain: Floats, text: Words64) -> Rows:
    """Return the rows of lists with these gains and hashes of texts (n_hyps,)."""
    n = lists.n_hyps
    length = np.zeros((2, n), np.int64)
    _row_lengths(lists, length[VALUED], length[BINARY])
    pointer = np.zeros((2, n + 1), np.int64)
    np.cumsum(length, axis=1, out=pointer[:, 1:])
    n_valued, n_binary = pointer[:, -1].tolist()
    rows = Rows(
        np.array(lists.list_pointer),
        pointer[VALUED],
        np.empty(n_valued, np.int32),
        np.empty(n_valued),
        pointer[BINARY],
        np.empty(n_binary, np.int32),
        gain,
        text,
    )
    # a copy by hypothesis: _fill moves the places on, and the pointers must stay
    _fill(lists, rows, np.ascontiguousarray(pointer[:, :-1].T))
    _sort(rows)
    return rows
