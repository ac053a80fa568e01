"""The manifest of a collection: its shards, and how they were made.

    {"kind": "collection", "version": 1, "of": "kbest", "signature": ..., "metric": ...,
     "inventory": {"names": ..., "digest": ...},        if the records have an inventory's ids
     "records": 2000, "hypotheses": 200000, "shards": [
     {"file": "shard-00000.kbest", "first": 0, "last": 999, "records": 1000,
      "hypotheses": 100000, "checksum": "9a0c...", "bytes": 8123456}, ...],
     "digest": XXH3-128 of all other keys, as JSON without blanks and with sorted keys}

The manifest is written last.  The inventory may have grown between shards: the collection has that
of the last shard, and the entry of a shard with fewer names has its own.  A shard's checksum is
that of its end record, so the digest names the content of the collection; it also shows when a
manifest was edited.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import xxhash

from campanula.formats.errors import DataError
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.json_objects import read_object
from campanula.formats.records.columns import shortened

MANIFEST = "collection.json"
KIND = "collection"
VERSION = 1
COUNTS = ("first", "last", "records", "hypotheses", "bytes")


def shard_name(number: int, kind: str) -> str:
    """Return the file name of a shard, from its number and the kind of its records."""
    return f"shard-{number:05d}.{kind}"


@dataclass(frozen=True, slots=True)
class Shard:
    """A stream of a collection, with the consecutive sentences `first` to `last`.

    records, hypotheses: how many it has; checksum: that of its end record, in hexadecimal digits;
    bytes: size of the file; inventory: that of its records' ids, None if it declares names.
    """

    path: str
    first: int
    last: int
    records: int
    hypotheses: int
    checksum: str
    bytes: int
    inventory: InventoryReference | None = None

    def pack(self, inventory: InventoryReference | None) -> dict[str, Any]:
        """Return the entry in the manifest of a collection with this inventory."""
        entry: dict[str, Any] = {"file": os.path.basename(self.path)}
        entry |= {name: getattr(self, name) for name in COUNTS}
        entry["checksum"] = self.checksum
        if self.inventory is not None and self.inventory != inventory:
            entry["inventory"] = self.inventory.pack()
        return entry


@dataclass(frozen=True, slots=True)
class Manifest:
    """Content of a manifest: kind of the records, signature and metric, shards in order."""

    kind: str
    signature: str
    metric: Mapping[str, Any] | None
    shards: tuple[Shard, ...]

    @property
    def records(self) -> int:
        """Number of records of all shards."""
        return sum(shard.records for shard in self.shards)

    @property
    def hypotheses(self) -> int:
        """Number of hypotheses of all shards."""
        return sum(shard.hypotheses for shard in self.shards)

    @property
    def inventory(self) -> InventoryReference | None:
        """The inventory of the last shard; those of the others are its prefixes."""
        return self.shards[-1].inventory

    def _content(self) -> dict[str, Any]:
        return {
            "kind": KIND,
            "version": VERSION,
            "of": self.kind,
            "signature": self.signature,
            **({} if self.metric is None else {"metric": dict(self.metric)}),
            **({} if self.inventory is None else {"inventory": self.inventory.pack()}),
            "records": self.records,
            "hypotheses": self.hypotheses,
            "shards": [shard.pack(self.inventory) for shard in self.shards],
        }

    def digest(self) -> str:
        """Return the digest of all shards' checksums and counts, signature and metric."""
        return _digest(self._content())

    def write(self, folder: str) -> None:
        """Write the manifest into an unfinished folder, which has none yet."""
        content = {**self._content(), "digest": self.digest()}
        with open(os.path.join(folder, MANIFEST), "x", encoding="utf-8") as file:
            json.dump(content, file, indent=1, ensure_ascii=False)
            file.write("\n")

    @classmethod
    def read(cls, folder: str) -> Manifest:
        """Read the manifest of a folder; raises DataError, in one line, for any fault."""
        path = os.path.join(folder, MANIFEST)
        try:
            content = read_object(path)
        except FileNotFoundError:
            expected = f"expected a file, or a collection with its {MANIFEST}"
            raise DataError(folder, None, f"{expected}, found a folder without") from None
        if content.get("kind") != KIND or content.get("version") != VERSION:
            found = f"{shortened(content.get('kind'))}, {shortened(content.get('version'))}"
            raise DataError(path, None, f"expected {KIND!r} of version {VERSION}, found {found}")
        digest = content.pop("digest", None)
        if digest != _digest(content):
            problem = "the digest does not fit: it was edited, or is damaged"
            raise DataError(path, None, problem)
        entries = content.get("shards")
        kind = content.get("of")
        signature = content.get("signature")
        metric = content.get("metric")
        if not isinstance(entries, list) or not entries or not isinstance(kind, str):
            raise DataError(path, None, "expected 'of' and a list of shards, at least one")
        if not isinstance(signature, str) or not isinstance(metric, dict | None):
            raise DataError(path, None, "expected a text 'signature', and a map 'metric' if any")
        shards = tuple(
            _shard(
                entry,
                shard_name(number, kind),
                EntryPlace(path, f"shard {number}", folder),
                content.get("inventory"),
            )
            for number, entry in enumerate(entries)
        )
        manifest = cls(kind, signature, metric, shards)
        if manifest._content() != content:  # also finds wrong totals and unknown keys
            problem = "expected counts that add up and no other keys: it was not written here"
            raise DataError(path, None, problem)
        _check_order(shards, path)
        return manifest


