"""How often features fire in each hypothesis."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit


@njit(cache=True, nogil=True)
def count_rows(hyp: Ints, ids: Ids, n: int) -> tuple[Ints, Ints, Floats]:
    """Return the features of n hypotheses as compressed rows, ids ascending.

    hyp, ids (m,): hypothesis and id of each feature that fires; negative ids are left out.  The
    rows are pointer (n + 1,), a place among the m for each distinct feature, and its count.
    """
    # a counting sort by hypothesis, then a sort of each short row
    start = np.zeros(n + 1, np.int64)
    for x in range(len(ids)):
        if ids[x] >= 0:
            start[hyp[x] + 1] += 1
    for h in range(n):
        start[h + 1] += start[h]
    fill = start[:-1].copy()
    place = np.empty(start[-1], np.int64)
    for x in range(len(ids)):
        if ids[x] >= 0:
            place[fill[hyp[x]]] = x
            fill[hyp[x]] += 1
    value = np.zeros(len(place))
    pointer = np.zeros(n + 1, np.int64)
    size = 0
    for h in range(n):
        sort_by_id(place, start[h], start[h + 1], ids)
        for k in range(start[h], start[h + 1]):
            x = place[k]
            # the result is written over the places read before: it is never longer than they are
            if size == pointer[h] or ids[place[size - 1]] != ids[x]:
                place[size] = x
                size += 1
            value[size - 1] += 1.0
        pointer[h + 1] = size
    return pointer, place[:size], value[:size]


@njit(**LEAN)
def sort_by_id(place: Ints, begin: int, end: int, ids: Ids) -> None:
    """Sort places from begin to end by their ids (Shell 1959, with gaps of Gonnet's ratio)."""
    # in place: NumPy's sorts allocate, and compile to much more code
    gap = 1
    while gap < (end - begin) // 2:
        gap = gap * 11 // 5 + 1
    while gap > 0:
        for k in range(begin + gap, end):
            x = place[k]
            at = k
            while at - gap >= begin and ids[place[at - gap]] > ids[x]:
                place[at] = place[at - gap]
                at -= gap
            place[at] = x
        gap = 0 if gap == 1 else max(gap * 5 // 11, 1)
