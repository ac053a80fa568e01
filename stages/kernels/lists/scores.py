"""Scores of hypotheses, s_ij = theta . f_ij, and sums of their features, compiled.

The scores of a list are built feature by feature, which is vectorised without changing the order
of any sum: dense features, then sparse, then binary ones.  The stages of tuning, impute-hope and
rerank score with these, so that they break ties alike.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.lists import Index, Lists


@njit(cache=True, nogil=True)
def all_dense(lists: Lists, first: Index, last: Index) -> bool:
    """Whether hypotheses first to last have no sparse and no binary features."""
    sparse = lists.sparse_pointer[last] - lists.sparse_pointer[first]
    return bool(sparse + lists.binary_pointer[last] - lists.binary_pointer[first] == 0)


@njit(cache=True, nogil=True)
def add_rest(lists: Lists, i: Index, theta: Floats, out: Floats) -> None:
    """Add the sparse, then the binary features of the hypotheses of list i to their scores."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    if all_dense(lists, first, last):
        return
    if lists.sparse_pointer[last] > lists.sparse_pointer[first]:
        for j in range(last - first):
            for e in range(lists.sparse_pointer[first + j], lists.sparse_pointer[first + j + 1]):
                out[j] += theta[lists.sparse_id[e]] * lists.sparse_value[e]
    start = lists.binary_pointer[first]
    for j in range(last - first):
        total, end = out[j], lists.binary_pointer[first + j + 1]
        for e in range(start, end):
            total += theta[lists.binary_id[e]]
        out[j], start = total, end


@njit(cache=True, nogil=True)
def score_list(lists: Lists, i: Index, theta: Floats, out: Floats) -> None:
    """Write theta . f of the hypotheses of list i to out (n_i,): dense, sparse, binary in order."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    size = last - first
    out[:] = 0.0
    start = lists.dense_start[i]
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        weight = theta[lists.dense_id[k]]
        column = lists.dense[start : start + size]
        for j in range(size):
            out[j] += weight * column[j]
        start += size
    add_rest(lists, i, theta, out)


@njit(cache=True, nogil=True)
def score_list_twice(
    lists: Lists, i: Index, one: Floats, other: Floats, out: Floats, other_out: Floats
) -> None:
    """What score_list writes for each of two thetas, to the last bit, in one pass over the list."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    size = last - first
    out[:] = 0.0
    other_out[:] = 0.0
    start = lists.dense_start[i]
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        weight, other_weight = one[lists.dense_id[k]], other[lists.dense_id[k]]
        column = lists.dense[start : start + size]
        for j in range(size):
            out[j] += weight * column[j]
            other_out[j] += other_weight * column[j]
        start += size
    add_rest(lists, i, one, out)
    add_rest(lists, i, other, other_out)


@njit(cache=True, nogil=True)
def score_lists(lists: Lists, theta: Floats) -> Floats:
    """Scores (n_hyps,) of all hypotheses under theta (n_features,)."""
    out = np.empty(lists.list_pointer[-1])
    for i in range(len(lists.list_pointer) - 1):
        score_list(lists, i, theta, out[lists.list_pointer[i] : lists.list_pointer[i + 1]])
    return out


@njit(cache=True, nogil=True)
def add_row(lists: Lists, i: Index, j: Index, scale: float, free: Floats, theta: Floats) -> None:
    """theta += scale * free * f of hypothesis j of list i; free (n_features,) is 1 or 0."""
    first = lists.list_pointer[i]
    size = lists.list_pointer[i + 1] - first
    place = lists.dense_start[i] + j
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        theta[lists.dense_id[k]] += scale * free[lists.dense_id[k]] * lists.dense[place]
        place += size
    for e in range(lists.sparse_pointer[first + j], lists.sparse_pointer[first + j + 1]):
        theta[lists.sparse_id[e]] += scale * free[lists.sparse_id[e]] * lists.sparse_value[e]
    for e in range(lists.binary_pointer[first + j], lists.binary_pointer[first + j + 1]):
        theta[lists.binary_id[e]] += scale * free[lists.binary_id[e]]


@njit(cache=True, nogil=True)
def add_rows(lists: Lists, i: Index, scale: float, g: Floats, theta: Floats) -> None:
    """theta += scale * F_i^T g for coefficients g (n_i,)."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    size = last - first
    start = lists.dense_start[i]
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        column = lists.dense[start : start + size]
        # four sums side by side, always in this order: the same bits, four times the speed
        a = b = c = d = 0.0
        for j in range(0, size - 3, 4):
            a += g[j] * column[j]
            b += g[j + 1] * column[j + 1]
            c += g[j + 2] * column[j + 2]
            d += g[j + 3] * column[j + 3]
        for j in range(size - size % 4, size):
            a += g[j] * column[j]
        theta[lists.dense_id[k]] += scale * ((a + b) + (c + d))
        start += size
    if all_dense(lists, first, last):
        return
    if lists.sparse_pointer[last] > lists.sparse_pointer[first]:
        for j in range(size):
            step = scale * g[j]
            for e in range(lists.sparse_pointer[first + j], lists.sparse_pointer[first + j + 1]):
                theta[lists.sparse_id[e]] += step * lists.sparse_value[e]
    start = lists.binary_pointer[first]
    for j in range(size):
        step, end = scale * g[j], lists.binary_pointer[first + j + 1]
        if step != 0.0:
            for e in range(start, end):
                theta[lists.binary_id[e]] += step
        start = end
