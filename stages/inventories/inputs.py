"""The inputs of `index-features`: k-best streams that are read one after the other, as one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campanula.formats.collections.checking import check_header, checked_records
from campanula.formats.collections.collection import Collection, is_collection
from campanula.formats.collections.manifest import Shard
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.messages import END_SIZE, parse_end
from campanula.formats.records.columns import shortened
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages.inventories.gathering import GatheredNames
from campanula.stages.inventories.growing import Growing


class StreamInputs:
    """Streams, and shards of collections, read one after the other as one stream.

    The lists have names, which are added to the inventory `growing`, or are against `base` or a
    prefix of it.  Without `growing` all lists are against one inventory, which need not exist.
    signatures: those of all streams.  metric: the one of all streams.
    """

    def __init__(
        self, paths: Sequence[str], growing: Growing | None = None, base: Inventory | None = None
    ) -> None:
        """Read the headers; raises DataError where the streams do not go together."""
        self._growing = growing
        self._base = base
        self._reference: InventoryReference | None = None
        self._streams = [stream for path in paths for stream in streams_of(path)]
        self._kept: dict[str, Reader[KBest]] = {}
        self.metric: Mapping[str, Any] | None = None
        self.signatures: list[str] = []
        for stream in self._streams:
            lists = self._open(stream)
            if os.path.isfile(stream.path):
                lists.__exit__(None)
            else:
                self._kept[stream.path] = lists  # the header of a pipe can be read only once
            self._check(lists)

    @property
    def reference(self) -> InventoryReference:
        """The longest prefix of the inventory that a list read so far is against."""
        assert self._reference is not None
        return self._reference

    def _open(self, stream: Stream) -> Reader[KBest]:
        into = None if self._growing is None else GatheredNames(self._growing)
        lists = Reader(stream.path, KBest, inventory=self._base, into=into)
        try:
            stream.check_header(lists)
            if self._growing is None:
                self._check_reference(stream, lists)
            elif isinstance(lists.names, NumberedNames):
                problem = f"is against inventory {lists.names.reference}: expected --extend with it"
                raise DataError(lists.name, None, problem)
        except DataError:
            lists.__exit__(None)
            raise
        return lists

    def _check_reference(self, stream: Stream, lists: Reader[KBest]) -> None:
        """Raise DataError unless lists are against the inventory of the lists before.

        The shards of a collection may be against longer and longer prefixes of it.
        """
        if lists.inventory is None:
            problem = "has names: expected --inventory or --extend, for their ids"
            raise DataError(lists.name, None, problem)
        before = self._reference
        here = lists.inventory
        another = before is not None and not stream.goes_on
        if another and before != here:
            problem = f"expected inventory {before} as of lists before, found {here}"
            more = "; whether one extends the other is known by --extend with --no-count"
            raise DataError(lists.name, None, problem + more)
        self._reference = here

    def _check(self, lists: Reader[KBest]) -> None:
        """Raise DataError for lists that were scored by another metric than the first."""
        if not self.signatures:
            self.metric = lists.metric
        if lists.metric != self.metric:
            first = display_name(self._streams[0].path)
            expected = f"expected the metric of {first}, {shortened(self.metric)}"
            raise DataError(lists.name, None, f"{expected}; found {shortened(lists.metric)}")
        self.signatures.append(lists.signature)

    def __iter__(self) -> Iterator[KBest]:
        last: KBest | None = None
        # anew: the streams are opened a second time, and go through the prefixes from the first on
        self._reference = None
        for stream in self._streams:
            with self._kept.get(stream.path) or self._open(stream) as lists:
                for kbest in stream.lists(lists):
                    if last is not None:
                        _check_order(kbest, last, lists.name)
                    last = kbest
                    yield kbest

    @property
    def total(self) -> int:
        """Number of records, read from the ends of the streams; raises DataError for a pipe."""
        return sum(n_records(stream.path) for stream in self._streams)


def _check_order(kbest: KBest, last: KBest, source: str) -> None:
    """Raise DataError for a list that cannot follow the list `last` in one stream."""
    if kbest.sid <= last.sid:
        problem = f"expected a sentence after {last.sid}, which came before; sentences ascend"
        raise DataError(source, f"sentence {kbest.sid}", problem)
    if kbest.n_stats != last.n_stats:
        problem = f"expected {last.n_stats} statistics a hypothesis as before"
        raise DataError(source, f"sentence {kbest.sid}", f"{problem}, found {kbest.n_stats}")


def n_records(path: str) -> int:
    """Return the number of a stream's records from its end record; raises DataError without one."""
    if not os.path.isfile(path):
        problem = "--shards needs to know the number of sentences: expected a file, found a pipe"
        raise DataError(display_name(path), None, problem)
    with open(path, "rb") as file:
        # the end record has a fixed size, so the count is known without reading the stream
        file.seek(max(os.path.getsize(path) - END_SIZE, 0))
        end = parse_end(file.read())
    if end is None:
        problem = "expected an end record (--shards): it was cut off, or is compressed"
        raise DataError(path, None, problem)
    return end[0]


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream, or a shard of a collection; goes_on: a shard that is not the collection's first."""

    path: str
    collection: Collection | None = None
    shard: Shard | None = None
    goes_on: bool = False

    def check_header(self, reader: Reader[KBest]) -> None:
        """Raise DataError for a shard whose header differs from its manifest."""
        if self.collection is not None and self.shard is not None:
            check_header(reader, self.collection.manifest, self.shard)

    def lists(self, reader: Reader[KBest]) -> Iterator[KBest]:
        """Return the lists of a reader; DataError for a shard that differs from its manifest."""
        return iter(reader) if self.shard is None else checked_records(reader, self.shard)


def streams_of(path: str) -> list[Stream]:
    """Return the streams of a collection, or the one stream that a path names."""
    if not is_collection(path):
        return [Stream(path)]
    collection = Collection.open(path)
    shards = enumerate(collection.shards)
    return [Stream(shard.path, collection, shard, n > 0) for n, shard in shards]
