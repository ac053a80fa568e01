"""Digests of files by their bytes; those of large files are kept, so that they are read once.

A kept digest counts while the file's device, inode, size, and times of change are what they were.
A file that was changed shortly before it was read could change once more without its times telling,
so the digest of such a file is not kept (as Git does with its index).
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import NamedTuple

import xxhash

from campanula.formats.atomic import atomic_file
from campanula.formats.errors import DataError
from campanula.formats.files import CHUNK

LARGE = 1 << 24  # bytes; what is smaller is read in a few milliseconds
UNSURE = 3 * 10**9  # nanoseconds: some file systems keep times to two seconds


class FileState(NamedTuple):
    """What tells an unchanged file."""

    path: str
    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, path: str) -> FileState:
        """State of a file, its times in nanoseconds."""
        status = os.stat(path)
        times = status.st_mtime_ns, status.st_ctime_ns
        return cls(os.path.realpath(path), status.st_dev, status.st_ino, status.st_size, *times)


def digest_of(path: str, folder: str) -> bytes:
    """Digest of a regular file, 16 bytes; a large file's is kept in the folder.

    Raises DataError for a file that cannot be read.
    """
    try:
        state = FileState.of(path)
        if state.size < LARGE:
            return _read(path)
        kept = os.path.join(folder, xxhash.xxh3_128_hexdigest(os.fsencode(state.path)))
        found = _kept(kept, state)
        if found is None:
            started = time.time_ns()
            found = _read(path)
            settled = max(state.modified, state.changed) < started - UNSURE
            if settled and FileState.of(path) == state:
                _keep(kept, state, found)
    except OSError as error:
        raise DataError(path, None, f"cannot be read: {error.strerror}") from error
    return found


def _read(path: str) -> bytes:
    content = xxhash.xxh3_128()
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            content.update(chunk)
    return bytes(content.digest())


def _kept(place: str, state: FileState) -> bytes | None:
    """The digest that is kept of a file in this state."""
    try:
        with open(place, encoding="utf-8") as file:
            *known, digest = json.load(file)
        return bytes.fromhex(digest) if known == list(state) else None
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def _keep(place: str, state: FileState, digest: bytes) -> None:
    """Keep a digest; a folder that cannot be written is done without."""
    with suppress(OSError, DataError):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with atomic_file(place) as unfinished, open(unfinished, "x", encoding="utf-8") as file:
            json.dump([*state, digest.hex()], file)
