"""Sizes of a shard."""

from campanula.stages.tuning.sharded.packing import pack, shard_of
from tests.stages.tuning.sharded.shards import random_lists


def test_a_shard_knows_its_size():
    lists = random_lists(3, 7)
    shard = shard_of(pack(lists, "test"))
    assert (shard.n_lists, shard.n_hyps) == (7, sum(map(len, lists)))
