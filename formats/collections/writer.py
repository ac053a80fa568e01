"""Writes a collection: its shards one after the other, then the manifest.

The folder is made beside its place and renamed when all of it is on disk.  It replaces an earlier
collection or an empty folder, and nothing else.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Generic, Self, TypeVar, cast

import numpy as np

from campanula.formats.atomic import atomic_folder, reporting
from campanula.formats.collections.checking import ShardCounts
from campanula.formats.collections.manifest import MANIFEST, Manifest, Shard, shard_name
from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.messages import END_SIZE, parse_end
from campanula.formats.records.columns import shortened
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.stream import Reader, StreamInventory, StreamRecord, Writer

R = TypeVar("R", bound=StreamRecord)
# names of shards: a folder with any other file in it is not replaced
SHARD = re.compile(r"shard-[0-9]{5,}\.[a-z]+")


class CollectionWriter(Generic[R]):
    """Writes a collection as stream.Writer writes a stream: whole or not at all.

        with CollectionWriter(path, KBest, signature, metric, first=[0, 1000, 2000]) as out: ...

    first: the lowest sentence number of each shard, ascending; a list that still grows may be
    given.  Without it, `begin` starts the next shard.  A shard without records is not written.
    Where several shards have lists with one names table, each shard gets a table of its own, with
    the names that it uses.  inventory: as for Writer; a function is called at the end of every
    shard.
    """

    def __init__(
        self,
        path: str,
        kind: type[R],
        signature: str,
        metric: Mapping[str, object] | None = None,
        first: Sequence[int] = (),
        inventory: StreamInventory | None = None,
    ) -> None:
        self.name = path
        self.count = 0
        self._path = os.path.realpath(path)
        self._kind = kind
        self._signature = signature
        self._metric = metric
        self._first = first
        self._inventory = inventory
        self._shards: list[Shard] = []
        self._place = -1
        self._open: _Unfinished[R] | None = None
        self._table: object = None
        self._own: OwnNames | None = None  # None: the shard keeps the table of its records
        self._folder = ""
        check_place(path)
        self._placing = atomic_folder(self._path)

    @property
    def signature(self) -> str:
        """Signature of the header: which commands and settings make the records."""
        return self._signature

    @property
    def metric(self) -> Mapping[str, object] | None:
        """The metric by which the records are scored; None if they are not."""
        return self._metric

    def begin(self) -> None:
        """End the current shard, if any; the next record begins another."""
        if self._open is not None:
            self._shards.append(self._open.finish())
            self._open = None

    def write(self, record: R) -> None:
        """Write one record; sentence ids ascend.

        Raises DataError for a record that no reader would accept.
        """
        if self._shards and record.sid <= self._shards[-1].last:
            raise ValueError(f"sentence {record.sid} is written after {self._shards[-1].last}")
        place = bisect_right(self._first, record.sid)
        if place != self._place:
            self.begin()
            self._place = place
        if self._open is None:
            path = os.path.join(self._folder, shard_name(len(self._shards), self._kind.KIND))
            table = getattr(record, "names", None)
            shared = table is not None and table is self._table and self._inventory is None
            self._own = OwnNames() if shared else None
            self._table = table
            header = self._signature, self._metric, self._inventory
            # not durable: atomic_folder flushes all files at the end
            writer = Writer(path, self._kind, *header, durable=False)
            self._open = _Unfinished(path, writer)
        self._open.write(record if self._own is None else self._own.renumbered(record))
        self.count += 1

    def __enter__(self) -> Self:
        self._folder = self._placing.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._finish()
            elif self._open is not None:
                self._open.abandon()
        except BaseException as failure:
            self._placing.__exit__(type(failure), failure, failure.__traceback__)
            raise
        self._placing.__exit__(kind, error, trace)

    def _finish(self) -> None:
        self.begin()
        if not self._shards:
            raise DataError(self.name, None, "expected a shard to write, found no record")
        metric = None if self._metric is None else dict(self._metric)
        shards = tuple(self._shards)
        Manifest(self._kind.KIND, self._signature, metric, shards).write(self._folder)

    def adopt(self, path: str, counts: ShardCounts | None = None) -> None:
        """Link a whole stream that another task has written into the collection as the next shard.

        counts: those of the stream; without them the stream is read to count them.  Raises
        DataError for another kind, signature or metric than the collection's.
        """
        self.begin()
        place = os.path.join(self._folder, shard_name(len(self._shards), self._kind.KIND))
        with Reader(path, self._kind) as records:
            for what in ("signature", "metric"):
                expected = getattr(self, f"_{what}")
                found = getattr(records, what)
                if found != expected:
                    problem = f"expected the {what} {shortened(expected)}, found {shortened(found)}"
                    raise DataError(path, "header", problem)
            inventory = records.inventory
            if counts is None:
                counts = ShardCounts()
                for record in records:
                    counts.add(record)
        if not counts.records or (self._shards and counts.first <= self._shards[-1].last):
            after = self._shards[-1].last if self._shards else -1
            raise DataError(path, None, f"expected sentences after {after}; sentences ascend")
        with reporting(self.name):
            try:
                os.link(path, place)
            except OSError:  # no hard links across file systems, or none at all
                import shutil

                shutil.copyfile(path, place)
        self.count += counts.records
        self._shards.append(shard_of(place, counts, inventory))


class _Unfinished(Generic[R]):
    """The shard that is being written."""

    def __init__(self, path: str, writer: Writer[R]) -> None:
        self._path = path
        self._writer = writer
        self._counts = ShardCounts()

    def write(self, record: R) -> None:
        """Write one record."""
        self._writer.write(record)
        self._counts.add(record)

    def finish(self) -> Shard:
        """End the stream and return its manifest entry."""
        self._writer.__exit__(None, None, None)
        return shard_of(self._path, self._counts, self._writer.inventory)

    def abandon(self) -> None:
        """Close and remove the unfinished stream."""
        failure = DataError(self._path, None, "given up")
        self._writer.__exit__(DataError, failure, None)


class OwnNames:
    """The names table of a shard whose lists have a larger table: the names that they use.

    Names are numbered in the order of the lists, and within a list in that of the larger table.
    """

    def __init__(self) -> None:
        self.names = Names()
        self._ids = np.zeros(0, np.int32)  # new id by id of the larger table, -1 for none yet

    def renumbered(self, record: R) -> R:
        """Return the list with ids of this table; other kinds of records stay as they are."""
        if not isinstance(record, KBest):
            return record
        features = record.features
        size = len(record.names)
        if size > len(self._ids):
            # twice what is needed, since the larger table may grow with every list
            fresh = np.full(2 * size - len(self._ids), -1, np.int32)
            self._ids = np.concatenate([self._ids, fresh])
        ids = [features.dense_id, features.sparse_id, features.binary_id]
        used = np.unique(np.concatenate(ids))
        new = used[self._ids[used] < 0]
        self._ids[new] = len(self.names) + np.arange(len(new))
        self.names.extend(record.names[number] for number in new.tolist())
        own = replace(record, names=self.names, features=features.translate(self._ids))
        return cast(R, own)


def shard_of(path: str, counts: ShardCounts, inventory: InventoryReference | None) -> Shard:
    """Make the manifest entry of a stream that is whole, from its counts and its end record."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        # end records have a fixed size, so a stream of any length is not read again
        file.seek(size - END_SIZE)
        end = parse_end(file.read())
    assert end is not None, "a stream that was read or written to its end has an end record"
    return Shard(
        path,
        counts.first,
        counts.last,
        counts.records,
        counts.hypotheses,
        checksum=end[1],
        bytes=size,
        inventory=inventory,
    )


def check_place(path: str) -> None:
    """Raise DataError, before long work, for a path where no collection can be written.

    A file, or a folder with any other file in it, even a hidden one, is never replaced.
    """
    if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        raise DataError(path, None, "cannot be written: No such file or directory")
    if not os.path.lexists(path):
        return
    expected = "expected a place for a collection: a new or empty folder, or another collection"
    if not os.path.isdir(path):
        raise DataError(path, None, f"{expected}; found a file")
    with reporting(path):
        names = set(os.listdir(path))
    others = {name for name in names if not SHARD.fullmatch(name)} - {MANIFEST}
    if names and MANIFEST not in names:  # other programs call their files shards, too
        others = names
    if others:
        raise DataError(path, None, f"{expected}; found {min(others)} in it")
