"""Rows of sets of lists in the cache: a set used in an earlier training is mapped, not read again.

Each iteration of training adds one set to many earlier ones.  An entry is named by the checksum of
the stream or the digest of the collection, so its rows are those that reading would give.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from xxhash import xxh3_64, xxh3_128_hexdigest

from campanula.formats import __version__
from campanula.formats.arrays.types import Ints
from campanula.formats.collections.collection import Collection, is_collection
from campanula.formats.errors import DataError
from campanula.formats.files import CHUNK, open_input
from campanula.formats.messages import END_SIZE, parse_end
from campanula.formats.model.array_folder import DamagedEntry, read_arrays, store_arrays
from campanula.stages.kernels.relevant.records import Rows

LAYOUT = 1  # version of the arrays' format; entries of another version are not read


def identity_of(path: str) -> str | None:
    """Return the checksum of a stream or the digest of a collection; reads every byte of a stream.

    None for stdin and pipes, and for a damaged file, for which reading gives the error.
    """
    if is_collection(path):
        return Collection.open(path).digest
    if not os.path.isfile(path):
        return None
    checksum = xxh3_64()
    tail = b""
    with open_input(path) as file, suppress(OSError, EOFError):
        # the end record is not in its own checksum: hold the last END_SIZE bytes back
        while chunk := file.read(CHUNK):
            joined = tail + chunk
            checksum.update(memoryview(joined)[:-END_SIZE])
            tail = joined[-END_SIZE:]
    end = parse_end(tail)
    return checksum.hexdigest() if end is not None and end[1] == checksum.hexdigest() else None


def entry_of(cache: str, identity: str) -> str:
    """Return the folder in the cache for the rows of a stream or collection of this identity."""
    sources = f"{__version__} {LAYOUT} {identity}"
    return os.path.join(cache, "sets", xxh3_128_hexdigest(sources.encode()))


def stored(entry: str) -> tuple[Ints, Rows] | None:
    """Return sentences and rows of an entry, mapped; None if there is none or it is damaged."""
    try:
        arrays: Any = read_arrays(entry)
    except DamagedEntry:
        return None
    if arrays is None:
        return None
    return arrays["sid"], Rows(**{name: arrays[name] for name in Rows._fields})


def store_and_map(entry: str, sid: Ints, rows: Rows) -> tuple[Ints, Rows]:
    """Write sentences and rows to the cache, and return them mapped from there.

    If the cache cannot be written, they are returned as they are.
    """
    # a full or read-only cache costs time in the next training, and must not end this one
    with suppress(DataError):
        store_arrays({"sid": sid, **rows._asdict()}, entry)
    return stored(entry) or (sid, rows)
