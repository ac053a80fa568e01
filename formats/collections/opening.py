"""Opens k-best lists, hopes or lattices, be they one stream or a collection, and writes the like.

    with open_lists(path, KBest) as lists, like(lists, output, KBest, signature) as out:
        for kbest in lists:
            out.write(kbest)

What is made of a collection is one, shard by shard of the same sentences.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeAlias, TypeVar

from campanula.formats.collections.collection import Collection
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.names import Names
from campanula.formats.stream import Known, Reader, StreamRecord, Writer

R = TypeVar("R", bound=StreamRecord)
Lists: TypeAlias = Reader[R] | CollectionReader[R]
ListWriter: TypeAlias = Writer[R] | CollectionWriter[R]


def open_lists(
    path: str,
    *kinds: type[R],
    names: Names | None = None,
    by_shard: bool = False,
    inventory: Inventory | None = None,
) -> Lists[R]:
    """Reader of a stream's file, of `-`, or of a collection; raises DataError.

    All records have ids of one table, that of the reader; by_shard: those of a shard have one.
    Given `names` are those of what is there, which has been read before.
    """
    if path != "-" and os.path.isdir(path):
        collection = Collection.open(path)
        return CollectionReader(
            collection, *kinds, names=names, by_shard=by_shard, inventory=inventory
        )
    return Reader(path, *kinds, names=names, inventory=inventory)


def like(
    lists: Lists[Any],
    path: str | None,
    kind: type[R],
    signature: str,
    metric: Mapping[str, object] | None = None,
    inventory: Known | None = None,
) -> ListWriter[R]:
    """Writer of what is made of lists: a stream to a path or stdout, or a collection to a folder.

    Raises DataError for a collection without a path.
    """
    if isinstance(lists, Reader):
        return Writer(path, kind, signature, metric, inventory)
    if path is None or path == "-":
        problem = "what is made of a collection is one, which is a folder: name it with -o"
        raise DataError(lists.name, None, problem)
    first = [shard.first for shard in lists.collection.shards]
    return CollectionWriter(path, kind, signature, metric, first, inventory)
