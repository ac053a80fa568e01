"""Reads the shards of a collection one after the other, as one stream.

Each shard declares the names that it uses.  By default all records are renumbered to one names
table (or have the ids of one inventory).  With `by_shard` the records of a shard keep the ids of
its own table, so memory holds the names of one shard at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar, cast

from campanula.formats.collections.checking import check_header, checked_records
from campanula.formats.collections.collection import Collection
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

    names: a table that has all names already, since the collection has been read before.  The
    attribute `checksum` is the collection's digest once all shards have been read.  Every shard is
    checked against the manifest.  Raises DataError that names the shard.
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
        self._has_all_names = names is not None
        self._by_shard = by_shard
        self.kind = self._kind_of(kinds)
        self._required_inventory = inventory
        if self.inventory is not None:
            self.names = self._inventory_names(self.inventory)

    def _inventory_names(self, reference: InventoryReference) -> Names:
        """Return the names of an inventory; raises DataError when another one is required."""
        if self._required_inventory is None:
            return NumberedNames(reference, self.name)
        # a dict, to check each of a few different inventories once
        inventories = {shard.inventory: shard.path for shard in self.collection.shards}
        for shard_reference, path in inventories.items():
            if shard_reference is not None:
                self._required_inventory.check(shard_reference, path)
        return self._required_inventory

    def _kind_of(self, kinds: tuple[type[R], ...]) -> type[R]:
        kind_name = self.collection.manifest.kind
        for kind in kinds:
            if kind_name == kind.KIND:
                return kind
        expected = " or ".join(repr(kind.KIND) for kind in kinds)
        problem = f"expected a collection of {expected}, found {shortened(kind_name)}"
        raise DataError(self.name, None, problem)

    @property
    def signature(self) -> str:
        """How the collection was made."""
        return self.collection.signature

    @property
    def metric(self) -> Mapping[str, Any] | None:
        """The metric by which the records were scored; None if they were not."""
        return self.collection.metric

    @property
    def inventory(self) -> InventoryReference | None:
        """The inventory of the records' ids; None if the shards declare their own names."""
        return self.collection.manifest.inventory

    @property
    def total(self) -> int:
        """Number of records of all shards."""
        return self.collection.records

    @property
    def spans(self) -> list[tuple[int, int]]:
        """First and last sentence of every shard."""
        return [(shard.first, shard.last) for shard in self.collection.shards]

    @property
    def place(self) -> str:
        """The shard that is being read, for a progress bar: `shard 2 of 8`."""
        return f"shard {self.shard + 1} of {len(self.collection.shards)}"

    def __iter__(self) -> Iterator[R]:
        for records in self.records_by_shard():
            yield from records

    def records_by_shard(self) -> Iterator[Iterator[R]]:
        """Yield an iterator of records per shard; read each to its end before the next."""
        for number, shard in enumerate(self.collection.shards):
            self.shard = number
            with Reader(shard.path, self.kind, inventory=self._required_inventory) as reader:
                check_header(reader, self.collection.manifest, shard)
                yield self._records(reader, shard)
        # only now has every shard been compared with the manifest
        self.checksum = self.collection.digest

    def _records(self, reader: Reader[R], shard: Shard) -> Iterator[R]:
        """Yield the checked records of a shard, with ids of `self.names`."""
        renumbering = Renumbering(reader.names, self.names)
        if self._by_shard and reader.inventory is None:
            self.names = reader.names
        for record in checked_records(reader, shard):
            self.count += 1
            yield self._with_names(record, renumbering, reader.name)

    def _with_names(self, record: R, renumbering: Renumbering, name: str) -> R:
        """Return the record with ids of `self.names`; an inventory's ids need no renumbering."""
        if self.inventory is not None and hasattr(record, "names"):
            return cast(R, replace(cast(Any, record), names=self.names))
        if self._by_shard or not isinstance(record, KBest):
            return record
        size = len(self.names)
        features = renumbering.renumbered(record.features)
        # renumbering has added a name that the table of the first reading did not have
        if self._has_all_names and len(self.names) > size:
            raise DataError(name, None, "expected the lists read before: they have changed")
        return cast(R, replace(record, names=self.names, features=features))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Do nothing: `records_by_shard` closes each shard itself."""
