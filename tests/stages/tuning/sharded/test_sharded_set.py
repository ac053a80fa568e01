import numpy as np

from tests.stages.tuning.sharded.shards import random_lists, sharded


def test_shards_follow_each_other():
    lists = random_lists(2, 9)
    data = sharded(lists, (2, 3, 8))
    assert data.n_lists == 9
    assert data.first.tolist() == [0, 2, 3, 8, 9]
    assert data.sid.tolist() == list(range(9))
    assert data.size.tolist() == [len(kbest) for kbest in lists]
    rows = [row for kbest in lists for row in kbest.features.rows(kbest.names)]
    assert data.n_entries == sum(map(len, rows))
    assert sum(len(np.unique(shard.sid)) for shard in data.shards) == 9