class EntryPlace(NamedTuple):
    """The place of an entry for messages: path of the manifest, `shard N`, and the folder."""

    manifest: str
    shard: str
    folder: str

    def fault(self, problem: str) -> DataError:
        """Return the error for a problem with the entry."""
        return DataError(self.manifest, self.shard, problem)


def _shard(entry: object, file: str, place: EntryPlace, inventory: object) -> Shard:
    """Make a shard of its entry; raises DataError unless its file is called `file`.

    inventory: that of the collection, which an entry without its own has.
    """
    if not isinstance(entry, dict) or entry.get("file") != file:
        raise place.fault(f"expected the file {file}")
    counts = [entry[name] for name in COUNTS if _is_count(entry.get(name))]
    if len(counts) < len(COUNTS):
        raise place.fault(f"expected whole numbers {', '.join(COUNTS)}")
    first, last, records, hypotheses, size = counts
    if not 0 < records <= last - first + 1 or not isinstance(entry.get("checksum"), str):
        raise place.fault("expected at least a record, at most one a sentence, and a checksum")
    own = entry.get("inventory", inventory)
    reference = None if own is None else InventoryReference.unpack(own, place.manifest)
    path = os.path.join(place.folder, file)
    return Shard(path, first, last, records, hypotheses, entry["checksum"], size, reference)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0  # not isinstance: True and False are no counts


def _check_order(shards: tuple[Shard, ...], path: str) -> None:
    """Raise DataError unless sentences ascend over the shards, and inventories grow."""
    for number, (before, shard) in enumerate(itertools.pairwise(shards), 1):
        if shard.first <= before.last:
            problem = f"expected sentences after {before.last}; sentences ascend"
            raise DataError(path, f"shard {number}", f"{problem}, found {shard.first}")
        if _n_names(shard) < _n_names(before):
            problem = f"expected an inventory of at least {_n_names(before)} names"
            raise DataError(path, f"shard {number}", f"{problem}, found {_n_names(shard)}")


def _n_names(shard: Shard) -> int:
    """Return the number of names of a shard's inventory, -1 if it has none."""
    return -1 if shard.inventory is None else shard.inventory.names


def _digest(content: Mapping[str, Any]) -> str:
    packed = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return xxhash.xxh3_128_hexdigest(packed.encode("utf-8", "surrogatepass"))
