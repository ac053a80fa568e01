"""Joins k-best lists: the columns of several lists of one sentence, the names tables of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.records.features import NO_FLOATS, NO_IDS, Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts


def join_texts(parts: Sequence[Texts]) -> Texts:
    """Return all texts of the parts in order."""
    if len(parts) == 1:
        return parts[0]
    blob = b"".join(part.blob[part.pointer[0] : part.pointer[-1]] for part in parts)
    return Texts(blob, pointer_of(np.concatenate([np.diff(part.pointer) for part in parts])))


def join_fields(parts: Sequence[Mapping[str, Texts]], sizes: Sequence[int]) -> dict[str, Texts]:
    """Return the fields of all parts by name; a part without a field has empty texts.

    sizes: number of hypotheses of each part.
    """
    names = dict.fromkeys(name for part in parts for name in part)
    return {
        name: join_texts(
            [
                part[name] if name in part else Texts(b"", np.zeros(size + 1, np.int64))
                for part, size in zip(parts, sizes, strict=True)
            ]
        )
        for name in names
    }


def join_features(parts: Sequence[Features]) -> Features:
    """Return the features of all parts in order; those that all hypotheses have are dense."""
    first = parts[0]
    if all(_alike(part, first) for part in parts):
        dense = np.concatenate([part.dense for part in parts], axis=1)
        return Features.of_dense(first.dense_id, dense)
    starts = pointer_of([len(part) for part in parts])
    triples = [entries(part) for part in parts]
    row = [entry[0] + start for entry, start in zip(triples, starts[:-1], strict=True)]
    return features_of(
        np.concatenate(row),
        np.concatenate([entry[1] for entry in triples]),
        np.concatenate([entry[2] for entry in triples]),
        int(starts[-1]),
    )


def _alike(one: Features, other: Features) -> bool:
    sparse = len(one.sparse_id) or len(one.binary_id)
    return not sparse and np.array_equal(one.dense_id, other.dense_id)


def entries(features: Features) -> tuple[Ints, Ids, Floats]:
    """Return row, id and value of every entry: dense, then sparse, then binary ones."""
    rows = np.arange(len(features))
    return (
        np.concatenate(
            [
                np.tile(rows, len(features.dense_id)),
                np.repeat(rows, np.diff(features.sparse_pointer)),
                np.repeat(rows, np.diff(features.binary_pointer)),
            ]
        ),
        np.concatenate(
            [
                np.repeat(features.dense_id, len(rows)),
                features.sparse_id,
                features.binary_id,
            ]
        ),
        np.concatenate(
            [features.dense.reshape(-1), features.sparse_value, np.ones(len(features.binary_id))]
        ),
    )


def features_of(row: Ints, feature: Ids, value: Floats, size: int) -> Features:
    """Make features of `size` hypotheses from entries in any order, no two of one row and feature.

    Features that all hypotheses have become dense; of the others those of value 1 become binary.
    Ids ascend within a row.
    """
    order = np.argsort(feature.astype(np.int64) * size + row)
    row, feature, value = row[order], feature[order], value[order]
    first = np.flatnonzero(np.diff(feature, prepend=-1))
    ids = feature[first]
    count = np.diff(first, append=len(feature))
    is_dense = np.repeat(count == size, count)
    dense = np.ascontiguousarray(value[is_dense].reshape(-1, size))
    row, feature, value = row[~is_dense], feature[~is_dense], value[~is_dense]
    order = np.argsort(row * len(row) + np.arange(len(row)))  # keys differ: faster than stable
    row, feature, value = row[order], feature[order], value[order]
    one = value == 1.0
    return Features(
        ids[count == size].astype(np.int32),
        dense,
        pointer_of(np.bincount(row[~one], minlength=size)),
        feature[~one] if len(feature) else NO_IDS,
        value[~one] if len(value) else NO_FLOATS,
        pointer_of(np.bincount(row[one], minlength=size)),
        feature[one] if len(feature) else NO_IDS,
    )


def in_one_space(lists: list[KBest]) -> list[KBest]:
    """Return the lists with one common names table; unchanged if they have one already."""
    if all(kbest.names is lists[0].names for kbest in lists):
        return lists
    names = Names()
    return [
        replace(kbest, features=kbest.features.translate(names.ids_of(kbest.names)), names=names)
        for kbest in lists
    ]
