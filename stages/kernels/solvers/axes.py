"""Directions of a line search as pieces: a list and the slopes of its hypotheses along an axis.

The axis of a sparse feature changes few lists; the others keep their winners.  The index of pieces
is made once.  Bytes: 8 a dense entry (padded), 12 a sparse or binary one, 48 a feature of a list, 8
a feature.  Envelopes take at most 12 more an entry; only memory of lines on them is ever touched.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.solvers.envelope import PAD


class Pieces(NamedTuple):
    """Slopes of lists along axes, list by list; slopes that are all equal have no piece.

    The pieces of list i are list_pieces[i]:list_pieces[i + 1], those of axis k are
    of_axis[axis_pointer[k]:axis_pointer[k + 1]].  Piece p has slopes from column[start[p]] on, or,
    if it has entries e in entry[p]:entry[p + 1], value[e] for hypotheses place[e] of the list and 0
    for all others; low[p] and high[p] are its least and greatest slope.  List i has the padded rows
    pad[i]:pad[i + 1], and its dense features, free or not, in their order from column[dense[i]] on.
    All envelopes together have at most most_lines lines.
    """

    list: Ids
    axis: Ids
    list_pieces: Ints
    axis_pointer: Ints
    of_axis: Ints
    start: Ints
    column: Floats
    dense: Ints
    entry: Ints
    place: Ids
    value: Floats
    low: Floats
    high: Floats
    pad: Ints
    most_lines: int


class Envelopes(NamedTuple):
    """The envelopes of all pieces at one theta; that of piece p is line[begin[p]:begin[p + 1]].

    A line is a place in its list; at x the envelope changes from a line to the next one.
    """

    begin: Ints
    line: Ids
    x: Floats


def padded(list_pointer: Ints) -> Ints:
    """Pointers (n_lists + 1,) to lists padded to multiples of PAD rows."""
    size = -(-np.diff(list_pointer) // PAD) * PAD
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])


@njit(**LEAN)
def spread(pieces: Pieces, p: int, slope: Floats) -> None:
    """Write the slopes of a piece that has entries, padded with 0, to the start of slope."""
    i = pieces.list[p]
    for j in range(pieces.pad[i + 1] - pieces.pad[i]):
        slope[j] = 0.0
    for e in range(pieces.entry[p], pieces.entry[p + 1]):
        slope[pieces.place[e]] = pieces.value[e]


@njit(cache=True, nogil=True)
def _entries(lists: Lists, i: int, free: Flags) -> tuple[Ids, Ids, Floats]:
    """Sparse and binary entries of free features of list i: ids, places, values, row by row."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    size = lists.sparse_pointer[last] - lists.sparse_pointer[first]
    size += lists.binary_pointer[last] - lists.binary_pointer[first]
    ids = np.empty(size, np.int32)
    place = np.empty(size, np.int32)
    value = np.empty(size)
    n = 0
    for j in range(first, last):
        for e in range(lists.sparse_pointer[j], lists.sparse_pointer[j + 1]):
            if free[lists.sparse_id[e]]:
                ids[n] = lists.sparse_id[e]
                place[n] = j - first
                value[n] = lists.sparse_value[e]
                n += 1
        for e in range(lists.binary_pointer[j], lists.binary_pointer[j + 1]):
            if free[lists.binary_id[e]]:
                ids[n] = lists.binary_id[e]
                place[n] = j - first
                value[n] = 1.0
                n += 1
    return ids[:n], place[:n], value[:n]


@njit(cache=True, nogil=True)
def _copy_dense(lists: Lists, i: int, pieces: Pieces, at: int) -> int:
    """Copy the dense columns of list i, padded, to column[at:]; return their end."""
    size = lists.list_pointer[i + 1] - lists.list_pointer[i]
    width = pieces.pad[i + 1] - pieces.pad[i]
    start = lists.dense_start[i]
    for _ in range(lists.dense_pointer[i + 1] - lists.dense_pointer[i]):
        pieces.column[at : at + size] = lists.dense[start : start + size]
        pieces.column[at + size : at + width] = 0.0
        start += size
        at += width
    return at


