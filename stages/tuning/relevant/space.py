"""Where packed sets are: in memory, or in scratch files that are mapped and have no names.

Of an array as long as it could become, pages that nobody writes to take neither memory nor disk.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from campanula.formats.atomic import make_folder, reporting
from campanula.formats.files import CHUNK


class Memory:
    """Arrays in memory."""

    def array(self, size: int, dtype: Any) -> Any:
        """An array (size,) of whatever was there."""
        return np.empty(size, dtype)

    def reserve(self, ends: Sequence[int]) -> None:
        """Have room for so many bytes of each array, in the order in which they were made."""

    def close(self) -> None:
        """No more is reserved; the arrays stay."""

    def fetch(self, spans: Sequence[tuple[int, int]]) -> None:
        """Have a span of bytes of each array come into memory, soon."""


class Scratch(Memory):
    """Arrays in files without names, which are gone with the arrays, or with the process."""

    def __init__(self, folder: str) -> None:
        """Raises DataError for a folder that cannot be made."""
        self._folder = folder
        self._files: list[Any] = []
        self._maps: list[mmap.mmap] = []
        self._reserved: list[int] = []
        with reporting(folder):
            make_folder(folder)

    def array(self, size: int, dtype: Any) -> Any:
        """An array (size,) of zeros; raises DataError where no file can be made."""
        n_bytes = max(1, size * np.dtype(dtype).itemsize)
        with reporting(self._folder):
            file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115
            file.truncate(n_bytes)
            mapped = mmap.mmap(file.fileno(), n_bytes)
        self._files.append(file)
        self._maps.append(mapped)
        self._reserved.append(0)
        return np.frombuffer(mapped, np.uint8)[: size * np.dtype(dtype).itemsize].view(dtype)

    def reserve(self, ends: Sequence[int]) -> None:
        """Raises DataError where the disk has not so much room; to write there would be a crash."""
        with reporting(self._folder):
            for place, end in enumerate(ends):
                if end > self._reserved[place]:
                    _allocate(self._files[place], self._reserved[place], end)
                    self._reserved[place] = end

    def close(self) -> None:
        """Close the files, which are there as long as the arrays are."""
        for file in self._files:
            file.close()

    def fetch(self, spans: Sequence[tuple[int, int]]) -> None:
        """Ask the system to read a span of bytes of each array."""
        for mapped, (start, end) in zip(self._maps, spans, strict=True):
            first = start - start % mmap.PAGESIZE
            if end > first:
                mapped.madvise(mmap.MADV_WILLNEED, first, end - first)


def _allocate(file: Any, start: int, end: int) -> None:
    """Have the disk give a span of a file that nobody has written to; raises OSError."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), start, end - start)
        return
    file.seek(start)  # where the system has no such call
    for begin in range(start, end, CHUNK):
        file.write(bytes(min(CHUNK, end - begin)))
    file.flush()
