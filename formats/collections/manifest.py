"""The manifest of a collection: its shards, and by whom and how they were made.

    {"kind": "collection", "version": 1, "of": "kbest", "signature": ..., "metric": ...,
     "records": 2000, "hypotheses": 200000, "shards": [
     {"file": "shard-00000.kbest", "first": 0, "last": 999, "records": 1000,
      "hypotheses": 100000, "checksum": "9a0c...", "bytes": 8123456}, ...],
     "digest": XXH3-128 of all that, written without blanks and by sorted keys}

It is written last.  checksum is that of a shard's end record, so the digest names the content of
the collection; a manifest that was edited does not fit its own digest.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import xxhash

from campanula.formats.errors import DataError
from campanula.formats.records.columns import shortened

MANIFEST = "collection.json"
KIND, VERSION = "collection", 1
COUNTS = ("first", "last", "records", "hypotheses", "bytes")
LONGEST = 1 << 28  # bytes of a manifest: a million shards


def shard_name(number: int, kind: str) -> str:
    """Name of the file of a shard, by its number and the kind of its records."""
    return f"shard-{number:05d}.{kind}"


@dataclass(frozen=True, slots=True)
class Shard:
    """A stream of a collection: consecutive sentences `first` to `last`, and what it holds.

    checksum is that of its end record, in hexadecimal digits; bytes is the size of the file.
    """

    path: str
    first: int
    last: int
    records: int
    hypotheses: int
    checksum: str
    bytes: int

    def pack(self) -> dict[str, Any]:
        """Entry of the manifest."""
        counts = {name: getattr(self, name) for name in COUNTS}
        return {"file": os.path.basename(self.path), **counts, "checksum": self.checksum}


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says: kind of the records, headers of the streams, shards in order."""

    kind: str
    signature: str
    metric: Mapping[str, Any] | None
    shards: tuple[Shard, ...]

    @property
    def records(self) -> int:
        """Records of all shards."""
        return sum(shard.records for shard in self.shards)

    @property
    def hypotheses(self) -> int:
        """Hypotheses of all shards."""
        return sum(shard.hypotheses for shard in self.shards)

    def _content(self) -> dict[str, Any]:
        return {
            "kind": KIND,
            "version": VERSION,
            "of": self.kind,
            "signature": self.signature,
            **({} if self.metric is None else {"metric": dict(self.metric)}),
            "records": self.records,
            "hypotheses": self.hypotheses,
            "shards": [shard.pack() for shard in self.shards],
        }

    def digest(self) -> str:
        """Digest of the collection: of all shards' checksums and counts, and how it was made."""
        return _digest(self._content())

    def write(self, folder: str) -> None:
        """Write it into a folder that is not in its place yet."""
        content = {**self._content(), "digest": self.digest()}
        with open(os.path.join(folder, MANIFEST), "x", encoding="utf-8") as file:
            json.dump(content, file, indent=1, ensure_ascii=False)
            file.write("\n")

    @classmethod
    def read(cls, folder: str) -> Manifest:
        """Read the manifest of a folder; raises DataError, in one line, for any fault."""
        path = os.path.join(folder, MANIFEST)
        content = _object(folder, path)
        if content.get("kind") != KIND or content.get("version") != VERSION:
            found = f"{shortened(content.get('kind'))}, {shortened(content.get('version'))}"
            raise DataError(path, None, f"expected {KIND!r} of version {VERSION}, found {found}")
        digest = content.pop("digest", None)
        if digest != _digest(content):
            problem = "the digest does not fit: it was edited, or is damaged"
            raise DataError(path, None, problem)
        entries, kind = content.get("shards"), content.get("of")
        signature, metric = content.get("signature"), content.get("metric")
        if not isinstance(entries, list) or not entries or not isinstance(kind, str):
            raise DataError(path, None, "expected 'of' and a list of shards, at least one")
        if not isinstance(signature, str) or not isinstance(metric, dict | None):
            raise DataError(path, None, "expected a text 'signature', and a map 'metric' if any")
        shards = tuple(
            _shard(entry, os.path.join(folder, shard_name(number, kind)), f"shard {number}", path)
            for number, entry in enumerate(entries)
        )
        manifest = cls(kind, signature, metric, shards)
        if manifest._content() != content:
            problem = "expected counts that add up and no other keys: it was not written here"
            raise DataError(path, None, problem)
        _check_order(shards, path)
        return manifest


def _object(folder: str, path: str) -> dict[str, Any]:
    """The JSON object of a manifest."""
    try:
        if os.path.getsize(path) > LONGEST:
            raise DataError(path, None, f"expected at most {LONGEST} bytes")
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except FileNotFoundError:
        problem = f"expected a file, or a collection with its {MANIFEST}, found a folder without"
        raise DataError(folder, None, problem) from None
    except OSError as error:
        raise DataError(path, None, f"cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise DataError(path, None, f"cannot be read as JSON: {error}") from error
    if not isinstance(content, dict):
        raise DataError(path, None, f"expected an object, found {type(content).__name__}")
    return content


def _shard(entry: object, path: str, place: str, manifest: str) -> Shard:
    """The shard of an entry whose file must have the name of `path`."""
    if not isinstance(entry, dict) or entry.get("file") != os.path.basename(path):
        raise DataError(manifest, place, f"expected the file {os.path.basename(path)}")
    counts = [entry[name] for name in COUNTS if _is_count(entry.get(name))]
    if len(counts) < len(COUNTS):
        raise DataError(manifest, place, f"expected whole numbers {', '.join(COUNTS)}")
    first, last, records, hypotheses, size = counts
    if not 0 < records <= last - first + 1 or not isinstance(entry.get("checksum"), str):
        problem = "expected at least a record, at most one a sentence, and a checksum"
        raise DataError(manifest, place, problem)
    return Shard(path, first, last, records, hypotheses, entry["checksum"], size)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _check_order(shards: tuple[Shard, ...], path: str) -> None:
    for number in range(1, len(shards)):
        if shards[number].first <= shards[number - 1].last:
            problem = f"expected sentences after {shards[number - 1].last}; sentences ascend"
            raise DataError(path, f"shard {number}", f"{problem}, found {shards[number].first}")


def _digest(content: Mapping[str, Any]) -> str:
    packed = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return xxhash.xxh3_128_hexdigest(packed.encode("utf-8", "surrogatepass"))
