"""Which features differ between the hypotheses of some list, compiled.

A feature that has one value all over each list has no slope under losses of score differences
within a list.  Floating point computes a small number instead of that 0, whose sign RPROP and
AdaGrad would follow.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Ids
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index, Lists

# Columns of `seen`: how many hypotheses have a feature, and its first entry.
COUNT, FIRST = range(2)


@njit(cache=True, nogil=True)
def mark_list(lists: Lists, i: Index, seen: Ids, varies: Flags) -> None:
    """Mark in varies (n_features,) every feature that is not the same all over list i.

    seen (n_features, 2) is working memory: zeros before the call, and zeros after it.
    """
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    size = last - first
    start = lists.dense_start[i]
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        for j in range(1, size):
            if lists.dense[start + j] != lists.dense[start]:
                varies[lists.dense_id[k]] = True
        start += size
    sparse = range(lists.sparse_pointer[first], lists.sparse_pointer[last])
    binary = range(lists.binary_pointer[first], lists.binary_pointer[last])
    for e in sparse:
        feature = lists.sparse_id[e]
        if seen[feature, COUNT] == 0:
            seen[feature, FIRST] = e - sparse.start
        seen[feature, COUNT] += 1
        if lists.sparse_value[e] != lists.sparse_value[sparse.start + seen[feature, FIRST]]:
            varies[feature] = True
    # before the binary features are counted: a feature of value 1 may be sparse in one hypothesis
    # and binary in another, and counts as varying then
    for e in sparse:
        if seen[lists.sparse_id[e], COUNT] < size:
            varies[lists.sparse_id[e]] = True
    for e in sparse:  # entry by entry: clearing all of `seen` would take n_features steps a list
        seen[lists.sparse_id[e], COUNT] = 0
    for e in binary:
        seen[lists.binary_id[e], COUNT] += 1
    for e in binary:
        if seen[lists.binary_id[e], COUNT] < size:
            varies[lists.binary_id[e]] = True
    for e in binary:
        seen[lists.binary_id[e], COUNT] = 0


@njit(cache=True, nogil=True)
def mark_varying(lists: Lists, varies: Flags) -> None:
    """Mark in varies (n_features,) every feature that is not the same all over each list."""
    seen = np.zeros((len(varies), 2), np.int32)
    for i in range(len(lists.list_pointer) - 1):
        mark_list(lists, i, seen, varies)
