"""Reads the shards of a collection one after the other, as one stream.

Each shard has its own table of names, which is as large as the shard needs.  The records have the
ids of one table, as those of a stream have (the inventory, if they are against one); or,
`by_shard`, each shard's records those of its own, which holds no more names at a time than one
shard has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar, cast

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.holding import check_header, held
from campanula.formats.collections.manifest import Shard
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.columns import shortened
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.renumbering import Renumbering
from campanula.formats.stream import Reader, StreamRecord

R = TypeVar("R", bound=StreamRecord)


class CollectionReader(Generic[R]):
    """Reads a collection as stream.Reader reads a stream: the same attributes, sids ascend.

    `names` that are given are those of the collection, which has been read before.  checksum is the
    collection's digest, once all was read.  Every shard is held to what the manifest says of it.
    Raises DataError that names the shard.
    """

    def __init__(
        self,
        collection: Collection,
        *kinds: type[R],
        names: Names | None = None,
        inventory: Inventory | None = None,
        by_shard: bool = False,
    ) -> None:
        self.collection = collection
        self.name = collection.path
        self.names = Names() if names is None else names
        self.count = 0
        self.checksum = ""
        self.shard = 0
        self._knows_names = names is not None
        self._by_shard = by_shard
        self.kind = self._kind_of(kinds)
        self._given = inventory
        if self.inventory is not None:
            self.names = self._inventory_names(self.inventory)

    def _inventory_names(self, reference: InventoryReference) -> Names:
        """Names of an inventory; raises DataError when the given one is another."""
        if self._given is None:
            return NumberedNames(reference, self.name)
        known = {shard.inventory: shard.path for shard in self.collection.shards}
        for shard_reference, path in known.items():
            if shard_reference is not None:
                self._given.check(shard_reference, path)
        return self._given

    def _kind_of(self, kinds: tuple[type[R], ...]) -> type[R]:
        found = self.collection.manifest.kind
        for kind in kinds:
            if found == kind.KIND:
                return kind
        expected = " or ".join(repr(kind.KIND) for kind in kinds)
        problem = f"expected a collection of {expected}, found {shortened(found)}"
        raise DataError(self.name, None, problem)

    @property
    def signature(self) -> str:
        """How the collection was made."""
        return self.collection.signature

    @property
    def metric(self) -> Mapping[str, Any] | None:
        """The metric by which it was scored, if it was."""
        return self.collection.metric

    @property
    def inventory(self) -> InventoryReference | None:
        """The inventory whose ids the records have, if they are not their own."""
        return self.collection.manifest.inventory

    @property
    def total(self) -> int:
        """Number of records that there are to read."""
        return self.collection.records

    @property
    def spans(self) -> list[tuple[int, int]]:
        """First and last sentence of every shard."""
        return [(shard.first, shard.last) for shard in self.collection.shards]

    @property
    def place(self) -> str:
        """Which shard is being read, for a progress bar."""
        return f"shard {self.shard + 1} of {len(self.collection.shards)}"

    def __iter__(self) -> Iterator[R]:
        for part in self.parts():
            yield from part

    def parts(self) -> Iterator[Iterator[R]]:
        """Yield the records of each shard; they are to be read before the next is asked for."""
        for number, shard in enumerate(self.collection.shards):
            self.shard = number
            with Reader(shard.path, self.kind, inventory=self._given) as reader:
                check_header(reader, self.collection.manifest, shard)
                yield self._records(reader, shard)
        self.checksum = self.collection.digest

    def _records(self, reader: Reader[R], shard: Shard) -> Iterator[R]:
        """The records of a shard, with ids of the table that they are to have."""
        renumbering = Renumbering(reader.names, self.names)
        if self._by_shard and reader.inventory is None:
            self.names = reader.names
        for record in held(reader, shard):
            self.count += 1
            yield self._with_names(record, renumbering, reader.name)

    def _with_names(self, record: R, renumbering: Renumbering, name: str) -> R:
        """The record with ids of the table `names`; ids of an inventory are what they are."""
        if self.inventory is not None and hasattr(record, "names"):
            return cast(R, replace(cast(Any, record), names=self.names))
        if self._by_shard or not isinstance(record, KBest):
            return record
        known = len(self.names)
        features = renumbering.of(record.features)
        if self._knows_names and len(self.names) > known:
            raise DataError(name, None, "expected the lists read before: they have changed")
        return cast(R, replace(record, names=self.names, features=features))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Nothing stays open: a shard is closed when it was read, or the iteration is given up."""
