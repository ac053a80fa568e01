"""A stream from the shelf is the stream from the file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.formats import shelf, stream
from campanula.formats.errors import DataError
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, Writer
from tests.examples import random_lists, write_kbest


@pytest.fixture
def path(tmp_path: Path) -> str:
    return write_kbest(tmp_path / "dev.kbest", random_lists(1, n_lists=5)[0])


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that Readers open."""
    names: list[str] = []
    plain = stream.open_input

    def open_input(path: str) -> object:
        names.append(path)
        return plain(path)

    monkeypatch.setattr(stream, "open_input", open_input)
    return names


def everything(path: str) -> object:
    """All that a Reader says, record by record, as the names grow."""
    with Reader(path, KBest) as lists:
        said = []
        for kbest in lists:
            assert kbest.names is lists.names
            rows = list(kbest.features.rows(lists.names))
            said.append((kbest.sid, list(kbest.text), rows, list(lists.names), lists.count))
        return said, lists.signature, lists.checksum, lists.kind, lists.name


def test_nothing_is_held_unless_asked(path: str, opened: list[str]) -> None:
    assert everything(path) == everything(path)
    assert opened == [path, path]


def test_the_shelf_says_what_the_file_says(path: str, opened: list[str]) -> None:
    expected = everything(path)
    with shelf.holding(path):
        assert [everything(path) for _ in range(3)] == [expected] * 3
    assert everything(path) == expected
    assert opened == [path] * 3


def test_what_is_written_from_it_is_the_same(path: str, tmp_path: Path) -> None:
    def copy(name: str) -> bytes:
        out = tmp_path / name
        with Reader(path, KBest) as lists, Writer(os.fspath(out), KBest, "copy") as copied:
            for kbest in lists:
                copied.write(kbest)
        return out.read_bytes()

    with shelf.holding(path):
        assert copy("first") == copy("second")


def test_a_changed_file_is_read(path: str, tmp_path: Path) -> None:
    with shelf.holding(path):
        before = everything(path)
        os.replace(write_kbest(tmp_path / "new", random_lists(2, n_lists=3)[0]), path)
        assert everything(path) != before


def test_other_files_and_half_read_ones_are_not_held(path: str, opened: list[str]) -> None:
    other = write_kbest(Path(path).with_name("other"), random_lists(2)[0])
    with shelf.holding(path):
        with Reader(path, KBest) as lists:
            next(iter(lists))
        for _ in range(2):
            everything(other)
        everything(path)
    assert opened == [path, other, other, path]


def test_a_damaged_file_is_refused_each_time(path: str) -> None:
    Path(path).write_bytes(Path(path).read_bytes()[:-1])
    with shelf.holding(path):
        for _ in range(2):
            with pytest.raises(DataError):
                everything(path)


def test_another_kind_is_still_refused(path: str) -> None:
    with shelf.holding(path):
        everything(path)
        with pytest.raises(DataError, match="expected a stream of kind 'hope'"):
            Reader(path, Hope)


def test_a_large_file_is_not_held(
    path: str, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelf, "LIMIT", 10)
    with shelf.holding(path):
        assert everything(path) == everything(path)
    assert opened == [path, path]
