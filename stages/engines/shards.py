"""Shards of a collection as tasks: how a worker reads and writes one, and how they are joined.

A task's function reads `open_shard(arguments, KBest)`, writes with `write_shard`, and returns the
value of `write_shard`.  `adopted` then makes the collection, without reading the shards again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Protocol, TypeVar

from campanula.formats.collections.checking import ShardCounts
from campanula.formats.collections.collection import Collection
from campanula.formats.collections.manifest import MANIFEST, Manifest
from campanula.formats.collections.reader import CollectionReader
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.stream import StreamRecord, Writer
from campanula.stages.engines.result import value_of
from campanula.stages.engines.task import Task

R = TypeVar("R", bound=StreamRecord)


class Engine(Protocol):
    """Where tasks are done: LocalEngine, DaskEngine."""

    def run(self, tasks: Sequence[Task], title: str) -> Iterator[str]:
        """Yield the path of every task's result, in order."""
        ...


def shard_arguments(collection: Collection, number: int) -> dict[str, Any]:
    """Return the arguments of a task that name a shard of a collection."""
    path = os.path.abspath(collection.path)
    return {"collection": path, "shard": number, "digest": collection.digest}


def open_shard(arguments: Mapping[str, Any], *kinds: type[R]) -> CollectionReader[R]:
    """Return a reader of the shard that arguments name, as a collection of this shard alone.

    Raises DataError if the collection has changed since the run began.
    """
    path = arguments["collection"]
    manifest = Manifest.read(path)
    # a worker opens the collection by its path, maybe hours after the driver has
    if manifest.digest() != arguments["digest"]:
        problem = "expected the collection that the run began with, found another: it has changed"
        raise DataError(os.path.join(path, MANIFEST), None, problem)
    alone = replace(manifest, shards=(manifest.shards[arguments["shard"]],))
    return CollectionReader(Collection(path, alone, manifest.digest()), *kinds, by_shard=True)


def write_shard(
    output: str,
    records: Iterable[R],
    kind: type[R],
    signature: str,
    metric: Mapping[str, object] | None = None,
    inventory: InventoryReference | None = None,
) -> dict[str, Any]:
    """Write records as a stream; return the value that `adopted` needs."""
    counts = ShardCounts()
    with Writer(output, kind, signature, metric, inventory) as out:
        for record in records:
            counts.add(record)
            out.write(record)
    return {"counts": asdict(counts)}


def adopted(
    engine: Engine, tasks: Sequence[Task], title: str, out: CollectionWriter[Any]
) -> Iterator[dict[str, Any]]:
    """Do tasks, take each result as the next shard of `out`, and yield each returned value."""
    for path in engine.run(tasks, title):
        value = value_of(path)
        out.adopt(path, ShardCounts(**value["counts"]))
        yield value
