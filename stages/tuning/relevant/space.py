"""Space for packed sets: memory, or scratch files that are mapped and have no names.

Arrays are made as long as they could become: pages that are not written take neither memory nor
disk.
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
        """Return an array (size,) of undefined values."""
        return np.empty(size, dtype)

    def reserve(self, ends: Sequence[int]) -> None:
        """Reserve the first `ends` bytes of each array; arrays in the order of their making."""

    def close(self) -> None:
        """End reserving; the arrays stay valid."""

    def fetch(self, spans: Sequence[tuple[int, int]]) -> None:
        """Ask the system to read a span of bytes of each array, without waiting for it."""


class Scratch(Memory):
    """Arrays in files without names, which the system removes with the arrays or the process."""

    def __init__(self, folder: str) -> None:
        """Make the folder of the files; raises DataError if that is impossible."""
        self._folder = folder
        self._files: list[Any] = []
        self._maps: list[mmap.mmap] = []
        self._reserved: list[int] = []
        with reporting(folder):
            make_folder(folder)

    def array(self, size: int, dtype: Any) -> Any:
        """Return an array (size,) of zeros in a new file; raises DataError if none can be made."""
        n_bytes = max(1, size * np.dtype(dtype).itemsize)  # an empty file cannot be mapped
        with reporting(self._folder):
            file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115
            file.truncate(n_bytes)
            mapped = mmap.mmap(file.fileno(), n_bytes)
        self._files.append(file)
        self._maps.append(mapped)
        self._reserved.append(0)
        return np.frombuffer(mapped, np.uint8)[: size * np.dtype(dtype).itemsize].view(dtype)

    def reserve(self, ends: Sequence[int]) -> None:
        """Reserve the disk space; raises DataError if the disk is full.

        Writing to a mapped page that the disk cannot hold would end the process with a signal.
        """
        with reporting(self._folder):
            for place, end in enumerate(ends):
                if end > self._reserved[place]:
                    _allocate(self._files[place], self._reserved[place], end)
                    self._reserved[place] = end

    def close(self) -> None:
        """Close the files; the maps keep them as long as the arrays live."""
        for file in self._files:
            file.close()

    def fetch(self, spans: Sequence[tuple[int, int]]) -> None:
        """Ask the system to read a span of bytes of each array."""
        for mapped, (start, end) in zip(self._maps, spans, strict=True):
            first = start - start % mmap.PAGESIZE  # madvise takes whole pages
            if end > first:
                mapped.madvise(mmap.MADV_WILLNEED, first, end - first)


def _allocate(file: Any, start: int, end: int) -> None:
    """Reserve disk space for an unwritten span of a file; raises OSError if there is none."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), start, end - start)
        return
    file.seek(start)  # a system without posix_fallocate: write zeros
    for begin in range(start, end, CHUNK):
        file.write(bytes(min(CHUNK, end - begin)))
    file.flush()
