"""Posterior counts of a shard's features, by the sign of their slopes, for growth transformation.

With p = softmax of a list's scores and <beta> its expected gain, a hypothesis E adds to feature u

    p(E) (beta(E) - <beta>) #_u(E)

(He and Deng 2012; W15 Eq. 13).  Terms above 0 and terms below 0 have sums of their own, because the
step size of a growth transformation depends on the latter alone.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.exponentials import exponentials, largest
from campanula.stages.kernels.lists.list_losses import all_alike
from campanula.stages.kernels.lists.lists import Index, Lists
from campanula.stages.kernels.lists.scores import score_list
from campanula.stages.kernels.shards.losses import all_finite, gather
from campanula.stages.kernels.shards.records import ShardLists
from campanula.stages.kernels.shards.shard import block_end, block_of, is_wide, table_of

RAISED, LOWERED = range(2)  # columns: the sum of terms above 0, and minus the sum of those below


@njit(cache=True, nogil=True)
def excess_of_list(s: Floats, gain: Floats, g: Floats) -> float:
    """Expected gain sum_j p_j gain_j with p = softmax s; g_j = p_j (gain_j - expectation).

    If all gains are the same, all g_j are exactly 0.
    """
    # rounding errors would give the step a numerator and a denominator, and so any size
    if all_alike(gain):
        g[:] = 0.0
        return float(gain[0])
    total, mean = 0.0, 0.0
    exponentials(s, largest(s), g)
    for j in range(len(s)):
        total += g[j]
        mean += g[j] * gain[j]
    mean /= total
    for j in range(len(s)):
        g[j] *= (gain[j] - mean) / total
    return mean


@njit(cache=True, nogil=True)
def _add(count: float, sums: Floats) -> None:
    """Add a count to a feature's sums (2,), in the column for its sign."""
    if count > 0.0:
        sums[RAISED] += count
    else:
        sums[LOWERED] -= count


@njit(cache=True, nogil=True)
def add_counts(lists: Lists, i: Index, g: Floats, sums: Floats) -> None:
    """Add g_j times the features of the hypotheses of list i to sums (n_features, 2)."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    size = last - first
    start = lists.dense_start[i]
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        own = sums[lists.dense_id[k]]
        for j in range(size):
            _add(g[j] * lists.dense[start + j], own)
        start += size
    for j in range(size):
        for e in range(lists.sparse_pointer[first + j], lists.sparse_pointer[first + j + 1]):
            _add(g[j] * lists.sparse_value[e], sums[lists.sparse_id[e]])
        # a binary feature has value 1, so that the hypothesis's g_j decides the column once
        column = RAISED if g[j] > 0.0 else LOWERED
        amount = abs(g[j])
        for e in range(lists.binary_pointer[first + j], lists.binary_pointer[first + j + 1]):
            sums[lists.binary_id[e], column] += amount


@njit(cache=True, nogil=True)
def _add_block(
    shard: ShardLists, first: Index, lists: Lists, theta: Floats, sums: Floats, value: Floats
) -> int:
    """Add the counts of a block's lists; return the first list with an infinite score, or -1."""
    start = shard.list_pointer[first]
    for i in range(len(lists.list_pointer) - 1):
        table: Ids = table_of(shard, first + i)
        begin, end = lists.list_pointer[i], lists.list_pointer[i + 1]
        own = np.empty(len(table))
        s = np.empty(end - begin)
        g = np.empty(end - begin)
        gather(table, theta, own)
        score_list(lists, i, own, s)
        if not all_finite(s):
            return int(first + i)
        value[0] += excess_of_list(s, shard.gain[start + begin : start + end], g)
        # a list's own sums first, in the cache, and one addition a feature to the large array
        counts = np.zeros((len(table), 2))
        add_counts(lists, i, g, counts)
        for u in range(len(table)):
            sums[table[u], RAISED] += counts[u, RAISED]
            sums[table[u], LOWERED] += counts[u, LOWERED]
    return -1


@njit(cache=True, nogil=True)
def posterior_counts(shard: ShardLists, theta: Floats, sums: Floats, value: Floats) -> int:
    """Add expected gains to value (1,), and counts to sums (n_features, 2), of a shard's lists.

    theta (n_features,): the weights of the shard's features.  Return -1, or the number of the first
    list with a score that is not finite.
    """
    first = 0
    bad = -1
    while bad < 0 and first < len(shard.list_pointer) - 1:
        last = block_end(shard, first)
        # a branch for each width: Numba gives a variable one type, and the codes have two
        if is_wide(shard, first):
            lists = block_of(shard, first, last, shard.wide, 2)
            bad = _add_block(shard, first, lists, theta, sums, value)
        else:
            lists = block_of(shard, first, last, shard.narrow, 1)
            bad = _add_block(shard, first, lists, theta, sums, value)
        first = last
    return bad
