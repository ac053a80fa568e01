"""Columns of numbers in files of a scratch folder, appended piece by piece and read by place."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from campanula.formats.atomic import reporting

Rows = NDArray[np.uint32]
"""Rows of whole numbers below 2^32."""


class FileColumn:
    """Rows of numbers, (size,) or (size, width), in a file without a name.

    The file goes when the column is garbage.  Raises DataError where the disk is full.
    """

    def __init__(self, folder: str, kind: str, width: int = 0) -> None:
        self._folder = folder
        self._type = np.dtype(kind)
        self._width = width
        path = os.path.join(folder, os.urandom(6).hex())
        with reporting(folder):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            # at once: the file goes with the process, however that ends
            os.unlink(path)
        # not __del__, which may find the module os torn down when the interpreter ends
        weakref.finalize(self, os.close, self._file)
        self.size = 0

    def append(self, rows: NDArray[Any]) -> None:
        """Write rows at the end."""
        data = np.ascontiguousarray(rows, self._type).reshape(-1).view(np.uint8).data
        with reporting(self._folder):
            # a write to a disk that is nearly full may take a part
            while len(data):
                data = data[os.write(self._file, data) :]
        self.size += len(rows)

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return the rows from `start` to `stop`."""
        entry = self._type.itemsize * max(self._width, 1)
        flat = np.empty((stop - start) * entry, np.uint8)
        left = flat.data
        with reporting(self._folder):
            while len(left):
                # into the array itself: os.pread would return bytes to be copied
                left = left[os.preadv(self._file, [left], stop * entry - len(left)) :]
        values = flat.view(self._type)
        return values.reshape(-1, self._width) if self._width else values

    def pieces(self, size: int) -> Iterator[tuple[int, NDArray[Any]]]:
        """Yield all rows, up to `size` at a time, each time with the place of the first."""
        for start in range(0, self.size, size):
            yield start, self.read(start, min(start + size, self.size))
