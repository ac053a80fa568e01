"""RAMPION's stochastic subgradient descent over a shard's lists in order, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.list_losses import term_of_list
from campanula.stages.kernels.lists.lists import Index, Lists
from campanula.stages.kernels.lists.scores import score_list_twice
from campanula.stages.kernels.shards.losses import gather, targets_of
from campanula.stages.kernels.shards.records import Question, ShardLists
from campanula.stages.kernels.shards.shard import block_end, block_of, is_wide, table_of
from campanula.stages.kernels.solvers.descent import shrunk, step_on_list

A, MOVED = range(2)  # entries of ShardWeights.factor


class ShardWeights(NamedTuple):
    """theta = center + a u of the shard's features, (n_features,) each; free is 1 or 0.

    factor (2,): A, which is a, and MOVED, the product of all factors that were moved from a into u.
    """

    u: Floats
    center: Floats
    free: Floats
    factor: Floats


@njit(cache=True, nogil=True)
def _shrink(weights: ShardWeights, shrink: float) -> None:
    before = weights.factor[A]
    weights.factor[A] = shrunk(weights.u, before, shrink)
    # another a than before * shrink: `shrunk` has multiplied u by it, and set a to 1
    if weights.factor[A] != before * shrink:
        weights.factor[MOVED] *= before * shrink


@njit(cache=True, nogil=True)
def _ssd_block(
    shard: ShardLists, first: Index, lists: Lists, question: Question, weights: ShardWeights,
    eta: float, shrink: float,
) -> None:  # fmt: skip
    targets = targets_of(shard, first, first + len(lists.list_pointer) - 1, question.alpha)
    for i in range(len(lists.list_pointer) - 1):
        hopes = slice(question.pointer[first + i], question.pointer[first + i + 1])
        # no loss without a hope, but the list's share of the regularisation
        if hopes.start == hopes.stop:
            _shrink(weights, shrink)
            continue
        begin, end = lists.list_pointer[i], lists.list_pointer[i + 1]
        table = table_of(shard, first + i)
        u, center, free = np.empty(len(table)), np.empty(len(table)), np.empty(len(table))
        gather(table, weights.u, u)
        gather(table, weights.center, center)
        gather(table, weights.free, free)
        s, base, down = np.empty(end - begin), np.empty(end - begin), np.empty(end - begin)
        then = min(i + 1, len(lists.list_pointer) - 2)
        score_list_twice(lists, i, u, center, s, base, then)
        for j in range(end - begin):
            s[j] = base[j] + weights.factor[A] * s[j]
        c, reaches = targets.cost[begin:end], targets.reaches[begin:end]
        term_of_list(question.formula.down, s, c, reaches, down)
        _shrink(weights, shrink)
        # again, because shrinking may have changed u
        gather(table, weights.u, u)
        # theta moves by eta where u moves by eta / a
        step = eta / weights.factor[A]
        step_on_list(lists, i, question.place[hopes], question.mass[hopes], down, step, free, u)
        for k in range(len(table)):
            weights.u[table[k]] = u[k]


@njit(cache=True, nogil=True)
def ssd(
    shard: ShardLists, question: Question, weights: ShardWeights, eta: float, shrink: float
) -> None:
    """Lines 9-13 of Algorithm 1 (Gimpel & Smith 2012) on the lists of a shard; changes weights.

    The arithmetic is that of kernels/solvers/descent.py.
    """
    first = 0
    while first < len(shard.list_pointer) - 1:
        last = block_end(shard, first)
        if is_wide(shard, first):
            lists = block_of(shard, first, last, shard.wide, 2)
            _ssd_block(shard, first, lists, question, weights, eta, shrink)
        else:
            lists = block_of(shard, first, last, shard.narrow, 1)
            _ssd_block(shard, first, lists, question, weights, eta, shrink)
        first = last
