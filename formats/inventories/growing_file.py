"""A file of numbers that grows while it is mapped, so that added numbers need no other memory.

Space is allocated on disk before it is mapped: on a full disk, writing to a mapped page without
space would end the process by a signal.
"""

from __future__ import annotations

import mmap
import os
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from campanula.formats.atomic import flush_to_disk, reporting
from campanula.formats.errors import DataError

LEAST = 1 << 16  # bytes; sizes on disk are multiples of it, which is a multiple of a page
ZEROS = bytes(1 << 20)  # written at a time where the system cannot allocate


class GrowingFile:
    """Entries (capacity,) in `array`, which is mapped from the file; the first ones are in use.

    `reserve` may replace `array`, so views of it must not be kept across a call.
    """

    def __init__(self, path: str, dtype: DTypeLike, size: int) -> None:
        """Open a file and keep its first `size` entries, or make a new file."""
        self._path = path
        self._dtype = np.dtype(dtype)
        with reporting(path):
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            self._descriptor = os.open(path, flags, 0o666)
        self.array: NDArray[Any] = np.zeros(0, self._dtype)
        try:
            self._cut(size * self._dtype.itemsize)
            self.reserve(size + 1)
        except BaseException:
            os.close(self._descriptor)
            raise

    def _cut(self, expected: int) -> None:
        size = os.fstat(self._descriptor).st_size
        if size < expected:
            problem = f"damaged: expected {expected} bytes, found {size}"
            raise DataError(self._path, None, problem)
        with reporting(self._path):
            os.ftruncate(self._descriptor, expected)

    def reserve(self, size: int) -> None:
        """Make `array` at least `size` long; raises DataError when the disk is full."""
        if size <= len(self.array):
            return
        n_bytes = max(size, len(self.array) + len(self.array) // 4) * self._dtype.itemsize
        n_bytes = -(-n_bytes // LEAST) * LEAST
        with reporting(self._path):
            self._allocate(n_bytes)
            self._map = mmap.mmap(self._descriptor, n_bytes)
        self.array = np.frombuffer(self._map, self._dtype)

    def _allocate(self, n_bytes: int) -> None:
        start = os.fstat(self._descriptor).st_size
        if hasattr(os, "posix_fallocate"):  # macOS has none
            os.posix_fallocate(self._descriptor, start, n_bytes - start)
            return
        for place in range(start, n_bytes, len(ZEROS)):
            os.pwrite(self._descriptor, ZEROS[: n_bytes - place], place)

    def flush(self) -> None:
        """Wait until all entries are on disk."""
        with reporting(self._path):
            self._map.flush()
            flush_to_disk(self._descriptor)

    def close(self, size: int) -> None:
        """Cut the file to its first `size` entries and close it; raises DataError."""
        self.array = np.zeros(0, self._dtype)  # frees the mapping, which refers to the file
        del self._map
        with reporting(self._path):
            try:
                os.ftruncate(self._descriptor, size * self._dtype.itemsize)
            finally:
                os.close(self._descriptor)
