"""From records to the flat arrays that the kernels of scoring and tuning work on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.columns import Ints
from formats.features import Features
from stages.kernels.lists import Lists


def join(parts: Sequence[Features]) -> Lists:
    """Lists from the features of each; the order of lists, rows and entries is kept."""
    size = [len(part.sparse_pointer) - 1 for part in parts]
    return Lists(
        _pointer(size),
        _pointer([len(part.dense_id) for part in parts]),
        _concatenate([part.dense_id for part in parts], np.int32),
        _pointer([part.dense.size for part in parts]),
        _concatenate([part.dense.reshape(-1) for part in parts], np.float64),
        _pointer(_concatenate([np.diff(part.sparse_pointer) for part in parts], np.int64)),
        _concatenate([part.sparse_id for part in parts], np.int32),
        _concatenate([part.sparse_value for part in parts], np.float64),
        _pointer(_concatenate([np.diff(part.binary_pointer) for part in parts], np.int64)),
        _concatenate([part.binary_id for part in parts], np.int32),
    )


def _concatenate(arrays: list[npt.NDArray[Any]], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    if len(arrays) == 1:
        return np.ascontiguousarray(arrays[0], dtype=dtype)
    return np.concatenate([np.zeros(0, dtype), *arrays]).astype(dtype, copy=False)


def _pointer(lengths: Sequence[int] | Ints) -> Ints:
    pointer = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=pointer[1:])
    return pointer
