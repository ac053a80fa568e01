"""Digests of files by their bytes; those of large files are cached, so that each is read once.

A cached digest is valid while the file's device, inode, size, and times of change are the same.  A
file that was changed shortly before it was read could change again within the resolution of its
times, so the digest of such a file is not cached (Git's index has the same rule).
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import NamedTuple

import xxhash

from campanula.formats.atomic import atomic_file
from campanula.formats.errors import DataError, unreadable
from campanula.formats.files import CHUNK

DIGESTS = "digests"  # folder in the cache
LARGE = 1 << 24  # bytes; smaller files are read in a few milliseconds
UNSURE = 3 * 10**9  # nanoseconds; some file systems keep times to two seconds


class FileState(NamedTuple):
    """The properties of a file by which it is taken to be unchanged; times in nanoseconds."""

    path: str
    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, path: str) -> FileState:
        """Read the state of a file; raises OSError."""
        status = os.stat(path)
        times = status.st_mtime_ns, status.st_ctime_ns
        return cls(os.path.realpath(path), status.st_dev, status.st_ino, status.st_size, *times)


def file_digest(path: str, cache: str) -> bytes:
    """Return the digest of a regular file, 16 bytes; a large file's is kept in the cache folder.

    Raises DataError for a file that cannot be read.
    """
    try:
        state = FileState.of(path)
        if state.size < LARGE:
            return _read(path)
        entry = os.path.join(cache, DIGESTS, xxhash.xxh3_128_hexdigest(os.fsencode(state.path)))
        digest = _cached(entry, state)
        if digest is None:
            started = time.time_ns()
            digest = _read(path)
            settled = max(state.modified, state.changed) < started - UNSURE
            if settled and FileState.of(path) == state:
                _keep(entry, state, digest)
    except OSError as error:
        raise unreadable(path, error) from error
    return digest


def _read(path: str) -> bytes:
    content = xxhash.xxh3_128()
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            content.update(chunk)
    return bytes(content.digest())


def _cached(entry: str, state: FileState) -> bytes | None:
    """Return the cached digest of a file in this state, or None."""
    try:
        with open(entry, encoding="utf-8") as file:
            *cached_state, digest = json.load(file)
        return bytes.fromhex(digest) if cached_state == list(state) else None
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def _keep(entry: str, state: FileState, digest: bytes) -> None:
    """Cache a digest; a folder that cannot be written is no error."""
    with suppress(OSError, DataError):
        os.makedirs(os.path.dirname(entry), exist_ok=True)
        with atomic_file(entry) as unfinished, open(unfinished, "x", encoding="utf-8") as file:
            json.dump([*state, digest.hex()], file)
