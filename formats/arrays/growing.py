"""Arrays that grow: twice as long as asked for when there is no more room, so that it is rare.

Kernels have a `grown` of their own (kernels/memory.py), which does the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def grown(array: NDArray[Any], size: int) -> Any:
    """The array, or a copy of it with room for `size` rows and as many again."""
    larger = array
    if size > array.shape[0]:
        larger = np.empty((2 * size, *array.shape[1:]), dtype=array.dtype)
        larger[: array.shape[0]] = array
    return larger


def extended(array: NDArray[Any], size: int, more: NDArray[Any]) -> NDArray[Any]:
    """The array with `more` written behind its first `size` rows."""
    array = grown(array, size + len(more))
    array[size : size + len(more)] = more
    return array


class Column:
    """An array (n, *width) that rows are added to, and that can be emptied without losing room."""

    def __init__(self, dtype: DTypeLike, *width: int) -> None:
        self._array: NDArray[Any] = np.empty((0, *width), dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """Bytes of what was added."""
        return self.values.nbytes

    @property
    def values(self) -> NDArray[Any]:
        """What was added since it was empty: a view, good until it is emptied."""
        return self._array[: self._size]

    def extend(self, more: NDArray[Any]) -> None:
        """Add an array (m, *width)."""
        self._array = extended(self._array, self._size, more)
        self._size += len(more)

    def append(self, value: Any) -> None:
        """Add one row."""
        self._array = grown(self._array, self._size + 1)
        self._array[self._size] = value
        self._size += 1

    def clear(self) -> None:
        """Empty it; what is added next is written over what `values` gave."""
        self._size = 0


class Parts:
    """A column as above, of arrays that are kept as they come and joined when they are asked for.

    They are not to change until then.  Nothing is copied twice; what is joined is there twice while
    it is.
    """

    def __init__(self, dtype: DTypeLike, *width: int) -> None:
        self._none: NDArray[Any] = np.empty((0, *width), dtype)
        self._parts: list[NDArray[Any]] = [self._none]
        self._joined: NDArray[Any] | None = None

    def __len__(self) -> int:
        return sum(len(part) for part in self._parts)

    @property
    def nbytes(self) -> int:
        """Bytes of what was added."""
        return sum(part.nbytes for part in self._parts)

    @property
    def values(self) -> NDArray[Any]:
        """What was added since it was empty, and is added to no more: a copy of its own."""
        if self._joined is None:
            self._joined = np.concatenate(self._parts, dtype=self._none.dtype)
            self._parts = [self._joined]
        return self._joined

    def extend(self, more: NDArray[Any]) -> None:
        """Add an array (m, *width)."""
        self._parts.append(more)
        self._joined = None

    def append(self, value: Any) -> None:
        """Add one row."""
        self.extend(np.array([value], self._none.dtype))

    def clear(self) -> None:
        """Empty it; what `values` gave stays."""
        self._parts = [self._none]
        self._joined = None
