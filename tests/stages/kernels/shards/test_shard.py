"""Blocks of a shard score as its lists do."""

import numpy as np

from campanula.stages.kernels.lists.scores import score_list
from campanula.stages.kernels.shards import shard as shards
from campanula.stages.tuning.packing import join
from campanula.stages.tuning.sharded.packing import pack, shard_of
from campanula.stages.tuning.sharded.store import PackedShard
from tests.stages.tuning.sharded.shards import random_lists


def test_blocks_have_lists_of_one_width_and_score_as_the_lists_do():
    records = random_lists(8, 150)
    arrays = pack(records, "test")
    shard, whole = shard_of(arrays), join([kbest.features for kbest in records])
    theta = np.random.default_rng(1).normal(size=len(records[0].names))
    first, sizes = 0, []
    while first < shard.n_lists:
        last = shards.block_end(shard, first)
        wide = shards.is_wide(shard, first)
        assert all(shards.is_wide(shard, i) == wide for i in range(first, last))
        codes, size = (shard.wide, 2) if wide else (shard.narrow, 1)
        block = shards.block_of(shard, first, last, codes, size)
        for i in range(last - first):
            n = block.list_pointer[i + 1] - block.list_pointer[i]
            found, expected = np.empty(n), np.empty(n)
            own = PackedShard.of("", arrays).gathered(theta)[shards.table_of(shard, first + i)]
            score_list(block, i, own, found)
            score_list(whole, first + i, theta, expected)
            assert (found == expected).all()
        sizes.append(last - first)
        first = last
    assert sum(sizes) == 150
    assert max(sizes) <= shards.BLOCK


def test_long_runs_of_one_width_are_cut():
    records = random_lists(8, 150, widest=20)
    shard = shard_of(pack(records, "test"))
    assert shards.block_end(shard, 0) == shards.BLOCK
    assert shards.block_end(shard, 128) == 150
