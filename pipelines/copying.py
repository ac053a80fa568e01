"""Copies of files of the cache in the folder of a run."""

from __future__ import annotations

import shutil

from campanula.formats.files import CHUNK, Output


def copy(source: str, path: str) -> None:
    """Write a copy of a file, byte for byte, whole or not at all; raises DataError."""
    # binary, or the suffix .gz would compress what is compressed already
    with open(source, "rb") as file, Output(path, binary=True) as out:
        shutil.copyfileobj(file, out, CHUNK)
