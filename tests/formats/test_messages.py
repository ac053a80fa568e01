"""Messages of a file: read one by one, summed up but for the end record, refused where damaged."""

from __future__ import annotations

import io

import msgpack
import pytest
import xxhash

from campanula.formats import messages
from campanula.formats.errors import DataError
from campanula.formats.messages import MessageReader, end_record

RECORDS = [{"kind": "x"}, {"sid": 0, "blob": b"a" * 5000}]
BODY = b"".join(map(msgpack.packb, RECORDS))
WHOLE = BODY + end_record(1, xxhash.xxh3_64_digest(BODY))


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_the_checksum_is_of_what_comes_before_the_end_record(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(messages, "CHUNK", size)
    source = MessageReader(io.BytesIO(WHOLE), "dev")
    *records, end = source.messages
    assert records == RECORDS
    assert end == {"end": 1, "checksum": source.checksum()}
    assert source.at_end


def test_a_message_that_is_cut_is_not_the_end() -> None:
    source = MessageReader(io.BytesIO(WHOLE[:-1]), "dev")
    assert list(source.messages) == RECORDS
    assert not source.at_end


@pytest.mark.parametrize(("before", "place"), [(0, "header"), (1, "record 0"), (2, "record 1")])
def test_what_is_no_msgpack_is_named_by_its_place(before: int, place: str) -> None:
    whole = b"".join(map(msgpack.packb, RECORDS[:before]))
    source = MessageReader(io.BytesIO(whole + b"\xc1"), "dev")
    with pytest.raises(DataError, match=f"dev: {place}: expected a msgpack record"):
        list(source.messages)


def test_stdin_stays_open() -> None:
    for name, closed in (("dev", True), ("stdin", False)):
        file = io.BytesIO(WHOLE)
        MessageReader(file, name).close()
        assert file.closed == closed


def test_an_end_record_is_told_by_all_its_bytes() -> None:
    end = end_record(7, b"12345678")
    assert messages.parse_end(end) == (7, b"12345678".hex())
    assert len(end) == messages.END_SIZE
    assert messages.parse_end(end[1:]) is None
    for place in (0, 1, 4, 5, 14, 15, 22, 23, 24):
        other = bytearray(end)
        other[place] ^= 1
        changed = messages.parse_end(bytes(other))
        assert changed is None or changed != (7, b"12345678".hex())


@pytest.mark.parametrize("size", [1, 100, 1 << 18])
def test_messages_as_they_are(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(messages, "PART", size)
    source = MessageReader(io.BytesIO(WHOLE), "dev")
    assert next(source.messages) == RECORDS[0]
    parts = list(source.raw(0))
    data = b"".join(part.data for part in parts)
    assert data == WHOLE[len(msgpack.packb(RECORDS[0])) :]
    assert source.at_end
    assert [part.ends[-1] for part in parts] == [len(part.data) for part in parts]
    assert b"".join(part.since(0) for part in parts) == data
    assert parts[-1].since(len(parts[-1].ends)) == b""
    record, end = messages.unpacked(data, "dev", 0)
    assert record == RECORDS[1]
    assert end == {"end": 1, "checksum": source.checksum()}


def test_damage_is_of_the_record_where_it_is() -> None:
    wrong = io.BytesIO(BODY + b"\xc1" + BODY)
    whole = MessageReader(wrong, "dev")
    with pytest.raises(DataError) as expected:
        list(whole.messages)
    source = MessageReader(io.BytesIO(BODY + b"\xc1" + BODY), "dev")
    next(source.messages)
    parts = source.raw(0)
    assert len(next(parts).ends) == 1
    with pytest.raises(DataError) as found:
        next(parts)
    assert str(found.value) == str(expected.value)
    assert "record 1" in str(found.value)
    with pytest.raises(DataError, match=r"dev: record 6: .*damaged"):
        list(messages.unpacked(BODY + b"\xa1\xff", "dev", 4))
