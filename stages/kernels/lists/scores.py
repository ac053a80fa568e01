"""Scores of hypotheses, s_ij = theta . f_ij, and sums of their features, compiled.

The scores of a list are built feature by feature, which is vectorised without changing the order
of any sum: dense features, then sparse, then binary ones.  The stages of tuning, impute-hope and
rerank score with these, so that they break ties alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit, prefetch
from campanula.stages.kernels.lists.lists import Index, Lists

Weight = Any  # a number, such as an element of Floats

CACHE_LINE = 8  # numbers of 8 bytes in the 64 bytes that a prefetch loads


@njit(**LEAN)
def all_dense(lists: Lists, first: Index, last: Index) -> bool:
    """Whether hypotheses first to last have no sparse and no binary features."""
    sparse = lists.sparse_pointer[last] - lists.sparse_pointer[first]
    return bool(sparse + lists.binary_pointer[last] - lists.binary_pointer[first] == 0)


@njit(**LEAN)
def add_rest(lists: Lists, i: Index, theta: Floats, out: Floats) -> None:
    """Add the sparse, then the binary features of the hypotheses of list i to their scores."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    # lists of dense features alone are common, and need not read the pointers of each hypothesis
    if all_dense(lists, first, last):
        return
    if lists.sparse_pointer[last] > lists.sparse_pointer[first]:
        for j in range(last - first):
            for e in range(lists.sparse_pointer[first + j], lists.sparse_pointer[first + j + 1]):
                out[j] += theta[lists.sparse_id[e]] * lists.sparse_value[e]
    start = lists.binary_pointer[first]
    for j in range(last - first):
        total = out[j]
        end = lists.binary_pointer[first + j + 1]
        for e in range(start, end):
            total += theta[lists.binary_id[e]]
        out[j] = total
        start = end


@njit(**LEAN)
def add_column(weight: Weight, column: Floats, out: Floats) -> None:
    """out += weight * column."""
    for j in range(len(out)):
        out[j] += weight * column[j]


@njit(**LEAN)
def add_columns(one: Weight, other: Weight, columns: Floats, out: Floats) -> None:
    """Add two columns, columns (2 n,), to out (n,), one after the other.

    This reads and writes `out` half as often as two calls of add_column.
    """
    size = len(out)
    first, second = columns[:size], columns[size : 2 * size]
    for j in range(size):
        # the parentheses keep the order of the sum: the same bits as with add_column twice
        out[j] = (out[j] + one * first[j]) + other * second[j]


@njit(**LEAN)
def add_dense(
    lists: Lists, i: Index, dense: Floats, start: Index, theta: Floats, out: Floats
) -> None:
    """Add the dense features of list i to its scores out (n_i,), in order.

    Their columns (n_i,) stand in `dense` from `start` on.
    """
    size = len(out)
    k, end = lists.dense_pointer[i], lists.dense_pointer[i + 1]
    while k + 1 < end:
        one, other = theta[lists.dense_id[k]], theta[lists.dense_id[k + 1]]
        add_columns(one, other, dense[start : start + 2 * size], out)
        start += 2 * size
        k += 2
    if k < end:
        add_column(theta[lists.dense_id[k]], dense[start : start + size], out)


@njit(**LEAN)
def score_list(lists: Lists, i: Index, theta: Floats, out: Floats) -> None:
    """Write theta . f of the hypotheses of list i to out (n_i,): dense, sparse, binary in order."""
    out[:] = 0.0
    add_dense(lists, i, lists.dense, lists.dense_start[i], theta, out)
    add_rest(lists, i, theta, out)


@njit(**LEAN)
def _fetch(lists: Lists, start: Index, size: Index) -> None:
    """Start loading `size` dense values from `start` on into the cache."""
    for j in range(start, min(start + size, len(lists.dense)), CACHE_LINE):
        prefetch(lists.dense, j)


@njit(**LEAN)
def score_list_twice(
    lists: Lists, i: Index, one: Floats, other: Floats, out: Floats, other_out: Floats, then: Index
) -> None:
    """Write what score_list writes for each of two thetas, to the last bit, in one pass.

    then: the next list; its dense features are loaded into the cache meanwhile.
    """
    size = len(out)
    start, ahead = lists.dense_start[i], lists.dense_start[then]
    # two columns of the next list for each two of this one: memory and arithmetic overlap
    share = 2 * (lists.list_pointer[then + 1] - lists.list_pointer[then])
    out[:] = 0.0
    other_out[:] = 0.0
    k, end = lists.dense_pointer[i], lists.dense_pointer[i + 1]
    while k + 1 < end:
        _fetch(lists, ahead, share)
        columns = lists.dense[start : start + 2 * size]
        first, second = lists.dense_id[k], lists.dense_id[k + 1]
        add_columns(one[first], one[second], columns, out)
        add_columns(other[first], other[second], columns, other_out)
        start += 2 * size
        ahead += share
        k += 2
    if k < end:
        column = lists.dense[start : start + size]
        add_column(one[lists.dense_id[k]], column, out)
        add_column(other[lists.dense_id[k]], column, other_out)
    add_rest(lists, i, one, out)
    add_rest(lists, i, other, other_out)


@njit(cache=True, nogil=True)
def score_lists(lists: Lists, theta: Floats) -> Floats:
    """Scores (n_hyps,) of all hypotheses under theta (n_features,)."""
    out = np.empty(lists.list_pointer[-1])
    for i in range(len(lists.list_pointer) - 1):
        score_list(lists, i, theta, out[lists.list_pointer[i] : lists.list_pointer[i + 1]])
    return out


@njit(**LEAN)
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


@njit(**LEAN)
def product_of(g: Floats, column: Floats) -> float:
    """g . column, as four sums side by side that are added at the end, always in the same order."""
    # written as four lanes: without fastmath the compiler may not reorder a single sum into them
    size = len(g)
    fours = size // 4
    ours, theirs = g[: 4 * fours].reshape((fours, 4)), column[: 4 * fours].reshape((fours, 4))
    a = b = c = d = 0.0
    for q in range(fours):
        a += ours[q, 0] * theirs[q, 0]
        b += ours[q, 1] * theirs[q, 1]
        c += ours[q, 2] * theirs[q, 2]
        d += ours[q, 3] * theirs[q, 3]
    for j in range(4 * fours, size):
        a += g[j] * column[j]
    return (a + b) + (c + d)


@njit(**LEAN)
def add_rows(lists: Lists, i: Index, scale: float, g: Floats, theta: Floats) -> None:
    """theta += scale * F_i^T g for coefficients g (n_i,)."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    size = last - first
    start = lists.dense_start[i]
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        product = product_of(g, lists.dense[start : start + size])
        theta[lists.dense_id[k]] += scale * product
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
        step = scale * g[j]
        end = lists.binary_pointer[first + j + 1]
        # the coefficients of most hypotheses are 0 in losses of maxima
        if step != 0.0:
            for e in range(start, end):
                theta[lists.binary_id[e]] += step
        start = end
