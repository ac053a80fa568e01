from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.columns import pack_floats
from campanula.formats.records.features import Features
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from campanula.formats.stream_record import StreamRecord
from tests.plain import float_column, plain
from tests.strategies import hopes, kbest_lists


def written(path: Path, records: Iterable[StreamRecord], kind: type[StreamRecord] = KBest) -> bytes:
    with Writer(str(path), kind, "how") as out:
        for record in records:
            out.write(record)
    return path.read_bytes()


def read(path: Path, *kinds: type[StreamRecord]) -> list[Any]:
    with Reader(str(path), *(kinds or (KBest,))) as records:
        return [plain(record) for record in records]


def small_lists() -> list[KBest]:
    """Two lists in few bytes, with every kind of column."""
    names, lists = Names(), []
    for sid in (0, 3):
        rows = [{"LM0": -1.5, f"s{sid}": 0.5}, {"LM0": -2.0, "b": 1.0}]
        lists.append(
            KBest(
                sid,
                Texts.of(["ein é", ""]),
                Features.of(rows, names),
                names,
                score=np.array([0.25, -1.0]),
                stats=np.array([[1, 2], [3, 4]]),
                gain=np.array([0.5, 0.0]),
                fields={"alignment": Texts.of(["0-0", ""])},
            )
        )
    return lists


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stream"


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_no_reader_takes_is_not_written(path: Path, value: float) -> None:
    lists = small_lists()
    score = lists[1].score
    assert score is not None
    score[0] = value
    with pytest.raises(DataError, match="sentence 3: expected finite numbers, found"):
        written(path, lists)
    assert not path.exists()


@given(lists=kbest_lists())
def test_lists_round_trip(tmp_path_factory: pytest.TempPathFactory, lists: list[KBest]) -> None:
    path = tmp_path_factory.mktemp("stream") / "s"
    written(path, lists)
    assert read(path) == [plain(kbest) for kbest in lists]


@given(records=hopes())
def test_hopes_round_trip(tmp_path_factory: pytest.TempPathFactory, records: list[Hope]) -> None:
    path = tmp_path_factory.mktemp("stream") / "s"
    written(path, records, Hope)
    assert read(path, KBest, Hope) == [plain(hope) for hope in records]


@given(lists=kbest_lists())
@settings(max_examples=30)
def test_lists_round_trip_through_another_table_of_names(
    tmp_path_factory: pytest.TempPathFactory, lists: list[KBest]
) -> None:
    path = tmp_path_factory.mktemp("stream") / "s"
    written(path, lists)
    with Reader(str(path), KBest) as records:
        again = list(records)
    written(path, again)
    assert read(path) == [plain(kbest) for kbest in lists]


def test_every_proper_prefix_is_an_error(path: Path) -> None:
    data = written(path, small_lists())
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(DataError):
            read(path)


@pytest.mark.parametrize("flip", [0x01, 0x80, 0xFF])
def test_every_flipped_byte_is_an_error(path: Path, flip: int) -> None:
    data = written(path, small_lists())
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= flip
        path.write_bytes(damaged)
        with pytest.raises(DataError):
            read(path)


def test_more_after_the_end_is_an_error(path: Path) -> None:
    data = written(path, small_lists())
    for more in (b"\x00", b"\xc1", data):
        path.write_bytes(data + more)
        with pytest.raises(DataError):
            read(path)


