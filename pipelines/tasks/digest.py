"""Digests: short names of everything that determines some bytes.

A result is kept under a name with the digest of its command, its arguments, its inputs and the
program.  So a result of that name is never stale: after any change the name is another.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator

from campanula.formats.errors import DataError, unreadable
from campanula.formats.program import SIZE, program_digest
from campanula.formats.program import digest_of_values as of

__all__ = ["SIZE", "files_of", "of", "of_path", "program_digest"]
# bytes in memory at a time
CHUNK = 1 << 20


def of_path(path: str) -> str:
    """Digest of a file's bytes, or of the names and bytes of all files in a folder.

    Raises DataError where one of them cannot be read, and for a device or pipe.
    """
    digest = hashlib.blake2b(digest_size=SIZE)
    # the bytes of a pipe would be gone when the stage that they are meant for reads it
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise DataError(
            path, None, "expected a file that can be read twice, found a device or pipe"
        )
    try:
        for file in files_of(path):
            # names and sizes, or a byte could move from the end of a file to the next one unseen
            digest.update(json.dumps([os.path.relpath(file, path), os.path.getsize(file)]).encode())
            with open(file, "rb") as data:
                while chunk := data.read(CHUNK):
                    digest.update(chunk)
    except OSError as error:
        raise unreadable(path, error) from error
    return digest.hexdigest()


def files_of(path: str) -> Iterator[str]:
    """Yield a file itself, or all files in a folder in sorted order, the same on every system."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        # in place: os.walk goes into the folders of this list, in its order
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names))
