import numpy as np

from campanula.stages.tuning.packing import join
from tests.examples import random_lists


def test_joined_lists_hold_what_their_records_hold():
    records, rows = random_lists(seed=4, n_lists=5)
    lists, names = join([record.features for record in records]), records[0].names
    assert (lists.n_lists, lists.n_hyps) == (5, sum(map(len, rows)))
    found = []
    for i, (first, last) in enumerate(
        zip(lists.list_pointer, lists.list_pointer[1:], strict=False)
    ):
        ids = lists.dense_id[lists.dense_pointer[i] : lists.dense_pointer[i + 1]]
        block = lists.dense[lists.dense_start[i] : lists.dense_start[i + 1]]
        block = block.reshape(len(ids), last - first)
        for j in range(first, last):
            row = dict(zip((names[f] for f in ids), block[:, j - first].tolist(), strict=True))
            part = slice(lists.sparse_pointer[j], lists.sparse_pointer[j + 1])
            row |= {
                names[f]: v
                for f, v in zip(lists.sparse_id[part], lists.sparse_value[part], strict=True)
            }
            part = slice(lists.binary_pointer[j], lists.binary_pointer[j + 1])
            row |= {names[f]: 1.0 for f in lists.binary_id[part]}
            found.append(row)
    assert found == [features for kbest in rows for features, _ in kbest]


def test_entries_are_counted():
    records, _ = random_lists(seed=4, n_lists=2)
    lists = join([record.features for record in records])
    assert lists.n_entries == len(lists.dense) + len(lists.sparse_id) + len(lists.binary_id)
    assert np.all(np.diff(lists.list_pointer) > 0)
