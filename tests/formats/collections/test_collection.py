"""Collections: every kind of damage is refused in one line that names the shard."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from campanula.formats.collections.collection import Collection, is_collection
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import check_place
from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from tests.formats.collections.making import edited, write


def lists_of(sids: list[int], value: float = 0.5) -> list[KBest]:
    names = Names()
    return [
        KBest(
            sid,
            Texts.of(["ein", "zwei"]),
            Features.of([{"LM0": value, f"s{sid}": 2.0}, {"LM0": 1.0}], names),
            names,
            score=np.array([0.0, value]),
        )
        for sid in sids
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "dev", [lists_of([0, 1, 2]), lists_of([3, 4, 5]), lists_of([6, 7, 8])])
    return tmp_path / "dev"


def read(folder: Path) -> list[int]:
    with CollectionReader(Collection.open(str(folder)), KBest) as lists:
        return [kbest.sid for kbest in lists]


def test_a_whole_collection(folder: Path) -> None:
    assert is_collection(str(folder))
    collection = Collection.open(str(folder))
    assert [(shard.first, shard.last) for shard in collection.shards] == [(0, 2), (3, 5), (6, 8)]
    assert [shard.hypotheses for shard in collection.shards] == [6, 6, 6]
    assert (collection.records, collection.signature, collection.metric) == (9, "how", None)
    assert read(folder) == list(range(9))


def test_what_is_no_collection(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    paths = [folder / "shard-00000.kbest", tmp_path / "empty", tmp_path / "nothing", "-"]
    assert not any(is_collection(str(path)) for path in paths)
    with pytest.raises(DataError, match="found a folder without"):
        Collection.open(str(tmp_path / "empty"))


def missing(folder: Path) -> None:
    (folder / "shard-00001.kbest").unlink()


def swapped(folder: Path) -> None:
    one, other = folder / "shard-00001.kbest", folder / "shard-00002.kbest"
    one.rename(folder / "x")
    other.rename(one)
    (folder / "x").rename(other)


def truncated(folder: Path) -> None:
    path = folder / "shard-00001.kbest"
    path.write_bytes(path.read_bytes()[:-1])


def emptied(folder: Path) -> None:
    (folder / "shard-00001.kbest").write_bytes(b"")


def flipped(folder: Path) -> None:
    path = folder / "shard-00001.kbest"
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 4
    path.write_bytes(whole)


def of_another_run(folder: Path) -> None:
    write(folder.parent / "other", [lists_of([0, 1, 2]), lists_of([3, 4, 5], value=0.25)])
    shutil.copy(folder.parent / "other" / "shard-00001.kbest", folder)


def longer(folder: Path) -> None:
    with open(folder / "shard-00001.kbest", "ab") as file:
        file.write(b"\x00")


def a_folder(folder: Path) -> None:
    (folder / "shard-00001.kbest").unlink()
    (folder / "shard-00001.kbest").mkdir()


DAMAGES: dict[Callable[[Path], None], str] = {
    missing: "expected this shard, which collection.json lists, found no such file",
    swapped: "a shard of another place or run",
    truncated: "cut off or damaged",
    emptied: "cut off or damaged",
    flipped: ": ",
    of_another_run: "a shard of another place or run",
    longer: "cut off or damaged",
    a_folder: "Is a directory",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_shard_is_named(folder: Path, damage: Callable[[Path], None]) -> None:
    damage(folder)
    with pytest.raises(DataError, match=DAMAGES[damage]) as failure:
        read(folder)
    assert failure.value.where == str(folder / "shard-00001.kbest")
    assert "\n" not in str(failure.value)


def test_what_is_missing_or_foreign_is_refused_before_anything_is_read(folder: Path) -> None:
    for damage in (missing, swapped):
        copy = folder.parent / damage.__name__
        shutil.copytree(folder, copy)
        damage(copy)
        with pytest.raises(DataError):
            Collection.open(str(copy))


def test_a_shard_that_changes_while_the_collection_is_read_is_named(folder: Path) -> None:
    with CollectionReader(Collection.open(str(folder)), KBest) as lists:
        records = iter(lists)
        next(records)
        of_another_run(folder)
        with pytest.raises(DataError, match="it has changed since") as failure:
            list(records)
    assert failure.value.where == str(folder / "shard-00001.kbest")


@pytest.mark.parametrize("name", ["shard-00003.kbest", "dev.kbest", "notes"])
def test_a_foreign_file_is_named(folder: Path, name: str) -> None:
    (folder / name).write_text("x")
    with pytest.raises(DataError, match="found a file more") as failure:
        Collection.open(str(folder))
    assert failure.value.where == str(folder / name)


def test_hidden_files_do_not_count(folder: Path) -> None:
    (folder / ".DS_Store").write_text("x")
    assert read(folder) == list(range(9))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": 2}, "expected sentences 2 to 2, 1 records"),
        ({"hypotheses": 7}, "7 hypotheses, as collection.json says, found"),
        ({"last": 9}, "expected sentences 0 to 9"),
    ],
)
def test_a_manifest_that_says_what_is_not_so(
    tmp_path: Path, change: dict[str, int], message: str
) -> None:
    write(tmp_path / "dev", [lists_of([0])] if "first" not in change else [lists_of([1])])

    def edit(content: dict[str, Any]) -> None:
        content["shards"][0].update(change, last=max(change.get("first", 0), change.get("last", 0)))
        content["hypotheses"] = content["shards"][0]["hypotheses"]

    edited(tmp_path / "dev", edit)
    with pytest.raises(DataError) as failure:
        read(tmp_path / "dev")
    assert failure.value.where == str(tmp_path / "dev" / "shard-00000.kbest")


@pytest.mark.parametrize("key", ["signature", "metric"])
def test_a_manifest_of_another_header(folder: Path, key: str) -> None:
    edited(folder, lambda content: content.update({key: {"name": "x"} if key == "metric" else "x"}))
    with pytest.raises(DataError, match=f"expected the {key} that collection.json has"):
        read(folder)


def test_a_folder_that_may_not_be_listed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", refused)
    with pytest.raises(DataError, match="dev: cannot be read: Permission denied"):
        Collection.open(str(folder))
    with pytest.raises(DataError, match="dev: cannot be written: Permission denied"):
        check_place(str(folder))


@pytest.mark.parametrize("name", ["shard-00001.kbest", "collection.json"])
def test_a_pipe_or_a_device_is_no_part_of_it(folder: Path, name: str) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(DataError, match=rf"{name}: expected a file, found a pipe"):
        Collection.open(str(folder))
    (folder / name).unlink()
    (folder / name).symlink_to("/dev/zero")
    with pytest.raises(DataError, match=rf"{name}: expected a file, found a pipe"):
        Collection.open(str(folder))
