"""Holds the shards of a collection to what its manifest says of them.

The manifest alone would do to start from: what is refused here was put together from several runs,
or by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

from campanula.formats.collections.manifest import MANIFEST, Manifest, Shard
from campanula.formats.errors import DataError
from campanula.formats.records.columns import shortened
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader, StreamRecord

R = TypeVar("R", bound=StreamRecord)


class ShardCounts(NamedTuple):
    """What a shard holds: first and last sentence, records, hypotheses."""

    first: int
    last: int
    records: int
    hypotheses: int

    def __str__(self) -> str:
        span = f"sentences {self.first} to {self.last}"
        return f"{span}, {self.records} records, {self.hypotheses} hypotheses"


def check_header(reader: Reader[Any], manifest: Manifest, shard: Shard) -> None:
    """Raise DataError unless a shard was made, and scored, as the others were."""
    expected = {"signature": manifest.signature, "metric": manifest.metric}
    for what, value in {**expected, "inventory": shard.inventory}.items():
        found = getattr(reader, what)
        if found != value:
            problem = f"expected the {what} that {MANIFEST} has, {shortened(value)}"
            raise DataError(reader.name, "header", f"{problem}; found {shortened(found)}")


def check_counts(shard: Shard, found: ShardCounts) -> None:
    """Raise DataError unless a shard holds what it should."""
    expected = ShardCounts(shard.first, shard.last, shard.records, shard.hypotheses)
    if found != expected:
        problem = f"expected {expected}, as {MANIFEST} says, found {found}"
        raise DataError(shard.path, None, problem)


def held(reader: Reader[R], shard: Shard) -> Iterator[R]:
    """Yield the records of a shard; raises DataError for others than the manifest says."""
    first, last, hypotheses = -1, -1, 0
    for record in reader:
        if first < 0:
            first = record.sid
        last = record.sid
        hypotheses += hypotheses_of(record)
        if not shard.first <= last <= shard.last:
            expected = f"expected sentences {shard.first} to {shard.last}, as {MANIFEST} says"
            raise DataError(shard.path, f"sentence {last}", expected)
        yield record
    check_counts(shard, ShardCounts(first, last, reader.count, hypotheses))
    if reader.checksum != shard.checksum:
        problem = f"expected the checksum {shard.checksum}, as {MANIFEST} says, found"
        raise DataError(shard.path, None, f"{problem} {reader.checksum}: it has changed since")


def hypotheses_of(record: StreamRecord) -> int:
    """Number of a list's hypotheses; of a hope those of its list, of a lattice 0."""
    return len(record) if isinstance(record, KBest) else int(getattr(record, "size", 0))
