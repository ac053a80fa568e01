"""From records to the flat arrays that the kernels of scoring and tuning work on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.pointers import lengths_of, pointer_of
from campanula.formats.records.features import Features
from campanula.stages.kernels.lists.lists import Lists


class Packer:
    """Collects the features of lists, column by column; what is packed is let go of at once.

    At its peak it holds the collected columns and one of them joined.
    """

    def __init__(self) -> None:
        self.clear()

    def __len__(self) -> int:
        return len(self._size)

    def clear(self) -> None:
        """Start anew."""
        self.bytes = 0
        self._size: list[int] = []
        self._columns: dict[str, list[npt.NDArray[Any]]] = {
            name: [] for name in Lists._fields if name != "list_pointer"
        }

    def add(self, features: Features) -> None:
        """Add the features of one list; the order of rows and of entries is kept."""
        self._size.append(len(features))
        columns = {
            "dense_pointer": np.array([len(features.dense_id)]),
            "dense_id": features.dense_id,
            "dense_start": np.array([features.dense.size]),
            "dense": features.dense.reshape(-1),
            "sparse_pointer": lengths_of(features.sparse_pointer),
            "sparse_id": features.sparse_id,
            "sparse_value": features.sparse_value,
            "binary_pointer": lengths_of(features.binary_pointer),
            "binary_id": features.binary_id,
        }
        for name, column in columns.items():
            self._columns[name].append(column)
            self.bytes += column.nbytes

    def lists(self) -> Lists:
        """The lists added since the last clear, which this does."""
        joined: dict[str, Any] = {}
        for name, parts in self._columns.items():
            column = np.concatenate(parts) if len(parts) > 1 else np.ascontiguousarray(parts[0])
            parts.clear()
            is_lengths = name.endswith(("_pointer", "_start"))
            joined[name] = pointer_of(column) if is_lengths else column
        size = pointer_of(np.array(self._size))
        self.clear()
        return Lists(list_pointer=size, **joined)


def join(parts: Iterable[Features]) -> Lists:
    """Lists from the features of each, at least one."""
    packer = Packer()
    for part in parts:
        packer.add(part)
    return packer.lists()
