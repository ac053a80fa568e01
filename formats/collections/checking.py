"""Checks that the shards of a collection are what its manifest says.

Shards that a run of ours wrote always are; the checks find collections that were put together from
several runs, or by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from campanula.formats.collections.manifest import MANIFEST, Manifest, Shard
from campanula.formats.errors import DataError
from campanula.formats.records.columns import shortened
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, StreamRecord

R = TypeVar("R", bound=StreamRecord)


@dataclass(slots=True)
class ShardCounts:
    """Counts of a shard: first and last sentence (-1 for none), records and hypotheses."""

    first: int = -1
    last: int = -1
    records: int = 0
    hypotheses: int = 0

    def add(self, record: StreamRecord) -> None:
        """Count a record; records come in order of their sentences."""
        self.first = record.sid if self.first < 0 else self.first
        self.last = record.sid
        self.records += 1
        self.hypotheses += hypotheses_of(record)

    def __str__(self) -> str:
        span = f"sentences {self.first} to {self.last}"
        return f"{span}, {self.records} records, {self.hypotheses} hypotheses"


def check_header(reader: Reader[Any], manifest: Manifest, shard: Shard) -> None:
    """Raise DataError unless a shard has the manifest's signature, metric and inventory."""
    expected = {"signature": manifest.signature, "metric": manifest.metric}
    for what, value in {**expected, "inventory": shard.inventory}.items():
        found = getattr(reader, what)
        if found != value:
            problem = f"expected the {what} that {MANIFEST} has, {shortened(value)}"
            raise DataError(reader.name, "header", f"{problem}; found {shortened(found)}")


def check_counts(shard: Shard, counts: ShardCounts) -> None:
    """Raise DataError unless the counts of a shard are those of its manifest entry."""
    expected = ShardCounts(shard.first, shard.last, shard.records, shard.hypotheses)
    if counts != expected:
        problem = f"expected {expected}, as {MANIFEST} says, found {counts}"
        raise DataError(shard.path, None, problem)


def checked_records(reader: Reader[R], shard: Shard) -> Iterator[R]:
    """Yield the records of a shard; raises DataError where they differ from its manifest entry."""
    counts = ShardCounts()
    for record in reader:
        counts.add(record)
        # before the record is used; the other counts can only be checked at the end
        if not shard.first <= record.sid <= shard.last:
            expected = f"expected sentences {shard.first} to {shard.last}, as {MANIFEST} says"
            raise DataError(shard.path, f"sentence {record.sid}", expected)
        yield record
    check_counts(shard, counts)
    if reader.checksum != shard.checksum:
        problem = f"expected the checksum {shard.checksum}, as {MANIFEST} says, found"
        raise DataError(shard.path, None, f"{problem} {reader.checksum}: it has changed since")


def hypotheses_of(record: StreamRecord) -> int:
    """Return the number of a list's hypotheses; for a hope that of its list, for a lattice 0."""
    return len(record) if isinstance(record, KBest) else int(getattr(record, "size", 0))