def test_an_exception_leaves_no_file_and_no_end(path: Path, tmp_path: Path) -> None:
    def failing() -> Iterator[KBest]:
        yield small_lists()[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        written(path, failing())
    assert list(tmp_path.iterdir()) == []


def test_kind_and_version_are_checked(path: Path) -> None:
    written(path, [], Hope)
    with pytest.raises(DataError, match="expected a stream of kind 'kbest', found 'hope'"):
        read(path)
    header = {"kind": "kbest", "version": 99, "signature": ""}
    path.write_bytes(msgpack.packb(header))
    with pytest.raises(DataError, match="expected version 1 of 'kbest', found 99"):
        read(path)


@pytest.mark.parametrize("data", [b"", b"0 ||| a ||| LM0= 1", b"\x92\x01\x02", b"\xc1", b"\x01"])
def test_what_is_no_stream_is_said_to_be_none(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(DataError, match="expected a"):
        read(path)


def test_sids_ascend(path: Path) -> None:
    first, second = small_lists()
    with pytest.raises(ValueError, match="sentence 0 is written after sentence 3"):
        written(path, [second, first])


def hand_made(path: Path, *messages: object) -> None:
    """A stream with a right end record around messages that no Writer would write."""
    import xxhash

    header = {"kind": "kbest", "version": 1, "signature": ""}
    body = b"".join(msgpack.packb(message) for message in (header, *messages))
    checksum = xxhash.xxh3_64(body).digest()
    end = struct.pack(
        ">B4sBQ9sBB8s", 0x82, b"\xa3end", 0xCF, len(messages), b"\xa8checksum", 0xC4, 8, checksum
    )
    path.write_bytes(body + end)


RECORD: dict[str, object] = {
    "sid": 4,
    "names": ["LM0"],
    "text": Texts.of(["a"]).pack(),
    "dense_id": ["|u1", b"\x00"],
    "dense": pack_floats([1.0]),
}


def test_a_hand_made_stream_is_read(path: Path) -> None:
    hand_made(path, RECORD)
    assert read(path)[0]["features"] == [{"LM0": 1.0}]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"dense": float_column([np.nan])}, "sentence 4: feature 'LM0': expected a finite number"),
        ({"score": float_column([np.inf])}, "sentence 4: column 'score': expected finite"),
        ({"sid": -1}, "record 0: expected a sid, found -1"),
        ({"sid": "4"}, "record 0: expected a sid"),
        ({"names": [1]}, "sentence 4: expected a list of feature names"),
        ({"names": ["LM0", "LM0"]}, "feature name 'LM0' is declared twice"),
        ({"dense_id": ["|u1", b"\x01"]}, "expected ids below 1, found 1"),
        ({"text": [b"a", ["<i8", struct.pack("<q", 1 << 62)]]}, "lengths from 0 to 1"),
    ],
)
def test_a_damaged_record_is_named(path: Path, change: dict[str, object], problem: str) -> None:
    hand_made(path, {**RECORD, **change})
    with pytest.raises(DataError, match=problem):
        read(path)


def test_a_message_that_is_no_map(path: Path) -> None:
    hand_made(path, [1, 2])
    with pytest.raises(DataError, match="record 0: damaged: expected a map"):
        read(path)


def test_sids_that_do_not_ascend_are_refused(path: Path) -> None:
    hand_made(path, RECORD, {**RECORD, "names": []})
    with pytest.raises(DataError, match="sentence 4: expected a sentence after 4"):
        read(path)


def test_a_size_that_lies_allocates_nothing(path: Path) -> None:
    header = msgpack.packb({"kind": "kbest", "version": 1, "signature": ""})
    path.write_bytes(header + b"\x81\xa3sid\xc6\xff\xff\xff\xff" + b"x" * 100)
    with pytest.raises(DataError):
        read(path)


def test_the_checksum_is_of_the_content(path: Path) -> None:
    written(path, small_lists())
    with Reader(str(path), KBest) as records:
        assert records.checksum == ""
        assert len(list(records)) == 2
    first = records.checksum
    written(path, small_lists()[:1])
    with Reader(str(path), KBest) as records:
        list(records)
    assert len(first) == 16
    assert records.checksum != first


@pytest.mark.parametrize("head", [b"\xdd", b"\xdf", b"\xdb", b"\xc9"])
def test_a_claimed_size_allocates_nothing(tmp_path: Path, head: bytes) -> None:
    """Arrays, maps, strings and extensions of two billion entries, in a file of some bytes."""
    with Writer(str(tmp_path / "x"), KBest, "test"):
        pass
    path = tmp_path / "x"
    header = path.read_bytes()[:-33]
    path.write_bytes(
        header + b"\x82\xa3sid\x00\xa4text" + head + b"\x7f\xff\xff\xff" + b"\x00" * 64
    )
    with pytest.raises(DataError, match=r"record 0|after 0"), Reader(str(path), KBest) as reader:
        list(reader)


