"""Reading a collection is reading the one stream that its shards are together."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.opening import open_lists, open_writer
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.features import Features
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader, Writer
from campanula.stages.inventories.growing import Growing
from tests.formats.collections.making import edited, shards_of, write
from tests.plain import plain
from tests.strategies import hopes

METRIC = {"name": "bleu"}


@settings(max_examples=15)
@given(shards_of())
def test_a_collection_is_the_stream_of_its_shards(shards: list[list[KBest]]) -> None:
    lists = [kbest for shard in shards for kbest in shard]
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "dev", shards, metric=METRIC)
        with Writer(f"{folder}/one", KBest, "how", METRIC) as out:
            for kbest in lists:
                out.write(kbest)
        with Reader(f"{folder}/one", KBest) as one:
            expected = [plain(kbest) for kbest in one]
        collection = Collection.open(path)
        with CollectionReader(collection, KBest) as together:
            read = list(together)
            assert [plain(kbest) for kbest in read] == expected
            assert {id(kbest.names) for kbest in read} == {id(together.names)}
            # the names in the order in which they are met, as in one stream
            assert sorted(together.names) == sorted(one.names)
            assert (together.signature, together.metric) == (one.signature, one.metric)
            assert (together.count, together.name) == (one.count, path)
            assert together.checksum == collection.digest
        with CollectionReader(collection, KBest, names=together.names) as again:
            assert [plain(kbest) for kbest in again] == expected
        with CollectionReader(collection, KBest, by_shard=True) as by_shard:
            read = list(by_shard)
            assert [plain(kbest) for kbest in read] == expected
            assert len({id(kbest.names) for kbest in read}) == len(shards)


@settings(max_examples=15)
@given(hopes().filter(bool))
def test_hopes(records: list[Hope]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "dev", [[hope] for hope in records], Hope)
        with CollectionReader(Collection.open(path), KBest, Hope) as read:
            assert [plain(hope) for hope in read] == [plain(hope) for hope in records]
        with pytest.raises(DataError, match="expected a collection of 'kbest', found 'hope'"):
            CollectionReader(Collection.open(path), KBest)


@settings(max_examples=15)
@given(shards_of(), shards_of())
def test_names_that_were_not_there_before_are_refused(
    shards: list[list[KBest]], others: list[list[KBest]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        known = []
        for number, part in enumerate((shards, others)):
            path = write(Path(folder) / str(number), part)
            with CollectionReader(Collection.open(path), KBest) as lists:
                list(lists)
            known.append((path, lists.names))
        (_, names), (path, other) = known
        reader = CollectionReader(Collection.open(path), KBest, names=names)
        if set(other) <= set(names):
            list(reader)
        else:
            with pytest.raises(DataError, match="they have changed"):
                list(reader)


@pytest.fixture
def growing(tmp_path: Path) -> Iterator[Growing]:
    """An inventory of two names that will have three."""
    with Growing(str(tmp_path / "F"), new=True) as inventory:
        inventory.ids_of_names(["LM0", "block:haus|house"])
        inventory.commit()
        yield inventory


def against(reference: InventoryReference, sid: int, number: int) -> KBest:
    """A list with two features, by the ids of an inventory."""
    table = Names([f"#{i}" for i in range(number + 1)])
    features = Features.of([{"#0": 1.0, f"#{number}": 0.5}], table)
    return KBest(sid, Texts.of(["a"]), features, NumberedNames(reference))


def test_lists_against_an_inventory(tmp_path: Path, growing: Growing) -> None:
    reference = Inventory.open(str(tmp_path / "F")).reference
    path = str(tmp_path / "dev")
    with CollectionWriter(path, KBest, "how", first=[0, 1], inventory=reference) as out:
        for sid in range(3):
            out.write(against(reference, sid, 1))
    for by_shard in (False, True):
        with open_lists(path, KBest, by_shard=by_shard) as lists:
            assert lists.inventory == reference
            assert {id(kbest.names) for kbest in lists} == {id(lists.names)}
            assert lists.names[1] == "#1"
        inventory = Inventory.open(str(tmp_path / "F"))
        with open_lists(path, KBest, inventory=inventory, by_shard=by_shard) as lists:
            rows = [list(kbest.features.rows(kbest.names)) for kbest in lists]
        assert rows == [[{"LM0": 1.0, "block:haus|house": 0.5}]] * 3


def names_of(collection: Collection) -> list[int | None]:
    """Size of the inventory of each shard; None without one."""
    inventories = [shard.inventory for shard in collection.shards]
    return [None if inventory is None else inventory.names for inventory in inventories]


def test_an_inventory_that_grows_while_the_shards_are_made(
    tmp_path: Path, growing: Growing
) -> None:
    def reference() -> InventoryReference:
        growing.ids_of_names([f"name{growing.commit().names}"])
        return growing.commit()

    path = str(tmp_path / "dev")
    start = growing.commit()
    with CollectionWriter(path, KBest, "how", first=[0, 1], inventory=reference) as out:
        out.write(against(start, 0, 2))
        out.write(against(start, 1, 3))
    collection = Collection.open(path)
    assert names_of(collection) == [3, 4]
    assert collection.inventory is not None
    assert collection.inventory.names == 4
    inventory = Inventory.open(str(tmp_path / "F"))
    with open_lists(path, KBest, inventory=inventory) as lists:
        rows = [list(kbest.features.rows(kbest.names)) for kbest in lists]
    assert rows == [[{"LM0": 1.0, "name2": 0.5}], [{"LM0": 1.0, "name3": 0.5}]]
    with open_lists(path, KBest) as lists:
        copied = open_writer(lists, str(tmp_path / "copy"), KBest, "copy")
        with copied:
            for kbest in lists:
                copied.write(kbest)
    assert names_of(Collection.open(str(tmp_path / "copy"))) == [4, 4]


def test_another_inventory_is_refused(tmp_path: Path, growing: Growing) -> None:
    path = str(tmp_path / "dev")
    reference = InventoryReference(2, "0" * 32)
    with CollectionWriter(path, KBest, "how", inventory=reference) as out:
        out.write(against(reference, 0, 1))
    with pytest.raises(DataError, match=r"shard-00000.kbest: is against another inventory"):
        open_lists(path, KBest, inventory=Inventory.open(str(tmp_path / "F")))
    edited(tmp_path / "dev", lambda content: content["inventory"].update(digest="1" * 32))
    with open_lists(path, KBest) as lists, pytest.raises(DataError, match="expected the inventory"):
        list(lists)
