"""Losses of a shard's lists and their gradient, compiled; the formulas are those of any lists.

All sums are over the shard's own features.  Sums of several shards are added in the shards' order.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.formulas import EXPECTED_GAIN, Targets
from campanula.stages.kernels.lists.list_losses import loss_of_list, term_of_list
from campanula.stages.kernels.lists.lists import Index, Lists
from campanula.stages.kernels.lists.scores import add_rows, score_list
from campanula.stages.kernels.shards.records import (
    LOSS,
    SCALE,
    SLOPE,
    WEIGHT,
    OwnSums,
    Question,
    ShardLists,
    Sums,
)
from campanula.stages.kernels.shards.shard import block_end, block_of, is_wide, table_of

SCALES = 64.0 * np.log(2.0)  # distance of scales: a factor of 2^64, which changes no digit


def rescaled(sums: Sums, scale: float) -> None:
    """Bring sums of EXPECTED_GAIN to another scale, exactly unless a number becomes subnormal."""
    factor = factor_of(sums.value, scale)
    if factor != 1.0:
        np.multiply(sums.gradient, factor, out=sums.gradient)


@njit(cache=True, nogil=True)
def factor_of(value: Floats, scale: float) -> float:
    """Bring a value (2,) to another scale; return the factor for its gradient."""
    factor = 1.0
    # 0 is 0 at every scale; its scale may be far away, even infinite, as at the start
    if value[LOSS] != 0.0:
        # round: scales are multiples of SCALES but for rounding errors
        factor = 2.0 ** (64.0 * np.round((value[SCALE] - scale) / SCALES))
        value[LOSS] *= factor
    value[SCALE] = scale
    return float(factor)


@njit(cache=True, nogil=True)
def scaled_gain(own: OwnSums, log_gain: float) -> float:
    """Return a list's expected gain at the scale of the sums; raise too low a scale."""
    if log_gain == -np.inf:
        return 0.0
    # to a multiple of SCALES: the factor is then a power of 2^64, and no digit changes
    if log_gain > own.value[SCALE] + SCALES:
        factor = factor_of(own.value, SCALES * np.floor(log_gain / SCALES))
        # the slopes alone: without them, pair has one column, the weights
        if factor != 1.0 and own.pair.shape[1] > 1:
            own.pair[:, SLOPE] *= factor
    return float(np.exp(log_gain - own.value[SCALE]))


@njit(cache=True, nogil=True)
def targets_of(shard: ShardLists, first: Index, last: Index, alpha: float) -> Targets:
    """Return costs and gains of the hypotheses of lists first to last, without sampled pairs."""
    start, end = shard.list_pointer[first], shard.list_pointer[last]
    gain = shard.gain[start:end]
    cost = np.empty(end - start)
    for j in range(end - start):
        cost[j] = alpha * (1.0 - gain[j])
    reaches = shard.reaches[start:end] if len(shard.reaches) else np.zeros(end - start, np.bool_)
    none = np.zeros(0, np.int64)
    return Targets(cost, gain, reaches, none, none, none)


@njit(cache=True, nogil=True)
def share_of(lists: Lists, first: Index, question: Question) -> Floats:
    """Shares (n_hyps,) of the hopes of a block whose first list is number `first`, or (0,)."""
    pointer = question.pointer
    if len(pointer) == 1:
        return np.zeros(0)
    share = np.zeros(lists.list_pointer[-1])
    for i in range(len(lists.list_pointer) - 1):
        for h in range(pointer[first + i], pointer[first + i + 1]):
            share[lists.list_pointer[i] + question.place[h]] = question.mass[h]
    return share


@njit(cache=True, nogil=True)
def gather(table: Ids, theta: Floats, own: Floats) -> None:
    """Write the weights of a list's features to own[:len(table)]."""
    for u in range(len(table)):
        own[u] = theta[table[u]]


@njit(cache=True, nogil=True)
def all_finite(score: Floats) -> bool:
    """Whether all scores are finite numbers."""
    finite = True
    # no early exit: a loop without branches is vectorised; NaN compares false, too
    for j in range(len(score)):
        finite &= abs(score[j]) < np.inf
    return finite


