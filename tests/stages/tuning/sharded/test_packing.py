import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.kernels.shards.records import NARROW
from campanula.stages.tuning.sharded.packing import pack, shard_of
from campanula.stages.tuning.sharded.store import PackedShard
from tests.stages.tuning.sharded.shards import goals, random_lists


def rows_of(arrays):
    """Features of every hypothesis, by their numbers among all, read one by one."""
    shard, ids = shard_of(arrays), PackedShard.of("", arrays).ids
    rows = []
    for i in range(shard.n_lists):
        table = ids[shard.table[slice(*shard.table_pointer[i : i + 2])]]
        first, last = shard.list_pointer[i : i + 2]
        dense = shard.dense_code[slice(*shard.dense_pointer[i : i + 2])]
        at, sparse = int(shard.binary_start[i]), int(shard.sparse_start[i])
        wide = len(table) > NARROW
        for j in range(last - first):
            row = {}
            for k, code in enumerate(dense):
                row[int(table[code])] = shard.dense[shard.dense_start[i] + k * (last - first) + j]
            length = shard.sparse_length[first + j] if len(shard.sparse_length) else 0
            for e in range(sparse, sparse + length):
                row[int(table[shard.sparse_code[e]])] = shard.sparse_value[e]
            sparse += length
            length = int(shard.binary_length[first + j])
            if len(shard.binary_length_high):
                length += 256 * int(shard.binary_length_high[first + j])
            for _ in range(length):
                code = int(shard.narrow[at])
                if wide:
                    code += 256 * int(shard.narrow[at + 1])
                row[int(table[code])] = 1.0
                at += 2 if wide else 1
            rows.append(row)
    return rows


def test_every_entry_is_kept():
    lists = random_lists(3, 30)
    arrays = pack(lists, "test")
    names = lists[0].names
    expected = [
        {names.id(name): value for name, value in row.items()}
        for kbest in lists
        for row in kbest.features.rows(names)
    ]
    assert rows_of(arrays) == expected
    widths = np.diff(arrays["table_pointer"])
    assert (widths > NARROW).any()
    assert (widths <= NARROW).any()
    assert (np.diff(PackedShard.of("", arrays).ids) > 0).all()


@pytest.mark.parametrize("width", [255, 256, 257])
def test_the_256th_feature_fits_a_byte_and_the_next_does_not(width):
    names = Names(f"f{k}" for k in range(300))
    rows = [{f"f{k}": 1.0 for k in range(width)}, {"f0": 1.0}, {"f1": 1.0}]
    lists = [
        KBest(sid, Texts.of("abc"), Features.of(rows, names), names, gain=np.zeros(3))
        for sid in range(2)
    ]
    short = KBest(2, Texts.of("a"), Features.of([{"f9": 2.0}], names), names, gain=np.zeros(1))
    arrays = pack([short, *lists], "test")
    assert len(arrays["narrow"]) == 2 * (width + 2) * (1 if width <= NARROW else 2)
    assert rows_of(arrays)[1] == dict.fromkeys(range(width), 1.0)


def test_more_features_than_two_bytes_number_are_refused():
    n = 70_000
    names = Names(f"f{k}" for k in range(n + 2))
    ids = np.arange(n, dtype=np.int32)
    pointer = np.array([0, n, n])
    features = Features.of_dense(np.zeros(0, np.int32), np.zeros((0, 2)))
    features = features.with_sparse(pointer, ids, np.ones(n))
    lists = [KBest(0, Texts.of("ab"), features, names, gain=np.zeros(2))]
    with pytest.raises(DataError, match="sentence 0: expected at most 65535 different features"):
        pack(lists, "test")


def test_what_varies_within_a_list_is_marked():
    lists = random_lists(4, 1)
    features = lists[0].features
    features.dense[0], features.dense[1] = 2.0, np.arange(len(features))
    arrays = pack(lists, "test")
    constant, other = features.dense_id.tolist()
    expected = {constant} | ({other} if len(features) == 1 else set())
    assert set(PackedShard.of("", arrays).ids[arrays["constant"]].tolist()) == expected


def test_what_reaches_a_reference_is_kept():
    lists = random_lists(5, 20)
    arrays = pack(lists, "test", goals(20))
    assert arrays["reaches"].tolist() == [text == "a" for k in lists for text in k.text]
    assert len(pack(lists, "test")["reaches"]) == 0


def test_a_list_without_gains_is_refused():
    names = Names(["a"])
    kbest = KBest(7, Texts.of("a"), Features.of([{"a": 1.0}], names), names)
    with pytest.raises(DataError, match="test: sentence 7: expected gains"):
        pack([kbest], "test")
