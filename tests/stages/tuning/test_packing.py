import numpy as np

from campanula.stages.tuning.packing import Gathered, Packer, join, nbytes_of, one_list
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
    records, rows = random_lists(seed=4, n_lists=2)
    lists = join([record.features for record in records])
    assert lists.n_entries == sum(len(features) for kbest in rows for features, _ in kbest)


def test_one_list_is_what_it_is_among_others():
    records, _ = random_lists(seed=4, n_lists=3)
    for record in records:
        one, other = one_list(record.features), join([record.features])
        for name in one._fields:
            assert np.array_equal(getattr(one, name), getattr(other, name))


def test_gathered_lists_are_packed_ones():
    packer, gathered = Packer(), Gathered()
    for round_ in range(2):
        packer.clear()
        gathered.clear()
        for record in random_lists(seed=round_, n_lists=4)[0]:
            packer.add(record.features)
            gathered.add(record.features)
        lists, others = packer.lists(), gathered.lists()
        for name, one in lists._asdict().items():
            other = getattr(others, name)
            assert one.dtype == other.dtype
            assert np.array_equal(one, other)


def test_the_bytes_of_a_list_are_those_that_it_adds():
    packer = Packer()
    for record in random_lists(seed=4, n_lists=3)[0]:
        before = packer.nbytes
        packer.add(record.features)
        assert packer.nbytes - before == nbytes_of(record.features)
