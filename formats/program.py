"""The digest of the program: programs of one digest give the same bytes for the same input.

Cached results and tasks for other machines carry the digest, so that those of another version are
recognised.
"""

from __future__ import annotations

import functools
import hashlib
import json
import platform
from collections.abc import Iterator
from pathlib import Path

import campanula

# whose versions can change the bytes of results
LIBRARIES = ("numba", "numpy", "sacrebleu", "scipy", "sil-thot")
SIZE = 10  # bytes; short for file names, long enough for the some thousand results of a folder


def digest_of_values(*parts: object) -> str:
    """Return the digest of values that JSON can write, in hexadecimal digits."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=SIZE).hexdigest()


@functools.cache
def program_digest() -> str:
    """Return the digest of the program: its sources, Python, and the libraries that compute."""
    import importlib.metadata  # here: loading it takes as long as the rest of a command's start

    versions = [importlib.metadata.version(name) for name in LIBRARIES]
    return digest_of_values(
        campanula.__version__, platform.python_version(), *versions, *_sources()
    )


def _sources() -> Iterator[str]:
    root = Path(campanula.__path__[0])
    for folder in (root, *(root / name for name in ("formats", "stages", "pipelines"))):
        for file in sorted(folder.glob("*.py") if folder == root else folder.rglob("*.py")):
            yield file.relative_to(root).as_posix()
            yield hashlib.blake2b(file.read_bytes(), digest_size=SIZE).hexdigest()
