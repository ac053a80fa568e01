"""Shards as tasks: what comes together is what one process makes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.stages.engines.local_engine import LocalEngine
from campanula.stages.engines.shards import adopted, open_shard, shard_arguments, write_shard
from campanula.stages.engines.task import Task, task
from tests.formats.collections.making import write
from tests.formats.collections.test_collection import lists_of


def copy(arguments: Mapping[str, Any], output: str) -> dict[str, Any]:
    """Write the lists of a shard as they are."""
    with open_shard(arguments, KBest) as lists:
        return write_shard(output, lists, KBest, lists.signature, lists.metric)


def tasks_of(collection: Collection, folder: Path) -> list[Task]:
    return [
        task(
            os.fspath(folder),
            "copy",
            "tests.stages.engines.test_shards:copy",
            shard_arguments(collection, number),
            shard.checksum,
            ".kbest",
        )
        for number, shard in enumerate(collection.shards)
    ]


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_shards_become_a_collection(tmp_path: Path) -> None:
    write(tmp_path / "dev", [lists_of([0, 1]), lists_of([2]), lists_of([5, 7])])
    dev = Collection.open(os.fspath(tmp_path / "dev"))
    (tmp_path / "work").mkdir()
    with CollectionWriter(os.fspath(tmp_path / "out"), KBest, "how") as out:
        tasks = tasks_of(dev, tmp_path / "work")
        values = list(adopted(LocalEngine(2), tasks, "copy", out))
    assert [value["counts"]["records"] for value in values] == [2, 1, 2]
    assert content(tmp_path / "out") == content(tmp_path / "dev")


def test_a_shard_is_read_alone(tmp_path: Path) -> None:
    write(tmp_path / "dev", [lists_of([0, 1]), lists_of([2]), lists_of([5, 7])])
    dev = Collection.open(os.fspath(tmp_path / "dev"))
    with open_shard(shard_arguments(dev, 2), KBest) as lists:
        assert isinstance(lists, CollectionReader)
        assert lists.name == os.fspath(tmp_path / "dev")
        assert [kbest.sid for kbest in lists] == [5, 7]


def test_a_collection_that_has_changed_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "dev", [lists_of([0, 1])])
    arguments = shard_arguments(Collection.open(os.fspath(tmp_path / "dev")), 0)
    write(tmp_path / "dev", [lists_of([0, 2])])
    with pytest.raises(DataError, match=r"collection\.json: .*it has changed"):
        open_shard(arguments, KBest)
