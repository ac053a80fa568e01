"""Dense features whose weights do not move, folded to one number: their part of the score.

W15 keep the lambda of the dense features fixed.  Instead of a dozen such columns, 8 bytes an entry,
a pass reads one column with their weighted sum.  Scores stay the same to the last bit, since they
are summed from the dense features on, in order.  The sum takes the place of the lists' first dense
feature, with the weight 1.
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

MOST = 1 << 28  # bytes: sums are held in memory, and shards may be larger than memory


def folded(data: ShardedSet, theta: Floats, free: Floats) -> ShardedSet:
    """Return the set with its dense features folded to one, under weights theta (n_features,).

    It is returned unchanged if a dense feature is free (n_features,), if there is at most one dense
    value a hypothesis, if other processes pass over it, or if the sums take too much memory.
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
    """Return the dense features of list i, as places among the shard's features."""
    start = int(lists.table_pointer[i])
    return np.asarray(lists.table[start + lists.dense_code[codes]])


def _carrier(shard: PackedShard, free: Floats) -> int:
    """Return the place among the shard's features of the first dense feature, which carries sums.

    -1 if lists differ in their first dense feature or have none, or if a dense feature is free.
    """
    lists = shard.lists
    pointer = lists.dense_pointer
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
    """Return a shard whose only dense feature is `carrier`, with the sums as its values."""
    lists = shard.lists
    weight = shard.gathered(theta)
    score = np.zeros(lists.n_hyps)
    bounds = lists.list_pointer.tolist()
    pointer = lists.dense_pointer.tolist()
    for i in range(lists.n_lists):
        codes = slice(pointer[i], pointer[i + 1])
        out = score[bounds[i] : bounds[i + 1]]
        start = int(lists.dense_start[i])
        # feature by feature in their order, as the kernels add, so that the last bit is the same
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
    """Free the memory of a mapped array, which is not read again; the file keeps the values."""
    base: object = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        base.madvise(mmap.MADV_DONTNEED)
