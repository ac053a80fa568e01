"""From records to the flat arrays that the kernels of scoring and tuning work on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from campanula.formats.arrays.growing import Column, Pointers
from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.records.features import Features
from campanula.stages.kernels.lists.lists import Lists

STARTS = ("list_pointer", "dense_pointer", "dense_start", "sparse_pointer", "binary_pointer")
"""Columns of Lists that say where lists, rows or a list's dense values start."""

TYPES: dict[str, Any] = {
    "dense_id": np.int32,
    "dense": np.float64,
    "sparse_id": np.int32,
    "sparse_value": np.float64,
    "binary_id": np.int32,
}
"""Types of the other columns."""


class Packer:
    """Collects the features of lists in columns that grow; features can be freed once packed.

    While a column grows, memory holds it twice.
    """

    def __init__(self) -> None:
        self._pointers = {name: Pointers() for name in STARTS}
        columns = {name: Column(dtype) for name, dtype in TYPES.items()}
        self._columns: dict[str, Column] = {**self._pointers, **columns}

    def clear(self) -> None:
        """Start anew in the same memory: the arrays that `lists` returned are written over."""
        for column in self._columns.values():
            column.clear()

    @property
    def nbytes(self) -> int:
        """Bytes of the features added since the last clear."""
        return sum(column.nbytes for column in self._columns.values())

    def add(self, features: Features) -> None:
        """Add the features of one list; the order of rows and of entries is kept."""
        pointers = self._pointers
        pointers["list_pointer"].add_segment(len(features))
        pointers["dense_pointer"].add_segment(len(features.dense_id))
        pointers["dense_start"].add_segment(features.dense.size)
        values: dict[str, Ids | Floats] = {
            "dense_id": features.dense_id,
            "dense": features.dense.reshape(-1),
            "sparse_id": features.sparse_id,
            "sparse_value": features.sparse_value,
            "binary_id": features.binary_id,
        }
        for name, column in values.items():
            self._columns[name].extend(column)
        pointers["sparse_pointer"].add_segments(features.sparse_pointer)
        pointers["binary_pointer"].add_segments(features.binary_pointer)

    def lists(self) -> Lists:
        """Return the lists added since the last clear; their arrays are views of the columns."""
        return Lists(**{name: column.values for name, column in self._columns.items()})


class Gathered:
    """Keeps the features of lists as they come, and joins them when all lists are there.

    `lists` can be called once.  Memory holds one column twice at a time, while it is joined.
    """

    def __init__(self) -> None:
        self._features: list[Features] = []

    def clear(self) -> None:
        """Start anew; the arrays that `lists` returned stay as they are."""
        self._features = []

    def add(self, features: Features) -> None:
        """Add the features of one list, which must not change until `lists` is called."""
        self._features.append(features)

    def lists(self) -> Lists:
        """Return the lists added since the last clear, and forget them."""
        features, self._features = self._features, []
        columns: dict[str, Any] = {
            "list_pointer": pointer_of([len(own) for own in features]),
            "dense_pointer": pointer_of([len(own.dense_id) for own in features]),
            "dense_start": pointer_of([own.dense.size for own in features]),
            "sparse_pointer": _joined_pointers([own.sparse_pointer for own in features]),
            "binary_pointer": _joined_pointers([own.binary_pointer for own in features]),
        }
        pieces: dict[str, list[Ids] | list[Floats]] = {
            "dense_id": [own.dense_id for own in features],
            "dense": [own.dense.reshape(-1) for own in features],
            "sparse_id": [own.sparse_id for own in features],
            "sparse_value": [own.sparse_value for own in features],
            "binary_id": [own.binary_id for own in features],
        }
        # drop every other reference, so that a column's arrays are freed once they are joined
        del features
        while pieces:
            name, arrays = pieces.popitem()
            # the empty array is for no lists, of which concatenate would make an error
            columns[name] = np.concatenate([np.zeros(0, TYPES[name]), *arrays], dtype=TYPES[name])
            del arrays
        return Lists(**columns)


def _joined_pointers(pointers: list[Ints]) -> Ints:
    """Return one pointer over the rows of all lists from the pointer of each list."""
    joined = np.concatenate([np.zeros(1, np.int64), *(own[1:] for own in pointers)])
    ends = pointer_of([int(own[-1]) - int(own[0]) for own in pointers])
    first = np.array([int(own[0]) for own in pointers], np.int64)
    joined[1:] += np.repeat(ends[:-1] - first, [len(own) - 1 for own in pointers])
    return joined


def nbytes_of(features: Features) -> int:
    """Return the bytes that the features of one list take in a packer."""
    arrays = (
        features.dense_id, features.dense, features.sparse_pointer, features.sparse_id,
        features.sparse_value, features.binary_pointer, features.binary_id,
    )  # fmt: skip
    # three columns get a number a list, and the first entries of two pointers are not stored
    return sum(array.nbytes for array in arrays) + 8


def one_list(features: Features) -> Lists:
    """Return the features of one list as Lists; entries are not copied, pointers start at 0."""
    return Lists(
        list_pointer=np.array([0, len(features)]),
        dense_pointer=np.array([0, len(features.dense_id)]),
        dense_id=features.dense_id,
        dense_start=np.array([0, features.dense.size]),
        dense=np.ascontiguousarray(features.dense).reshape(-1),
        sparse_pointer=features.sparse_pointer - features.sparse_pointer[0],
        sparse_id=features.sparse_id,
        sparse_value=features.sparse_value,
        binary_pointer=features.binary_pointer - features.binary_pointer[0],
        binary_id=features.binary_id,
    )


def join(features: Iterable[Features]) -> Lists:
    """Return Lists from the features of each list; at least one list."""
    gathered = Gathered()
    for own in features:
        gathered.add(own)
    return gathered.lists()
