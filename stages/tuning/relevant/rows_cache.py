"""Rows of sets of lists in the cache: a set that was trained on before is mapped, and not read.

An iteration of training adds one set to many.  An entry is named by the checksum of the stream, or
by the digest of the collection, so what is in it is what reading would find.
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

LAYOUT = 1  # of the arrays; another is another entry


def identity_of(path: str) -> str | None:
    """What tells a stream or a collection from all others: checksum, or digest.

    Every byte of a stream is read for it.  None for stdin and pipes, and for what is cut off or
    damaged, which reading it will say.
    """
    if is_collection(path):
        return Collection.open(path).digest
    if not os.path.isfile(path):
        return None
    checksum, tail = xxh3_64(), b""
    with open_input(path) as file, suppress(OSError, EOFError):
        while chunk := file.read(CHUNK):
            joined = tail + chunk
            checksum.update(memoryview(joined)[:-END_SIZE])
            tail = joined[-END_SIZE:]
    end = parse_end(tail)
    return checksum.hexdigest() if end is not None and end[1] == checksum.hexdigest() else None


def entry_of(cache: str, identity: str) -> str:
    """Folder in the cache for the rows of what has this identity."""
    made_of = f"{__version__} {LAYOUT} {identity}"
    return os.path.join(cache, "sets", xxh3_128_hexdigest(made_of.encode()))


def stored(entry: str) -> tuple[Ints, Rows] | None:
    """Sentences and rows of an entry, mapped; None where there is none, or it is damaged."""
    try:
        arrays: Any = read_arrays(entry)
    except DamagedEntry:
        return None
    if arrays is None:
        return None
    return arrays["sid"], Rows(**{name: arrays[name] for name in Rows._fields})


def kept(entry: str, sid: Ints, rows: Rows) -> tuple[Ints, Rows]:
    """Put sentences and rows into the cache; gives them mapped.

    A cache that cannot be written, or where another process was faster, is done without.
    """
    with suppress(DataError):
        store_arrays({"sid": sid, **rows._asdict()}, entry)
    return stored(entry) or (sid, rows)
