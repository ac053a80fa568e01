"""Records packed elsewhere are written as a Writer packs them itself, names and all."""

from __future__ import annotations

from pathlib import Path

import msgpack
import numpy as np
import pytest

from campanula.formats.packed_records import PackedRecords, highest_id, with_names
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from tests.examples import random_lists, write_kbest


@pytest.mark.parametrize("keys", [0, 14, 15, 16, 300])
def test_names_go_in_front_of_a_map_of_any_size(keys: int) -> None:
    record = {f"k{i}": i for i in range(keys)}
    data = msgpack.packb(record)
    assert with_names(data, []) == data
    assert with_names(data, ["a", "b"]) == msgpack.packb({"names": ["a", "b"], **record})


def test_the_highest_id() -> None:
    assert highest_id((np.array([], np.int32), np.array([3, 9, 1], np.int32))) == 9
    assert highest_id(()) == -1


def packed(lists: list[KBest]) -> PackedRecords:
    data = [msgpack.packb(one.pack(one.names)) for one in lists]
    ends = np.cumsum([len(part) for part in data]).tolist()
    highest = [highest_id(one.used_ids) for one in lists]
    return PackedRecords([one.sid for one in lists], b"".join(data), ends, highest)


@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_stream_has_the_same_bytes(tmp_path: Path, size: int) -> None:
    lists = random_lists(3, n_lists=15)[0]
    lists[0].names.id("which no list has")
    write_kbest(tmp_path / "one", lists)
    with Writer(str(tmp_path / "other"), KBest, "test") as out:
        out.write(lists[0])
        for start in range(1, 15, size):
            out.write_packed(packed(lists[start : start + size]))
        assert out.count == 15
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_sentences_ascend(tmp_path: Path) -> None:
    lists = random_lists(3)[0]
    with Writer(str(tmp_path / "dev"), KBest, "test") as out:
        out.write(lists[2])
        with pytest.raises(ValueError, match="written after"):
            out.write_packed(packed(lists[:2]))
