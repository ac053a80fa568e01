"""Sparse feature vectors of the hypotheses of one k-best list, in arrays.

Features are stored in three groups, each in the smallest form that suits it:

* dense: features that every hypothesis of the list has, a matrix (n_dense, n_hyps), one row per
  feature, so that scoring is a few vectorised passes;
* sparse: compressed rows (CSR) with values;
* binary: compressed rows of features whose value is 1, ids alone.

A score adds dense features in the order of dense_id, then sparse, then binary ones, as stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from campanula.formats.arrays.distinct import distinct
from campanula.formats.arrays.pointers import expand_rows, lengths_of, pointer_of
from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.formats.records import columns
from campanula.formats.records.columns import ColumnError, Record
from campanula.formats.records.names import Names, unpack_different_ids
from campanula.formats.records.numbering import pack_numbered, unpack_numbered

NO_IDS = np.zeros(0, np.int32)
NO_FLOATS = np.zeros(0, np.float64)


@dataclass(frozen=True, slots=True)
class Features:
    """Feature vectors of n hypotheses; ids are those of a Names table.

    dense_id (n_dense,), dense (n_dense, n); sparse_pointer (n + 1,), sparse_id and sparse_value
    (n_sparse,); binary_pointer (n + 1,), binary_id (n_binary,).
    """

    dense_id: Ids
    dense: Floats
    sparse_pointer: Ints
    sparse_id: Ids
    sparse_value: Floats
    binary_pointer: Ints
    binary_id: Ids

    @classmethod
    def of(cls, rows: list[dict[str, float]], names: Names) -> Features:
        """Make features of one map per hypothesis; features that all rows have become dense.

        Within a row ids ascend, whatever the map's order.
        """
        keyed = [sorted((names.id(name), value) for name, value in row.items()) for row in rows]
        # set.intersection takes at least one set, which a list without rows does not have
        common = set.intersection(*({i for i, _ in row} for row in keyed)) if keyed else set()
        dense_id = sorted(common)
        dense = np.array([[v for i, v in row if i in common] for row in keyed], np.float64)
        rest = [[(i, v) for i, v in row if i not in common] for row in keyed]
        sparse = [[(i, v) for i, v in row if v != 1.0] for row in rest]
        binary = [[i for i, v in row if v == 1.0] for row in rest]
        return cls(
            np.array(dense_id, np.int32),
            np.ascontiguousarray(dense.reshape(len(rows), len(dense_id)).T),
            pointer_of([len(row) for row in sparse]),
            np.array([i for row in sparse for i, _ in row], np.int32),
            np.array([v for row in sparse for _, v in row], np.float64),
            pointer_of([len(row) for row in binary]),
            np.array([i for row in binary for i in row], np.int32),
        )

    @classmethod
    def of_dense(cls, dense_id: Ids, dense: Floats) -> Features:
        """Make features that are all dense: ids (n_dense,), values (n_dense, n_hyps)."""
        none = np.zeros(dense.shape[1] + 1, np.int64)
        return cls(dense_id, dense, none, NO_IDS, NO_FLOATS, none, NO_IDS)

    def with_sparse(self, pointer: Ints, ids: Ids, values: Floats) -> Features:
        """Return these dense features with other sparse ones; those of value 1 become binary."""
        row = np.repeat(np.arange(len(self)), lengths_of(pointer))
        binary = values == 1.0
        return replace(
            self,
            sparse_pointer=pointer_of(np.bincount(row[~binary], minlength=len(self))),
            sparse_id=ids[~binary],
            sparse_value=values[~binary],
            binary_pointer=pointer_of(np.bincount(row[binary], minlength=len(self))),
            binary_id=ids[binary],
        )

    def __len__(self) -> int:
        return len(self.sparse_pointer) - 1

    def rows(self, names: Names) -> Iterator[dict[str, float]]:
        """Yield each hypothesis's features by name (slow; to show or export)."""
        dense_names = [names[i] for i in self.dense_id.tolist()]
        dense = self.dense.T.tolist() or [[]] * len(self)
        for values, rest in zip(dense, self.sparse_rows(names), strict=True):
            yield dict(zip(dense_names, values, strict=True)) | rest

    def sparse_rows(self, names: Names) -> Iterator[dict[str, float]]:
        """Yield each hypothesis's sparse and binary features by name."""
        for row in self.sparse_entries():
            yield {names[i]: value for i, value in row}

    def sparse_entries(self) -> Iterator[list[tuple[int, float]]]:
        """Yield ids and values of each hypothesis's sparse features, then of its binary ones."""
        if not len(self.sparse_id) and not len(self.binary_id):
            yield from ([] for _ in range(len(self)))
            return
        for j in range(len(self)):
            sparse = slice(self.sparse_pointer[j], self.sparse_pointer[j + 1])
            values = self.sparse_value[sparse].tolist()
            row = list(zip(self.sparse_id[sparse].tolist(), values, strict=True))
            binary = slice(self.binary_pointer[j], self.binary_pointer[j + 1])
            yield row + [(i, 1.0) for i in self.binary_id[binary].tolist()]

    def take(self, index: Ints) -> Features:
        """Return the features of the hypotheses at places `index`, in that order."""
        sparse_pointer, sparse = expand_rows(self.sparse_pointer, index)
        binary_pointer, binary = expand_rows(self.binary_pointer, index)
        return Features(
            self.dense_id,
            np.ascontiguousarray(self.dense[:, index]),
            sparse_pointer,
            self.sparse_id[sparse],
            self.sparse_value[sparse],
            binary_pointer,
            self.binary_id[binary],
        )

    def span(self, start: int, end: int) -> Features:
        """Return the features of the hypotheses from place `start` to `end` - 1."""
        sparse = self.sparse_pointer[start : end + 1]
        binary = self.binary_pointer[start : end + 1]
        return Features(
            self.dense_id,
            self.dense[:, start:end],
            # pointers begin at 0 again; the dense values stay a view, without a copy
            sparse - sparse[0],
            self.sparse_id[sparse[0] : sparse[-1]],
            self.sparse_value[sparse[0] : sparse[-1]],
            binary - binary[0],
            self.binary_id[binary[0] : binary[-1]],
        )

    def present(self) -> Ids:
        """Return the distinct ids, ascending, of the features that are not 0 in all hypotheses."""
        dense = self.dense_id[(self.dense != 0.0).any(axis=1)]
        sparse = self.sparse_id[self.sparse_value != 0.0]
        return distinct(np.concatenate([dense, sparse, self.binary_id]))

    def only(self, kept: Flags) -> Features:
        """Return the features whose ids are marked in kept (n_names,)."""
        dense = kept[self.dense_id]
        sparse = kept[self.sparse_id]
        binary = kept[self.binary_id]
        return Features(
            self.dense_id[dense],
            np.ascontiguousarray(self.dense[dense]),
            pointer_of(sparse)[self.sparse_pointer],
            self.sparse_id[sparse],
            self.sparse_value[sparse],
            pointer_of(binary)[self.binary_pointer],
            self.binary_id[binary],
        )

    def translate(self, ids: Ids) -> Features:
        """Return the features with id i replaced by ids[i]."""
        return Features(
            ids[self.dense_id],
            self.dense,
            self.sparse_pointer,
            ids[self.sparse_id],
            self.sparse_value,
            self.binary_pointer,
            ids[self.binary_id],
        )

    def with_dense(self, number: int, value: Floats) -> Features:
        """Return the features with a dense feature added at the end: its id, values (n_hyps,)."""
        dense_id = np.empty(len(self.dense_id) + 1, np.int32)
        dense_id[:-1] = self.dense_id
        dense_id[-1] = number
        dense = np.empty((len(dense_id), len(self)))
        dense[:-1] = self.dense
        dense[-1] = value
        rest = (self.sparse_pointer, self.sparse_id, self.sparse_value)
        return Features(dense_id, dense, *rest, self.binary_pointer, self.binary_id)

    def pack(self, numbered: bool = False) -> dict[str, Any]:
        """Return the columns for msgpack; empty groups are left out.

        numbered: ids are written as places in a table of the list (numbering.py).
        """
        record: dict[str, Any] = {}
        ids = {"dense_id": self.dense_id, "sparse_id": self.sparse_id, "binary_id": self.binary_id}
        if numbered:
            record |= pack_numbered(ids)
        else:
            record |= {name: columns.pack_ints(own) for name, own in ids.items() if len(own)}
        if len(self.dense_id):
            record["dense"] = columns.pack_floats(self.dense)
        if len(self.sparse_id):
            record["sparse_length"] = columns.pack_lengths(self.sparse_pointer)
            record["sparse_value"] = columns.pack_floats(self.sparse_value)
        if len(self.binary_id):
            record["binary_length"] = columns.pack_lengths(self.binary_pointer)
        return record

    @classmethod
    def unpack(cls, record: Record, size: int, names: Names) -> Features:
        """Make features of `size` hypotheses from columns; raises ColumnError.

        The error for a number that is not finite names the feature.
        """
        none = np.zeros(size + 1, np.int64)
        limit = len(names)
        dense_id = NO_IDS
        dense = np.zeros((0, size))
        if "dense_id" in record:
            dense_id = unpack_different_ids(record, "dense_id", names)
            dense = _finite(record, "dense", dense_id, names, size)
            dense = dense.reshape(len(dense_id), size)
        sparse_pointer = none
        sparse_id = NO_IDS
        sparse_value = NO_FLOATS
        if "sparse_id" in record:
            sparse_id = unpack_numbered(record, "sparse_id", limit)
            sparse_pointer = columns.unpack_lengths(record, "sparse_length", size, len(sparse_id))
            sparse_value = _finite(record, "sparse_value", sparse_id, names)
        binary_pointer = none
        binary_id = NO_IDS
        if "binary_id" in record:
            binary_id = unpack_numbered(record, "binary_id", limit)
            binary_pointer = columns.unpack_lengths(record, "binary_length", size, len(binary_id))
        features = cls(
            dense_id, dense, sparse_pointer, sparse_id, sparse_value, binary_pointer, binary_id
        )
        if len(sparse_id) or len(binary_id):  # unpack_different_ids has checked the dense ones
            check_once(features, names)
        return features


