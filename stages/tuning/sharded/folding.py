"""Dense features whose weights stay, as one number a hypothesis: what they add to its score.

W15 keep the lambda of the dense features as they are.  Of a dozen such columns, 8 bytes an entry,
a pass need not read more than one of their sums, which is the same to the last bit: scores begin
with the dense features, in their order.  It takes the place of the lists' first dense feature, with
the weight 1.
"""

from __future__ import annotations

import mmap
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Floats, Ids
from campanula.stages.kernels.shards.records import ShardLists
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.sharded.store import PackedShard

MOST = 1 << 28  # bytes of sums: these are in memory, where shards may be larger than that


def folded(data: ShardedSet, theta: Floats, free: Floats) -> ShardedSet:
    """The set with its dense features as one, under weights theta (n_features,).

    As it is where a dense feature is free (n_features,), where there is nothing to gain, where
    other processes pass over it, and where the sums take too much memory.
    """
    n_hyps = sum(shard.lists.n_hyps for shard in data.shards)
    n_dense = sum(len(shard.lists.dense) for shard in data.shards)
    if data.passes is not None or 8 * n_hyps > MOST or n_dense <= n_hyps:
        return data
    carriers = [_carrier(shard, free) for shard in data.shards]
    if min(carriers) < 0:
        return data
    shards = [_folded(s, theta, c) for s, c in zip(data.shards, carriers, strict=True)]
    return replace(data, shards=shards)


def _dense_of(lists: ShardLists, codes: slice, i: int) -> Ids:
    """Dense features of list i, as places among the shard's."""
    start = int(lists.table_pointer[i])
    return np.asarray(lists.table[start + lists.dense_code[codes]])


def _carrier(shard: PackedShard, free: Floats) -> int:
    """The first dense feature of all lists, as a place among the shard's; -1 where they differ.

    And where a dense feature is free.
    """
    lists, pointer = shard.lists, shard.lists.dense_pointer
    if not (np.diff(pointer) > 0).all():
        return -1
    start = np.repeat(lists.table_pointer[:-1], np.diff(pointer))
    dense = lists.table[start + lists.dense_code]
    first = dense[pointer[:-1]]
    used = np.unique(dense)
    if (first != first[0]).any() or free[shard.ids[used]].any():
        return -1
    return int(first[0])


def _folded(shard: PackedShard, theta: Floats, carrier: int) -> PackedShard:
    lists = shard.lists
    weight, score = shard.gathered(theta), np.zeros(lists.n_hyps)
    bounds = lists.list_pointer.tolist()
    pointer = lists.dense_pointer.tolist()
    for i in range(lists.n_lists):
        codes, out = slice(pointer[i], pointer[i + 1]), score[bounds[i] : bounds[i + 1]]
        start = int(lists.dense_start[i])
        for factor in weight[_dense_of(lists, codes, i)].tolist():
            out += factor * lists.dense[start : start + len(out)]
            start += len(out)
    own = lists._replace(
        dense_pointer=np.arange(lists.n_lists + 1),
        dense_code=np.ascontiguousarray(lists.dense_code[lists.dense_pointer[:-1]]),
        dense_start=np.array(lists.list_pointer),
        dense=score,
    )
    _release(lists.dense)
    return replace(shard, lists=own, carrier=carrier)


def _release(array: NDArray[np.float64]) -> None:
    """Let the system have the pages of a mapped array back; the file has them."""
    base: object = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        base.madvise(mmap.MADV_DONTNEED)
