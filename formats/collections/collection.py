"""A collection: a folder of streams ("shards") of consecutive sentences, and its manifest.

    dev/collection.json  dev/shard-00000.kbest  dev/shard-00001.kbest ...

Every shard is a complete stream with all names that its records use.  The number of shards is a
property of the data, not of the machines.  Opening a collection checks the manifest and the end of
every shard: a shard that is missing, cut off, swapped or from another run is refused by name before
any record is read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campanula.formats.collections.manifest import MANIFEST, Manifest, Shard
from campanula.formats.errors import DataError, unreadable
from campanula.formats.files import refuse_no_file
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.messages import END_SIZE, parse_end


def is_collection(path: str) -> bool:
    """Whether a path is a folder with a manifest; False for `-`."""
    return path != "-" and os.path.isfile(os.path.join(path, MANIFEST))


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection whose shards have all been found to end as the manifest says.

    digest: names the content of all shards, and how they were made.
    """

    path: str
    manifest: Manifest
    digest: str

    @classmethod
    def open(cls, path: str) -> Collection:
        """Open a collection; raises DataError that names the shard, or the manifest."""
        manifest = Manifest.read(path)
        for shard in manifest.shards:
            _check_end(shard)
        _refuse_foreign(path, {os.path.basename(shard.path) for shard in manifest.shards})
        return cls(path, manifest, manifest.digest())

    @property
    def shards(self) -> tuple[Shard, ...]:
        """The shards in order; their sentences ascend."""
        return self.manifest.shards

    @property
    def records(self) -> int:
        """Number of records of all shards."""
        return self.manifest.records

    @property
    def metric(self) -> Mapping[str, Any] | None:
        """The metric by which the lists were scored; None if they were not."""
        return self.manifest.metric

    @property
    def inventory(self) -> InventoryReference | None:
        """The inventory of the records' ids; None if the shards declare their own names."""
        return self.manifest.inventory

    @property
    def signature(self) -> str:
        """How the collection was made."""
        return self.manifest.signature


def _check_end(shard: Shard) -> None:
    """Raise DataError unless size and end record of a shard's file are those of the manifest."""
    try:
        refuse_no_file(shard.path)
        size = os.path.getsize(shard.path)
        with open(shard.path, "rb") as file:
            # a file that was cut may be shorter than an end record
            file.seek(max(size - END_SIZE, 0))
            end = parse_end(file.read(END_SIZE))
    except FileNotFoundError:
        problem = f"expected this shard, which {MANIFEST} lists, found no such file"
        raise DataError(shard.path, None, problem) from None
    except OSError as error:
        raise unreadable(shard.path, error) from error
    if size == shard.bytes and end == (shard.records, shard.checksum):
        return
    if end is None:
        problem = f"expected {shard.bytes} bytes with an end record, as {MANIFEST} says, found"
        raise DataError(shard.path, None, f"{problem} {size} without: cut off or damaged")
    expected = f"expected the shard of {shard.records} records and checksum {shard.checksum}"
    found = f"found {end[0]} records, checksum {end[1]}: a shard of another place or run"
    raise DataError(shard.path, None, f"{expected} that {MANIFEST} lists, {found}")


def _refuse_foreign(path: str, files: set[str]) -> None:
    """Raise DataError for a file that the manifest does not list; hidden files are allowed."""
    try:
        names = {name for name in os.listdir(path) if not name.startswith(".")}
    except OSError as error:
        raise unreadable(path, error) from error
    for name in sorted(names - files - {MANIFEST}):
        problem = f"expected nothing but what {MANIFEST} lists, found a file more"
        raise DataError(os.path.join(path, name), None, problem)
