"""Cases of collections: shards and manifests with faults, for the commands that read them."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import xxhash

from tests.fuzzing import damage, streams, wire
from tests.fuzzing.case import Case

MANIFEST = "collection.json"
END = 25  # bytes of an end record
COUNTS = ("first", "last", "records", "hypotheses", "bytes")
ODD = (*damage.ODD_VALUES, "../k2/x")
KEYS = ("kind", "version", "of", "signature", "metric", "inventory", "records", "shards", "digest")
WITHOUT_HOPES = ("impute-hope",)  # whose output is counted otherwise


def collection_case(rng: random.Random) -> Case:
    """A collection with faults in its shards, in its manifest, or in what is in the folder."""
    name = rng.choice([name for name in streams.COMMANDS if name not in WITHOUT_HOPES])
    scored = name in streams.NEEDS_GAINS or rng.random() < 0.5
    files = {"w": streams.WEIGHTS, "ref": streams.REFERENCES}
    words = list(rng.choice(streams.COMMANDS[name]))
    shards = collection(rng, scored, rng.random() < 0.3)
    in_folder = dict(shards)
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        in_folder = rng.choice(FAULTS)(in_folder, rng)
    files |= {f"k/{file}": data for file, data in in_folder.items()}
    if "k2" in words:
        files |= {f"k2/{file}": data for file, data in collection(rng, scored, False).items()}
    words = ["-q", *words] if name != "show" else words
    return Case("collection", files, name, words, streams.CHECKS.get(name))


def collection(rng: random.Random, scored: bool, spoilt: bool) -> dict[str, bytes]:
    """Files of a collection of two shards; spoilt: a shard has a fault that the manifest fits."""
    header, *records = streams.kbest(rng, scored)
    declared = records[0].pop("names")
    shards: list[Any] = []
    cut = rng.choice((1, 2))
    for part in (records[:cut], records[cut:]):
        first, *rest = part
        messages = [header, {"names": declared, **first}, *rest]
        spoil = wire.damaged if spoilt and not shards else _as_it_is
        shards.append((spoil(copy.deepcopy(messages), rng), part))
    entries = [_entry(number, data, part) for number, (data, part) in enumerate(shards)]
    content: dict[str, Any] = {"kind": "collection", "version": 1, "of": "kbest"}
    content["signature"] = header["signature"]
    if "metric" in header:
        content["metric"] = header["metric"]
    content["records"] = sum(entry["records"] for entry in entries)
    content["hypotheses"] = sum(entry["hypotheses"] for entry in entries)
    content["shards"] = entries
    files = {entry["file"]: data for entry, (data, _) in zip(entries, shards, strict=True)}
    return {**files, MANIFEST: _sealed(content)}


def _as_it_is(messages: list[Any], rng: random.Random) -> bytes:
    return wire.dumps(messages)


def _entry(number: int, data: bytes, part: list[dict[str, Any]]) -> dict[str, Any]:
    sids = [record["sid"] for record in part]
    return {
        "file": f"shard-{number:05d}.kbest",
        "first": sids[0],
        "last": sids[-1],
        "records": len(part),
        "hypotheses": sum(len(record["text"][1].values) for record in part),
        "bytes": len(data),
        "checksum": data[-8:].hex(),
    }


def _sealed(content: dict[str, Any]) -> bytes:
    """A manifest with the digest that fits it."""
    packed = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = xxhash.xxh3_128_hexdigest(packed.encode("utf-8", "surrogatepass"))
    return json.dumps({**content, "digest": digest}, ensure_ascii=False).encode()


Files = dict[str, bytes]


def _names(files: Files) -> list[str]:
    return sorted(name for name in files if name != MANIFEST)


def edit(files: Files, rng: random.Random) -> Files:
    """A manifest that fits its digest and nothing else."""
    try:
        content = json.loads(files[MANIFEST])
        content.pop("digest", None)
        holder = content
        if rng.random() < 0.7:
            holder = rng.choice(content["shards"])
        holder[rng.choice(KEYS if holder is content else COUNTS)] = rng.choice(ODD)
        return {**files, MANIFEST: _sealed(content)}
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return files


def spoil_manifest(files: Files, rng: random.Random) -> Files:
    data = files.get(MANIFEST, b"{}").decode("utf-8", "replace")
    return {**files, MANIFEST: damage.text(data, rng)}


def spoil_shard(files: Files, rng: random.Random) -> Files:
    name = rng.choice(_names(files) or ["x"])
    return {**files, name: damage.raw_bytes(files.get(name, b""), rng)}


def remove(files: Files, rng: random.Random) -> Files:
    gone = rng.choice([*files, MANIFEST])
    return {name: data for name, data in files.items() if name != gone}


def swap(files: Files, rng: random.Random) -> Files:
    names = _names(files)
    return {**files, **dict(zip(names, [files[name] for name in names[::-1]], strict=True))}


def add(files: Files, rng: random.Random) -> Files:
    return {**files, rng.choice(("shard-00002.kbest", "x", ".hidden", "shard-00000.hope")): b"x"}


def of_another_run(files: Files, rng: random.Random) -> Files:
    other = collection(random.Random(rng.random()), rng.random() < 0.5, False)
    name = rng.choice(sorted(other))
    return {**files, name: other[name]}


FAULTS = (
    *(edit, edit, edit),
    *(spoil_manifest, spoil_shard, spoil_shard),
    *(remove, swap, add, of_another_run),
)
