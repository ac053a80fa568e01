"""Opens k-best lists, hopes or lattices, in one stream or a collection, and writes the same form.

    with open_lists(path, KBest) as lists, open_writer(lists, output, KBest, "sorted") as out:
        for kbest in lists:
            out.write(kbest)

Output made from a collection is a collection, whose shards have the same sentences.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.names import Names
from campanula.formats.stream import Reader, StreamInventory, StreamRecord, Writer

R = TypeVar("R", bound=StreamRecord)
In = TypeVar("In", bound=StreamRecord, contravariant=True)
Out = TypeVar("Out", bound=StreamRecord, covariant=True)


class ContextManaged(Protocol):
    """A context manager: used in a `with` statement, closed at its end."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class OpenedLists(ContextManaged, Protocol[Out]):
    """A Reader of a stream, or of a collection."""

    name: str
    names: Names
    count: int
    checksum: str

    @property
    def kind(self) -> type[StreamRecord]:
        """Kind of the records."""
        ...

    @property
    def signature(self) -> str:
        """Signature of the header: which commands and settings made the records."""
        ...

    @property
    def metric(self) -> Mapping[str, Any] | None:
        """The metric by which the records were scored; None if they were not."""
        ...

    @property
    def inventory(self) -> InventoryReference | None:
        """The inventory of the records' ids; None if the stream declares its names."""
        ...

    def __iter__(self) -> Iterator[Out]: ...


class ListWriter(ContextManaged, Protocol[In]):
    """A Writer of a stream, or of a collection."""

    @property
    def count(self) -> int:
        """Number of records written so far."""
        ...

    def write(self, record: In) -> None:
        """Write one record; sentence ids ascend."""
        ...


def open_lists(
    path: str,
    *kinds: type[R],
    names: Names | None = None,
    inventory: Inventory | None = None,
    by_shard: bool = False,
) -> OpenedLists[R]:
    """Open a stream's file, `-` (stdin), or a collection for reading; raises DataError.

    names: a table that has all names already, since the lists have been read before; inventory:
    that of the lists, as with Reader.  All records have ids of one names table; with by_shard,
    each shard of a collection has a table of its own.
    """
    if path != "-" and os.path.isdir(path):
        collection = Collection.open(path)
        return CollectionReader(
            collection, *kinds, names=names, inventory=inventory, by_shard=by_shard
        )
    return Reader(path, *kinds, names=names, inventory=inventory)


def shard_by_shard(lists: OpenedLists[R]) -> Iterator[Iterator[R]]:
    """Yield an iterator of records per shard of a collection; a stream counts as one shard."""
    yield from lists.records_by_shard() if isinstance(lists, CollectionReader) else [iter(lists)]


def open_writer(
    lists: OpenedLists[Any],
    path: str | None,
    kind: type[R],
    signature: str,
    metric: Mapping[str, object] | None = None,
    first: Sequence[int] = (),
    inventory: StreamInventory | None = None,
) -> ListWriter[R]:
    """Open a writer of the same form as `lists`: a stream, or a collection in the folder `path`.

    first: the sentences with which the shards begin, by default those of `lists`.  Records of the
    same kind as `lists` also have the inventory of `lists`, unless one is given.  Raises DataError
    for a collection without a path.
    """
    # records of the same kind keep their ids, so they stay against the same inventory
    if inventory is None and kind.KIND == lists.kind.KIND:
        inventory = lists.inventory
    if not isinstance(lists, CollectionReader):
        return Writer(path, kind, signature, metric, inventory)
    if path is None or path == "-":
        problem = "what is made of a collection is a collection, a folder: name it with -o"
        raise DataError(lists.name, None, problem)
    first = first or [start for start, _ in lists.spans]
    return CollectionWriter(path, kind, signature, metric, first, inventory)