@njit(cache=True, nogil=True)
def _add_block(
    shard: ShardLists, first: Index, lists: Lists, question: Question, own: OwnSums
) -> int:
    """Add the losses of a block; return the first list with an infinite score, or -1."""
    targets = targets_of(shard, first, first + len(lists.list_pointer) - 1, question.alpha)
    share = share_of(lists, first, question)
    widest, longest = 0, 0
    for i in range(len(lists.list_pointer) - 1):
        widest = max(widest, len(table_of(shard, first + i)))
        longest = max(longest, lists.list_pointer[i + 1] - lists.list_pointer[i])
    # arrays for the largest list serve the whole block
    theta, slope, score, coefficient = (
        np.empty(widest), np.empty(widest), np.empty(longest), np.empty(longest),
    )  # fmt: skip
    for i in range(len(lists.list_pointer) - 1):
        table = table_of(shard, first + i)
        size = lists.list_pointer[i + 1] - lists.list_pointer[i]
        s, g = score[:size], coefficient[:size]
        for u in range(len(table)):
            theta[u] = own.pair[table[u], WEIGHT]
        score_list(lists, i, theta, s)
        if not all_finite(s):
            return int(first + i)
        value = loss_of_list(lists, i, targets, question.formula, share, s, g)
        scale = 1.0
        if question.formula.form == EXPECTED_GAIN:
            # the gradient of log_gain times the gain is that of the gain; the loss is its negative
            value = scaled_gain(own, value)
            scale = -value
        own.value[LOSS] += value
        if own.pair.shape[1] > 1:
            slope[: len(table)] = 0.0
            add_rows(lists, i, scale, g, slope)
            for u in range(len(table)):
                own.pair[table[u], SLOPE] += slope[u]
    return -1


@njit(cache=True, nogil=True)
def add_losses(shard: ShardLists, question: Question, own: OwnSums) -> int:
    """Add to `own` the losses of a shard's lists at its weights, and their gradient.

    Return -1, or the number of the first list with a score that is not finite.
    """
    first = 0
    bad = -1
    while bad < 0 and first < len(shard.list_pointer) - 1:
        last = block_end(shard, first)
        # a branch for each width: Numba gives a variable one type, and the codes have two
        if is_wide(shard, first):
            lists = block_of(shard, first, last, shard.wide, 2)
            bad = _add_block(shard, first, lists, question, own)
        else:
            lists = block_of(shard, first, last, shard.narrow, 1)
            bad = _add_block(shard, first, lists, question, own)
        first = last
    return bad


@njit(cache=True, nogil=True)
def _impute_block(
    shard: ShardLists, first: Index, lists: Lists, theta: Floats, question: Question, share: Floats
) -> None:
    targets = targets_of(shard, first, first + len(lists.list_pointer) - 1, question.alpha)
    start = shard.list_pointer[first]
    for i in range(len(lists.list_pointer) - 1):
        begin, end = lists.list_pointer[i], lists.list_pointer[i + 1]
        table = table_of(shard, first + i)
        own = np.empty(len(table))
        s = np.empty(end - begin)
        gather(table, theta, own)
        score_list(lists, i, own, s)
        c, reaches = targets.cost[begin:end], targets.reaches[begin:end]
        term_of_list(question.formula.up, s, c, reaches, share[start + begin : start + end])


@njit(cache=True, nogil=True)
def impute(shard: ShardLists, theta: Floats, question: Question) -> Floats:
    """Shares (n_hyps,): the gradient of the concave term in the scores, the hopes of CCCP."""
    share = np.zeros(shard.list_pointer[-1])
    first = 0
    while first < len(shard.list_pointer) - 1:
        last = block_end(shard, first)
        if is_wide(shard, first):
            lists = block_of(shard, first, last, shard.wide, 2)
            _impute_block(shard, first, lists, theta, question, share)
        else:
            lists = block_of(shard, first, last, shard.narrow, 1)
            _impute_block(shard, first, lists, theta, question, share)
        first = last
    return share


def add_partial(sums: Sums, partial: Sums) -> None:
    """Add the value of a shard to that of all, and bring both, with gradients, to one scale.

    The caller adds the shard's gradient, because only the caller knows the ids of its features.
    """
    # to the larger scale, at which neither overflows
    if partial.value[SCALE] > sums.value[SCALE]:
        rescaled(sums, partial.value[SCALE])
    elif partial.value[SCALE] < sums.value[SCALE]:
        rescaled(partial, sums.value[SCALE])
    sums.value[LOSS] += partial.value[LOSS]
