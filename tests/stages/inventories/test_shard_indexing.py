"""Shards indexed one by one, in any order: the inventory and the lists of one process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.manifest import Shard
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.kbest import KBest
from campanula.stages import index_features
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.shard_indexing import ShardIndexing
from tests.formats.collections.making import shards_of, write
from tests.formats.collections.test_collection import lists_of
from tests.stages.engines.any_order import AnyOrder
from tests.strategies import NAME


def streams(*collections: Path) -> list[Shard]:
    return [shard for path in collections for shard in Collection.open(os.fspath(path)).shards]


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def by_shards(folder: Path, seed: int, base: Path | None, *collections: Path) -> None:
    """Index collections shard by shard into G and out, as the command does with an engine."""
    (folder / "work").mkdir(exist_ok=True)
    signature = Collection.open(os.fspath(folder / "whole")).signature
    with (
        Growing(os.fspath(folder / "G"), True) as growing,
        CollectionWriter(os.fspath(folder / "out"), KBest, signature) as out,
    ):
        if base is not None:
            growing.take(Inventory.open(os.fspath(base)))
        given = None if base is None else os.fspath(base)
        shards = streams(*collections)
        indexing = ShardIndexing(AnyOrder(seed), os.fspath(folder / "work"), shards, given)
        indexing.write(indexing.grow(growing), out)
        growing.commit()


@given(shards=shards_of(names=NAME), seed=st.integers(0, 99))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_new_inventory(tmp_path_factory, shards, seed):
    folder = tmp_path_factory.mktemp("index")
    write(folder / "in", shards)
    command = [os.fspath(folder / "in"), "--inventory", os.fspath(folder / "F"), "-q", "-o"]
    assert index_features.main([*command, os.fspath(folder / "whole")]) == 0
    by_shards(folder, seed, None, folder / "in")
    assert content(folder / "out") == content(folder / "whole")
    one, other = (Inventory.open(os.fspath(folder / name)) for name in "FG")
    assert one.reference == other.reference
    assert one.count.tolist() == other.count.tolist()
    assert one.manifest.sentences == other.manifest.sentences


def test_lists_with_names_behind_lists_with_ids(tmp_path: Path) -> None:
    write(tmp_path / "a", [lists_of([0, 1]), lists_of([2])])
    write(tmp_path / "b", [lists_of([5]), lists_of([6, 7])])
    a, b, base = (os.fspath(tmp_path / name) for name in ("a", "b", "base"))
    indexed = os.fspath(tmp_path / "indexed")
    assert index_features.main([a, "--inventory", base, "-q", "-o", indexed]) == 0
    command = [indexed, b, "--extend", base, "--inventory", os.fspath(tmp_path / "F"), "-q", "-o"]
    assert index_features.main([*command, os.fspath(tmp_path / "whole")]) == 0
    by_shards(tmp_path, 3, tmp_path / "base", tmp_path / "indexed", tmp_path / "b")
    assert content(tmp_path / "out") == content(tmp_path / "whole")
    one, other = (Inventory.open(os.fspath(tmp_path / name)) for name in "FG")
    assert one.reference == other.reference
    assert one.count.tolist() == other.count.tolist()


def test_shards_out_of_order_are_named(tmp_path: Path) -> None:
    write(tmp_path / "a", [lists_of([0, 1])])
    write(tmp_path / "b", [lists_of([1, 2])])
    shards = streams(tmp_path / "a", tmp_path / "b")
    with (
        Growing(os.fspath(tmp_path / "G"), True) as growing,
        pytest.raises(DataError, match="sentence 1: expected a sentence after 1"),
    ):
        ShardIndexing(AnyOrder(1), os.fspath(tmp_path), shards).grow(growing)


def test_a_stream_that_has_changed_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "a", [lists_of([0, 1])])
    shards = streams(tmp_path / "a")
    write(tmp_path / "a", [lists_of([0, 3])])
    with (
        Growing(os.fspath(tmp_path / "G"), True) as growing,
        pytest.raises(DataError, match="sentence 3: expected sentences 0 to 1"),
    ):
        ShardIndexing(AnyOrder(1), os.fspath(tmp_path), shards).grow(growing)