@njit(cache=True, nogil=True)
def _add_dense(place: Ids, value: Floats, group: Ints, pieces: Pieces, p: int, at: int) -> None:
    """Make piece p of the padded column at `at`; add the entries `group` of its feature."""
    for e in group:
        pieces.column[at + place[e]] += value[e]
    pieces.start[p] = at
    pieces.entry[p + 1] = pieces.entry[p]


@njit(cache=True, nogil=True)
def _set_reach(pieces: Pieces, p: int, size: int) -> bool:
    """Set the least and greatest slope of a piece that is a column; return whether they differ."""
    at = pieces.start[p]
    low = high = pieces.column[at]
    for j in range(1, size):
        low, high = min(low, pieces.column[at + j]), max(high, pieces.column[at + j])
    pieces.low[p], pieces.high[p] = low, high
    return bool(low < high)


@njit(cache=True, nogil=True)
def _add_sparse(place: Ids, value: Floats, group: Ints, pieces: Pieces, p: int, size: int) -> None:
    """Make piece p of the entries `group`, places ascending, of a list of `size` hypotheses."""
    end = pieces.entry[p]
    for e in group:
        # a hypothesis may have a feature twice, sparse and binary: its slope is the sum of both
        if end > pieces.entry[p] and pieces.place[end - 1] == place[e]:
            pieces.value[end - 1] += value[e]
            continue
        pieces.place[end], pieces.value[end] = place[e], value[e]
        end += 1
    low = high = pieces.value[pieces.entry[p]]
    for e in range(pieces.entry[p] + 1, end):
        low, high = min(low, pieces.value[e]), max(high, pieces.value[e])
    if end - pieces.entry[p] < size:  # some hypothesis has no entry, and slope 0
        low, high = min(low, 0.0), max(high, 0.0)
    pieces.start[p] = -1
    pieces.low[p] = low
    pieces.high[p] = high
    pieces.entry[p + 1] = end


@njit(cache=True, nogil=True)
def _fill(lists: Lists, free: Flags, pieces: Pieces) -> tuple[int, int]:
    """Write all pieces; return their number, and how many lines their envelopes have at most."""
    p, at, most_lines = 0, 0, 0
    pieces.entry[0] = 0
    dense_in = np.full(len(free), -1, np.int64)  # the last list in which a feature is dense
    for i in range(len(lists.list_pointer) - 1):
        pieces.list_pieces[i] = p
        pieces.dense[i] = at
        size = lists.list_pointer[i + 1] - lists.list_pointer[i]
        width = pieces.pad[i + 1] - pieces.pad[i]
        at = _copy_dense(lists, i, pieces, at)
        ids, place, value = _entries(lists, i, free)
        # a stable sort: the entries of one feature stay in the order of the hypotheses
        order = np.argsort(ids, kind="mergesort")
        ids = ids[order]
        for d in range(lists.dense_pointer[i + 1] - lists.dense_pointer[i]):
            k = lists.dense_id[lists.dense_pointer[i] + d]
            if not free[k]:
                continue
            dense_in[k] = i
            own = pieces.dense[i] + d * width
            group = order[np.searchsorted(ids, k) : np.searchsorted(ids, k, "right")]
            if len(group):  # in a copy: scores are built from the column without the entries
                pieces.column[at : at + width] = pieces.column[own : own + width]
                own, at = at, at + width
            _add_dense(place, value, group, pieces, p, own)
            if _set_reach(pieces, p, size):
                pieces.list[p] = i
                pieces.axis[p] = k
                p += 1
                most_lines += size
        first = 0
        while first < len(ids):
            k = ids[first]
            last = first + 1
            while last < len(ids) and ids[last] == k:
                last += 1
            if dense_in[k] != i:  # else its entries are in the dense feature's piece
                _add_sparse(place, value, order[first:last], pieces, p, size)
                if pieces.low[p] < pieces.high[p]:
                    pieces.list[p] = i
                    pieces.axis[p] = k
                    # of all hypotheses without an entry, one line at most is on the envelope
                    most_lines += min(size, pieces.entry[p + 1] - pieces.entry[p] + 1)
                    p += 1
            first = last
    pieces.list_pieces[len(lists.list_pointer) - 1] = p
    return p, most_lines


