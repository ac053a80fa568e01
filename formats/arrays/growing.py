"""Arrays that grow to twice the size asked for when they are full, so that copies are rare.

Kernels have a compiled `grown` that does the same (kernels/memory.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def grown(array: NDArray[Any], size: int) -> Any:
    """Return the array, or if it has fewer than `size` rows a copy with 2 * size rows."""
    larger = array
    if size > array.shape[0]:
        larger = np.empty((2 * size, *array.shape[1:]), dtype=array.dtype)
        larger[: array.shape[0]] = array
    return larger


def grown_with_zeros(array: NDArray[Any], size: int) -> Any:
    """Return the array, or if it has fewer than `size` rows a larger copy, whose new rows are 0."""
    larger = grown(array, size)
    larger[array.shape[0] :] = 0  # nothing, where the array is large enough
    return larger


def extended(array: NDArray[Any], size: int, more: NDArray[Any]) -> NDArray[Any]:
    """Return the array, grown if need be, with `more` written after its first `size` rows."""
    array = grown(array, size + len(more))
    array[size : size + len(more)] = more
    return array


class Column:
    """An array (n, *width) to which rows are added; `clear` empties it and keeps its memory."""

    def __init__(self, dtype: DTypeLike, *width: int) -> None:
        self._array: NDArray[Any] = np.empty((0, *width), dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """Size in bytes of the rows added since the last `clear`."""
        return self.values.nbytes

    @property
    def values(self) -> NDArray[Any]:
        """The rows added since the last `clear`: a view, valid until the next `clear`."""
        return self._array[: self._size]

    def extend(self, more: NDArray[Any]) -> None:
        """Add the m rows of an array (m, *width)."""
        self._array = extended(self._array, self._size, more)
        self._size += len(more)

    def append(self, value: Any) -> None:
        """Add one row."""
        self._array = grown(self._array, self._size + 1)
        self._array[self._size] = value
        self._size += 1

    def clear(self) -> None:
        """Remove all rows; rows added later overwrite the memory of earlier `values`."""
        self._size = 0


class Pointers(Column):
    """Pointers (n + 1,) of n segments that are added one after the other; they begin with 0."""

    def __init__(self) -> None:
        super().__init__(np.int64)
        self.append(0)

    def add_segment(self, length: int) -> None:
        """Add a segment of `length` entries."""
        self.append(self._array[self._size - 1] + length)

    def add_segments(self, pointer: NDArray[np.int64]) -> None:
        """Add the segments of other pointers (m + 1,), which need not begin with 0."""
        self.extend(pointer[1:] + (self._array[self._size - 1] - pointer[0]))

    def clear(self) -> None:
        """Remove all segments; those added later overwrite the memory of earlier `values`."""
        super().clear()
        self.append(0)


class JoinedColumn:
    """A column of arrays that are kept as they come and joined when `values` is read.

    The arrays must not change until then.  Each row is copied once; while the arrays are joined,
    memory holds all rows twice.
    """

    def __init__(self, dtype: DTypeLike, *width: int) -> None:
        self._none: NDArray[Any] = np.empty((0, *width), dtype)
        self._parts: list[NDArray[Any]] = [self._none]
        self._joined: NDArray[Any] | None = None

    def __len__(self) -> int:
        return sum(len(part) for part in self._parts)

    @property
    def nbytes(self) -> int:
        """Size in bytes of the rows added since the last `clear`."""
        return sum(part.nbytes for part in self._parts)

    @property
    def values(self) -> NDArray[Any]:
        """The rows added since the last `clear`; a copy that later changes do not touch."""
        if self._joined is None:
            self._joined = np.concatenate(self._parts, dtype=self._none.dtype)
            self._parts = [self._joined]
        return self._joined

    def extend(self, more: NDArray[Any]) -> None:
        """Add the m rows of an array (m, *width), which must not change from here on."""
        self._parts.append(more)
        self._joined = None

    def append(self, value: Any) -> None:
        """Add one row."""
        self.extend(np.array([value], self._none.dtype))

    def clear(self) -> None:
        """Remove all rows; arrays that `values` returned stay valid."""
        self._parts = [self._none]
        self._joined = None