def test_the_header_holds_a_metric_as_data(path: Path) -> None:
    metric = {"name": "bleu", "gain": "bleu+1", "n_refs": 2}
    with Writer(str(path), KBest, "how", metric) as out:
        out.write(small_lists()[0])
    with Reader(str(path), KBest) as lists:
        assert (lists.signature, lists.metric) == ("how", metric)
        assert len(list(lists)) == 1
    written(path, small_lists())
    with Reader(str(path), KBest) as lists:
        assert lists.metric is None


def test_a_metric_that_is_no_map_is_refused(path: Path) -> None:
    written(path, [])
    header = {"kind": "kbest", "version": 1, "signature": "how", "metric": "bleu"}
    path.write_bytes(msgpack.packb(header))
    with pytest.raises(DataError, match="stream: header: expected a map 'metric', found str"):
        Reader(str(path), KBest)


@pytest.mark.parametrize("sid", [-1, 1 << 62, (1 << 64) - 1, True, 1.0, None])
def test_a_sentence_number_that_no_array_holds_is_refused(path: Path, sid: float | None) -> None:
    data = msgpack.packb({"kind": "kbest", "version": 1, "signature": ""})
    path.write_bytes(data + msgpack.packb({"sid": sid}))
    with pytest.raises(DataError, match="record 0: expected a sid, found"):
        read(path)


REFERENCE = InventoryReference(3, "0123456789abcdef" * 2)


def numbered(sid: int, *ids: int) -> KBest:
    names = NumberedNames(REFERENCE)
    row = np.array([ids], np.int32).reshape(-1, 1)
    features = Features.of_dense(row[:, 0], np.ones((len(ids), 1)))
    return KBest(sid, Texts.of(["a"]), features, names)


def test_lists_against_an_inventory_have_ids_alone(path: Path) -> None:
    lists = [numbered(0, 2, 0), numbered(4, 1)]
    with Writer(str(path), KBest, "how", inventory=REFERENCE) as out:
        for kbest in lists:
            out.write(kbest)
    asked: list[InventoryReference] = []

    def ask() -> InventoryReference:
        asked.append(REFERENCE)
        return REFERENCE

    again = path.with_name("again")
    with Writer(str(again), KBest, "how", inventory=ask) as out:
        for kbest in lists:
            out.write(kbest)
        assert asked == []
    assert again.read_bytes() == path.read_bytes()
    with Reader(str(path), KBest) as records:
        assert records.inventory == REFERENCE
        found = list(records)
    assert [kbest.features.dense_id.tolist() for kbest in found] == [[2, 0], [1]]
    assert found[0].names is records.names
    assert records.names[2] == "#2"
    assert b"names" not in path.read_bytes().replace(b"\x82\xa5names\x03", b"")


def test_lists_of_the_other_kind_are_not_written(path: Path) -> None:
    with pytest.raises(ValueError, match="take one in the header"):
        written(path, [numbered(0, 1)])
    out = Writer(str(path), KBest, "how", inventory=REFERENCE)
    with pytest.raises(ValueError, match="take one in the header"), out:
        out.write(small_lists()[0])
    assert not path.exists()


def test_names_in_lists_against_an_inventory_are_refused(path: Path) -> None:
    header = {"kind": "kbest", "version": 1, "inventory": REFERENCE.pack()}
    path.write_bytes(msgpack.packb(header) + msgpack.packb(RECORD))
    with pytest.raises(DataError, match="sentence 4: expected ids of the inventory, found names"):
        read(path)
    path.write_bytes(
        msgpack.packb(header) + msgpack.packb({**RECORD, "names": [], "dense_id": ["|u1", b"\x03"]})
    )
    with pytest.raises(DataError, match="expected ids below 3, found 3"):
        read(path)
