"""The digest of the program: what is the same wherever the same bytes come out.

Results that are kept, and tasks that go to other machines, carry it: another version is told.
"""

from __future__ import annotations

import functools
import hashlib
import json
import platform
from collections.abc import Iterator
from pathlib import Path

import campanula

LIBRARIES = ("numba", "numpy", "sacrebleu", "scipy", "sil-thot")
SIZE = 10  # bytes; a work folder holds some thousand results


def digest_of(*parts: object) -> str:
    """Digest of values that JSON can write."""
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=SIZE).hexdigest()


@functools.cache
def of_program() -> str:
    """Digest of the program: its sources, Python, and the libraries that compute."""
    import importlib.metadata  # which takes as long to load as the rest of a command's start

    versions = [importlib.metadata.version(name) for name in LIBRARIES]
    return digest_of(campanula.__version__, platform.python_version(), *versions, *_sources())


def _sources() -> Iterator[str]:
    root = Path(campanula.__path__[0])
    for folder in (root, *(root / name for name in ("formats", "stages", "pipelines"))):
        for file in sorted(folder.glob("*.py") if folder == root else folder.rglob("*.py")):
            yield file.relative_to(root).as_posix()
            yield hashlib.blake2b(file.read_bytes(), digest_size=SIZE).hexdigest()