def _column_capacity(lists: Lists, pad: Ints) -> int:
    """Most numbers that padded columns take: dense ones, and copies of them with entries added."""
    ends = lists.list_pointer
    n_entries = np.diff(lists.sparse_pointer[ends]) + np.diff(lists.binary_pointer[ends])
    n_dense = np.diff(lists.dense_pointer)
    return int((n_dense + np.minimum(n_dense, n_entries)) @ np.diff(pad))


def index(lists: Lists, free: Flags) -> Pieces:
    """Pieces of the axes of all features that are free (n_features,)."""
    pad = padded(lists.list_pointer)
    n_features = len(free)
    n_entries = int(free[lists.sparse_id].sum() + free[lists.binary_id].sum())
    most = len(lists.dense_id) + n_entries
    pieces = Pieces(
        list=np.empty(most + 1, np.int32),
        axis=np.empty(most + 1, np.int32),
        list_pieces=np.empty(lists.n_lists + 1, np.int64),
        axis_pointer=np.zeros(0, np.int64),
        of_axis=np.zeros(0, np.int64),
        start=np.empty(most + 1, np.int64),
        column=np.empty(_column_capacity(lists, pad)),
        dense=np.empty(lists.n_lists, np.int64),
        entry=np.empty(most + 2, np.int64),
        place=np.empty(n_entries, np.int32),
        value=np.empty(n_entries),
        low=np.empty(most + 1),
        high=np.empty(most + 1),
        pad=pad,
        most_lines=0,
    )
    n, most_lines = _fill(lists, free, pieces)
    n_entries = pieces.entry[n]
    of_axis = np.argsort(pieces.axis[:n], kind="stable")
    # copies, so that the longer arrays are freed
    short = {
        key: getattr(pieces, key)[:n].copy() for key in ("list", "axis", "start", "low", "high")
    }
    return pieces._replace(
        axis_pointer=np.searchsorted(pieces.axis[of_axis], np.arange(n_features + 1)),
        of_axis=of_axis,
        entry=pieces.entry[: n + 1].copy(),
        most_lines=most_lines,
        place=pieces.place[:n_entries].copy(),
        value=pieces.value[:n_entries].copy(),
        **short,
    )


@njit(**LEAN)
def _add_squares(pieces: Pieces, list_pointer: Ints, total: Floats) -> None:
    """Add to total (n_axes,) the squared distances of slopes from their lists' means."""
    for p in range(len(pieces.list)):
        i, start = pieces.list[p], pieces.start[p]
        size = list_pointer[i + 1] - list_pointer[i]
        slopes = pieces.column[start : start + size]
        if start < 0:  # a piece of entries
            slopes = pieces.value[pieces.entry[p] : pieces.entry[p + 1]]
        mean = 0.0
        for value in slopes:
            mean += value / size
        # hypotheses without an entry have slope 0, and squared distance mean^2
        square = (size - len(slopes)) * mean * mean
        for value in slopes:
            square += (value - mean) * (value - mean)
        total[pieces.axis[p]] += square


def spreads(pieces: Pieces, list_pointer: Ints) -> Floats:
    """Spreads (n_axes,) of slopes within lists: sqrt of the mean of (slope - mean_i)^2."""
    total = np.zeros(len(pieces.axis_pointer) - 1)
    _add_squares(pieces, list_pointer, total)
    mean: Floats = total / list_pointer[-1]
    return np.sqrt(mean)


def envelopes(pieces: Pieces) -> Envelopes:
    """Return arrays for the envelopes of all pieces, each of which has no line yet."""
    size = pieces.most_lines
    begin = np.zeros(len(pieces.list) + 1, np.int64)
    return Envelopes(begin, np.empty(size, np.int32), np.empty(size))
