"""Lists at random as one stream and as a collection of the same, for tests of commands."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgpack
import numpy as np

from campanula.formats.collections.opening import open_lists
from campanula.formats.messages import END_SIZE
from campanula.formats.records.hope import Hope
from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Writer
from tests.formats.collections.making import apart, write
from tests.plain import PlainHope, PlainList, plain


def random_shards(records: list[KBest], rng: np.random.Generator) -> list[list[KBest]]:
    """The records in shards at random, each with a table of names of its own."""
    n = int(rng.integers(1, len(records) + 1))
    cuts = np.sort(rng.choice(np.arange(1, len(records)), n - 1, replace=False)).tolist()
    bounds = zip([0, *cuts], [*cuts, len(records)], strict=True)
    return [apart(records[start:end]) for start, end in bounds]


def write_both(
    folder: Path,
    name: str,
    records: list[KBest],
    rng: np.random.Generator,
    metric: dict[str, str] | None = None,
) -> list[list[KBest]]:
    """Write the stream `name` and the collection `name.d`; the shards."""
    with Writer(str(folder / name), KBest, "test", metric) as out:
        for record in records:
            out.write(record)
    shards = random_shards(records, rng)
    write(folder / f"{name}.d", shards, signature="test", metric=metric)
    return shards


def contents(
    path: Path | str,
) -> tuple[list[PlainList | PlainHope], Mapping[str, object] | None, str]:
    """What a stream or a collection holds, as plain values."""
    with open_lists(str(path), KBest, Hope) as lists:
        return [plain(record) for record in lists], lists.metric, lists.signature


def file_bytes(folder: Path) -> dict[str, bytes]:
    """The bytes of each file of a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def record_bytes(path: Path) -> bytes:
    """The bytes of all records of a stream, or of a collection's shards one after the other."""
    with open_lists(str(path), KBest, Hope) as lists:
        opened: Any = lists  # of a collection, where the path is a folder
        files = [shard.path for shard in opened.collection.shards] if path.is_dir() else [path]
    joined = b""
    for file in map(Path, files):
        data = file.read_bytes()
        unpacker = msgpack.Unpacker(raw=False)
        unpacker.feed(data)
        unpacker.skip()  # the header
        joined += data[unpacker.tell() : -END_SIZE]
    return joined


def spans(path: Path | str) -> list[tuple[int, int]]:
    """First and last sentence of every shard of a collection."""
    with open_lists(str(path), KBest, Hope) as lists:
        opened: Any = lists
        return opened.spans
