"""Digests: short names of everything that determines some bytes.

A result is kept under a name that carries the digest of its command, its arguments, its inputs and
the program, so that what is there is never stale, and what has changed is never found.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Iterator
from pathlib import Path

import campanula
from campanula.formats.errors import DataError

CHUNK = 1 << 20
LIBRARIES = ("numba", "numpy", "sacrebleu", "scipy", "sil-thot")
SIZE = 10  # bytes; a work folder holds some thousand results


def of(*parts: object) -> str:
    """Digest of values that JSON can write."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=SIZE).hexdigest()


def of_path(path: str) -> str:
    """Digest of a file's bytes, or of the names and bytes of all files in a folder.

    Raises DataError when it cannot be read.
    """
    digest = hashlib.blake2b(digest_size=SIZE)
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise DataError(
            path, None, "expected a file that can be read twice, found a device or pipe"
        )
    try:
        for file in files_of(path):
            digest.update(json.dumps([os.path.relpath(file, path), os.path.getsize(file)]).encode())
            with open(file, "rb") as data:
                while chunk := data.read(CHUNK):
                    digest.update(chunk)
    except OSError as error:
        raise DataError(path, None, f"cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def files_of(path: str) -> Iterator[str]:
    """Yield a file itself, or all files in a folder, in one order everywhere."""
    if not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names))


@functools.cache
def of_program() -> str:
    """Digest of the program: its sources, Python, and the libraries that compute."""
    versions = [importlib.metadata.version(name) for name in LIBRARIES]
    return of(campanula.__version__, platform.python_version(), *versions, *_sources())


def _sources() -> Iterator[str]:
    root = Path(campanula.__path__[0])
    for folder in (root, *(root / name for name in ("formats", "stages", "pipelines"))):
        for file in sorted(folder.glob("*.py") if folder == root else folder.rglob("*.py")):
            yield file.relative_to(root).as_posix()
            yield hashlib.blake2b(file.read_bytes(), digest_size=SIZE).hexdigest()
