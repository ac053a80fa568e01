"""Arrays that grow: twice as long as asked for when there is no more room, so that it is rare.

Kernels have a `grown` of their own (kernels/memory.py), which does the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


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
