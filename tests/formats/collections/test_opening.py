"""One way to open lists, be they a stream or a collection, and to write the like."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.collections.opening import open_lists, open_writer
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, Writer
from tests.formats.collections.making import write
from tests.formats.collections.test_collection import lists_of
from tests.plain import plain


def copied(source: str, target: str | None) -> None:
    with (
        open_lists(source, KBest, by_shard=True) as lists,
        open_writer(lists, target, KBest, "how") as out,
    ):
        for kbest in lists:
            out.write(kbest)


def test_a_stream_gives_a_stream_and_a_collection_gives_one(tmp_path: Path) -> None:
    shards = [lists_of([0, 4]), lists_of([7, 8])]
    write(tmp_path / "dev", shards)
    copied(str(tmp_path / "dev"), str(tmp_path / "copy"))
    for path in (tmp_path / "dev").iterdir():
        assert (tmp_path / "copy" / path.name).read_bytes() == path.read_bytes()
    one = str(tmp_path / "dev" / "shard-00001.kbest")
    copied(one, str(tmp_path / "one"))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "dev" / "shard-00001.kbest").read_bytes()
    with open_lists(one, KBest) as lists:
        assert isinstance(lists, Reader)
        assert [plain(kbest) for kbest in lists] == [plain(kbest) for kbest in shards[1]]


def test_a_collection_needs_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "dev", [lists_of([0])])
    lists = open_lists(str(tmp_path / "dev"), KBest)
    assert isinstance(lists, CollectionReader)
    for path in (None, "-"):
        with pytest.raises(DataError, match="name it with -o"):
            open_writer(lists, path, KBest, "how")


def test_stdout_of_a_stream(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write(tmp_path / "dev", [lists_of([0])])
    path = tmp_path / "dev" / "shard-00000.kbest"
    copied(str(path), None)
    assert capsysbinary.readouterr().out == path.read_bytes()


def test_a_folder_without_a_manifest(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found a folder without"):
        open_lists(str(tmp_path), KBest)


def test_writers_of_both_are_alike(tmp_path: Path) -> None:
    of_one_stream = {"write_packed"}  # forks make what is written of a stream alone
    public = {name for name in dir(Writer) if not name.startswith("_")} - of_one_stream
    write(tmp_path / "dev", [lists_of([0])])
    with open_lists(str(tmp_path / "dev"), KBest) as lists:
        writer = open_writer(lists, str(tmp_path / "other"), KBest, "how")
    assert public <= set(dir(writer))
    with Reader(str(tmp_path / "dev" / "shard-00000.kbest"), KBest) as one:
        assert {name for name in vars(one) if not name.startswith("_")} <= set(dir(lists))
