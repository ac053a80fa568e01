"""A file of numbers that grows while it is mapped: what is added takes no memory of its own.

Room is allocated on disk before it is mapped: writing to a page for which a full disk has no room
would end the process.
"""

from __future__ import annotations

import mmap
import os
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from campanula.formats.atomic import flush_to_disk, reporting
from campanula.formats.errors import DataError

LEAST = 1 << 16  # bytes
ZEROS = bytes(1 << 20)


class GrowingFile:
    """Entries (capacity,) of which the first are in use; `array` is mapped from the file.

    What was got from `array` before `reserve` is not to be kept.
    """

    def __init__(self, path: str, dtype: DTypeLike, size: int) -> None:
        """Open a file of `size` entries, or make it; what stands beyond them is cut off."""
        self._path, self._dtype = path, np.dtype(dtype)
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
        found = os.fstat(self._descriptor).st_size
        if found < expected:
            problem = f"damaged: expected {expected} bytes, found {found}"
            raise DataError(self._path, None, problem)
        with reporting(self._path):
            os.ftruncate(self._descriptor, expected)

    def reserve(self, size: int) -> None:
        """Have room for `size` entries; raises DataError when the disk is full."""
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
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self._descriptor, start, n_bytes - start)
            return
        for place in range(start, n_bytes, len(ZEROS)):
            os.pwrite(self._descriptor, ZEROS[: n_bytes - place], place)

    def flush(self) -> None:
        """Wait until all is on disk."""
        with reporting(self._path):
            self._map.flush()
            flush_to_disk(self._descriptor)

    def close(self, size: int) -> None:
        """Keep the first `size` entries; raises DataError where the rest cannot be cut off."""
        self.array = np.zeros(0, self._dtype)
        del self._map
        with reporting(self._path):
            try:
                os.ftruncate(self._descriptor, size * self._dtype.itemsize)
            finally:
                os.close(self._descriptor)