def check_once(features: Features, names: Names) -> None:
    """Raise ColumnError for a feature that a hypothesis has twice, in one group or in two."""
    dense = np.sort(features.dense_id)
    twice = [dense[1:][dense[1:] == dense[:-1]]]
    entries = []
    for pointer, ids in (
        (features.sparse_pointer, features.sparse_id),
        (features.binary_pointer, features.binary_id),
    ):
        if len(ids):
            twice.append(ids[np.isin(ids, dense)])
            row = np.repeat(np.arange(len(pointer) - 1), lengths_of(pointer))
            entries.append(row << 32 | ids)
    if entries:
        keys = np.concatenate(entries)
        if not (keys[1:] > keys[:-1]).all():  # one group is written in this order, so often sorted
            keys.sort(kind="stable")  # merges two sorted groups: 20 times as fast as sorting them
        twice.append(keys[1:][keys[1:] == keys[:-1]] & 0xFFFFFFFF)
    for ids in twice:
        if len(ids):
            raise ColumnError(
                f"feature {names[int(ids[0])]!r} stands for the second time in a hypothesis"
            )


def _finite(record: Record, key: str, ids: Ids, names: Names, each: int = 1) -> Floats:
    """Return the values in column `key`: `each` values of the first of `ids`, then of the next, ...

    Raises ColumnError that names the feature for a number that is not finite.
    """
    values = columns.unpack_raw_floats(record, key, each * len(ids))
    if not columns.all_finite(values):
        at = int(np.flatnonzero(~np.isfinite(values))[0])
        raise ColumnError(
            f"feature {names[ids[at // each]]!r}: expected a finite number, found {values[at]}"
        )
    return values
