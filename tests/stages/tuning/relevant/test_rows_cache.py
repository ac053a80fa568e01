"""Sets in the cache are those that are read, and are read again when anything is amiss."""

import os

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.names import Names
from campanula.stages import index_features
from campanula.stages.tuning.relevant import set_of_lists
from campanula.stages.tuning.relevant.rows_cache import entry_of, identity_of, store_and_map, stored
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from tests.examples import write_kbest
from tests.stages.tuning.relevant.random_sets import random_sets, records_of


@pytest.fixture
def paths(tmp_path):
    """The same lists as a stream and as a collection, against an inventory."""
    plain = write_kbest(tmp_path / "plain", records_of(random_sets(1, n_sets=1)[0], Names()))
    stream, collection, inventory = (str(tmp_path / name) for name in ("stream", "coll", "F"))
    argv = [plain, "--inventory", inventory, "-o", stream, "-q"]
    assert index_features.main(argv) == 0
    argv = [plain, "--extend", inventory, "--shards", "3", "-o", collection, "-q"]
    assert index_features.main(argv) == 0
    return stream, collection


def never(*_):
    raise AssertionError("read again")


def same(one, other):
    pairs = zip(one.rows, other.rows, strict=True)
    return all(np.array_equal(a, b) for a, b in pairs) and one.checksum == other.checksum


def test_what_was_read_once_is_mapped(paths, tmp_path, monkeypatch):
    for path in paths:
        expected = SetOfLists.read(path)
        first = SetOfLists.read(path, cache=str(tmp_path / "cache"))
        with monkeypatch.context() as patch:
            patch.setattr(set_of_lists, "Packer", never)
            again = SetOfLists.read(path, cache=str(tmp_path / "cache"))
        for found in (first, again):
            assert same(found, expected)
            assert found.sid.tolist() == expected.sid.tolist()
            assert found.reference == expected.reference
            assert isinstance(found.rows.binary_id.base, np.ndarray)  # of a mapped file


def test_a_damaged_entry_is_made_again(paths, tmp_path):
    stream, _ = paths
    cache = str(tmp_path / "cache")
    expected = SetOfLists.read(stream)
    SetOfLists.read(stream, cache=cache)
    entry = entry_of(cache, expected.checksum)
    with open(os.path.join(entry, "gain.npy"), "r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\0")
    assert stored(entry) is None
    assert same(SetOfLists.read(stream, cache=cache), expected)
    assert stored(entry) is not None


def test_a_stream_that_has_changed_is_another(paths, tmp_path):
    stream, _ = paths
    cache = str(tmp_path / "cache")
    SetOfLists.read(stream, cache=cache)
    with open(stream, "r+b") as file:
        data = bytearray(file.read())
        data[len(data) // 2] ^= 1
        file.seek(0)
        file.write(data)
    assert identity_of(stream) is None
    with pytest.raises(DataError):
        SetOfLists.read(stream, cache=cache)


def test_what_has_no_bytes_to_come_back_to_has_no_identity(tmp_path):
    assert identity_of("-") is None
    os.mkfifo(tmp_path / "pipe")
    assert identity_of(str(tmp_path / "pipe")) is None


def test_a_cache_that_cannot_be_written_is_done_without(paths, tmp_path):
    found = SetOfLists.read(paths[0])
    (tmp_path / "file").write_text("")
    sid, rows = store_and_map(entry_of(str(tmp_path / "file"), "x"), found.sid, found.rows)
    assert sid is found.sid
    assert rows is found.rows
