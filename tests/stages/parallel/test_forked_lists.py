"""Forks take lists as one process does: the same lists, the same errors of the same ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack
import pytest
import xxhash

from campanula.formats import messages
from campanula.formats.errors import DataError
from campanula.formats.messages import end_record
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages.parallel import forked_lists
from campanula.stages.parallel.forked_lists import (
    PackedLists,
    Passed,
    Share,
    can_be_shared,
    in_parts,
)
from tests.examples import random_lists, write_kbest

N_LISTS = 40
Messages = list[dict[str, Any]]


class Names(Share):
    """A list becomes the names of its features and its texts; some are not taken."""

    def __init__(self, refused: int = -1) -> None:
        self._refused = refused
        self._count = 0

    def work(self, kbest: KBest) -> bytes:
        if kbest.sid == self._refused:
            raise KeyError(kbest.sid)
        self._count += 1
        return line(kbest)

    def notes(self) -> int:
        count, self._count = self._count, 0
        return count


def line(kbest: KBest) -> bytes:
    rows = list(kbest.features.rows(kbest.names))
    return f"{kbest.sid} {kbest.id} {list(kbest.text)} {rows} {list(kbest.names)}\n".encode()


def one_by_one(path: Path) -> Iterator[bytes]:
    with Reader(str(path), KBest) as lists:
        yield from map(line, lists)


def by_forks(path: Path, refused: int = -1) -> Iterator[bytes]:
    """The same, of lists that were passed, and of those that were left."""
    waiting: list[Passed] = []
    with Reader(str(path), KBest) as lists:
        for item in in_parts(lists, Names(refused), 2):
            if isinstance(item, Passed):
                waiting.append(item)
            elif isinstance(item, KBest):
                yield line(item)
            else:
                yield from lines_of(item, waiting)
                waiting.clear()
    assert not waiting


def lines_of(part: PackedLists, waiting: list[Passed]) -> Iterator[bytes]:
    assert part.lists == waiting
    assert part.notes == len(part.lists)
    start = 0
    for passed, end in zip(part.lists, part.ends, strict=True):
        found = bytes(part.data[start:end])
        assert found.startswith(f"{passed.sid} {passed.id} ".encode())
        yield found
        start = end


def result_of(lines: Iterator[bytes]) -> tuple[list[bytes], str]:
    """The lines, and the error that they end with."""
    found: list[bytes] = []
    try:
        found.extend(lines)
    except DataError as error:
        return found, str(error)
    return found, ""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stream of lists with names that come one after another; and small parts to work on."""
    monkeypatch.setattr(messages, "PART", 1500)
    monkeypatch.setattr(messages, "CHUNK", 700)
    lists = random_lists(11, N_LISTS)[0]
    lists = [replace(one, id=f"utt{one.sid}" if one.sid % 3 else None) for one in lists]
    write_kbest(tmp_path / "dev", lists)
    return tmp_path / "dev"


@pytest.mark.parametrize("refused", [-1, 0, 17, N_LISTS - 1])
def test_lists_are_the_same(path: Path, refused: int) -> None:
    assert list(by_forks(path, refused)) == list(one_by_one(path))


def unpacked(path: Path) -> Messages:
    unpacker = msgpack.Unpacker(raw=False)
    unpacker.feed(path.read_bytes())
    return list(unpacker)


def packed(path: Path, header_and_records: Messages) -> None:
    data = b"".join(map(msgpack.packb, header_and_records))
    count = len(header_and_records) - 1
    path.write_bytes(data + end_record(count, xxhash.xxh3_64_digest(data)))


def names_behind(records: Messages) -> None:
    records[20] = {**records[20], "names": ["odd one"]}


def names_only_behind(records: Messages) -> None:
    for place, record in enumerate(records):
        records[place] = {key: record[key] for key in sorted(record, reverse=True)}


def names_twice(records: Messages) -> None:
    records[20] = {"names": ["LM0"], **records[20]}


def names_of_another_kind(records: Messages) -> None:
    records[20] = {"names": 7, **records[20]}


def names_too_late(records: Messages) -> None:
    records[30]["names"] = records[1].pop("names")


def out_of_order(records: Messages) -> None:
    records[25], records[26] = records[26], records[25]


def another_width(records: Messages) -> None:
    for place, record in enumerate(records[1:], 1):
        width = 3 if place > 21 else 2
        record["stats"] = ["|u1", bytes(width * len(record["text"][1][1]))]


def no_texts(records: Messages) -> None:
    del records[33]["text"]


def an_end_in_the_middle(records: Messages) -> None:
    records[12]["end"] = 11


CHANGES: list[Callable[[Messages], None]] = [
    names_behind,
    names_only_behind,
    names_twice,
    names_of_another_kind,
    names_too_late,
    out_of_order,
    another_width,
    no_texts,
    an_end_in_the_middle,
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_odd_or_wrong_is_taken_as_by_one_process(
    path: Path, change: Callable[[Messages], None]
) -> None:
    *records, _ = unpacked(path)
    change(records)
    packed(path, records)
    expected = result_of(one_by_one(path))
    assert result_of(by_forks(path)) == expected
    is_fine = change in (names_behind, names_only_behind)
    assert bool(expected[1]) != is_fine


def test_a_cut_or_damaged_stream_is_refused_as_by_one_process(path: Path) -> None:
    whole, chance = path.read_bytes(), random.Random(1)
    for _ in range(12):
        place = chance.randrange(400, len(whole))
        cut = whole[:place]
        for wrong in (cut, cut + b"\xc1" + whole[place + 1 :], whole + cut[:1], whole + whole):
            path.write_bytes(wrong)
            expected = result_of(one_by_one(path))
            assert result_of(by_forks(path)) == expected
    path.write_bytes(whole[:-8] + b"12345678")
    assert "the checksum does not fit" in result_of(by_forks(path))[1]


def test_what_can_be_shared(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked_lists, "can_fork", lambda: True)
    with Reader(str(path), KBest) as lists:
        assert can_be_shared(lists, 2)
        assert not can_be_shared(lists, 1)
        assert not can_be_shared(list(lists), 2)
        monkeypatch.setattr(forked_lists, "can_fork", lambda: False)
        assert not can_be_shared(lists, 2)
