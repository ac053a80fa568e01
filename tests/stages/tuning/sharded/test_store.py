import os

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.stages.kernels.shards.records import ShardLists
from campanula.stages.tuning.sharded.packing import pack
from campanula.stages.tuning.sharded.store import PackedShard, entry_of, store, stored
from tests.stages.tuning.sharded.shards import goals, random_lists


def test_what_is_stored_is_mapped(tmp_path):
    arrays = pack(random_lists(1, 12), "test")
    entry = entry_of(str(tmp_path), "00ff", None)
    assert stored(entry, "shard 3") is None
    store(entry, arrays)
    found = stored(entry, "shard 3")
    assert isinstance(found, PackedShard)
    expected = PackedShard.of("shard 3", arrays)
    for name in ShardLists._fields:
        assert np.array_equal(getattr(found.lists, name), getattr(expected.lists, name)), name
    assert (found.ids == expected.ids).all()
    assert (found.constant == expected.constant).all()
    assert found.n_entries == expected.n_entries == sum(len(k) for k in _rows(random_lists(1, 12)))
    on_disk = sum(p.stat().st_size for p in (tmp_path / "shards").rglob("*.npy"))
    assert 0 < on_disk - found.nbytes < 20 * 256


def _rows(lists):
    return [row for kbest in lists for row in kbest.features.rows(kbest.names)]


def test_an_entry_is_of_one_stream_and_its_references(tmp_path):
    entries = [entry_of("c", "1", None), entry_of("c", "2", None), entry_of("c", "1", goals(20))]
    assert len(set(entries)) == 3
    assert entries[0] == entry_of("c", "1", None)


def test_damage_is_told(tmp_path):
    entry = entry_of(str(tmp_path), "00ff", None)
    store(entry, pack(random_lists(1, 12), "test"))
    path = os.path.join(entry, "gain.npy")
    with open(path, "r+b") as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last[0] ^ 1]))
    assert stored(entry, "shard") == "gain.npy: the checksum does not fit"


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "shards").write_text("a file")
    with pytest.raises(DataError, match=r"shards.*cannot be written"):
        store(entry_of(str(tmp_path), "1", None), pack(random_lists(1, 2), "test"))
