"""Joins k-best lists: the columns of several lists of one sentence, the names tables of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from campanula.formats.arrays.pointers import lengths_of, pointer_of
from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.formats.records.features import NO_FLOATS, NO_IDS, Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts


def join_texts(parts: Sequence[Texts]) -> Texts:
    """Return all texts of the parts in order."""
    if len(parts) == 1:
        return parts[0]
    # a part may be a window on a larger blob (References.texts), so its pointers may not begin at 0
    blob = b"".join(part.blob[part.pointer[0] : part.pointer[-1]] for part in parts)
    return Texts(blob, pointer_of(np.concatenate([np.diff(part.pointer) for part in parts])))


def join_fields(parts: Sequence[Mapping[str, Texts]], sizes: Sequence[int]) -> dict[str, Texts]:
    """Return the fields of all parts by name; a part without a field has empty texts.

    sizes: number of hypotheses of each part.
    """
    # a dict for its order, that of first use; a set's order of texts differs from run to run
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
    # lists of a decoder without sparse features: nothing to sort, the matrices stand side by side
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
    """Return row, id and value of every entry: dense, then sparse, then binary ones; rows ascend.

    Each of the three ascends, by rows.
    """
    rows = np.arange(len(features))
    n_dense = len(features.dense_id)
    row = [
        np.repeat(rows, n_dense),
        np.repeat(rows, lengths_of(features.sparse_pointer)),
        np.repeat(rows, lengths_of(features.binary_pointer)),
    ]
    feature = [np.tile(features.dense_id, len(rows)), features.sparse_id, features.binary_id]
    ones = np.ones(len(features.binary_id))
    value = [features.dense.T.reshape(-1), features.sparse_value, ones]
    return np.concatenate(row), np.concatenate(feature), np.concatenate(value)


def features_of(row: Ints, feature: Ids, value: Floats, size: int) -> Features:
    """Make features of `size` hypotheses from entries in any order, no two of one row and feature.

    Features that all hypotheses have become dense; of the others those of value 1 become binary.
    Ids ascend within a row.
    """
    # the entries are a few sorted runs, which a stable sort merges
    # row is int64 and ids are below 2^31, so one number orders by row first, then by id
    order = np.argsort(row << 32 | feature, kind="stable")
    row = row[order]
    feature = feature[order]
    value = value[order]
    common, is_dense = _common(row, feature, size)
    # each row has all common ids in the same order, so its entries are a line of a matrix
    dense = np.ascontiguousarray(value[is_dense].reshape(size, len(common)).T)
    one = ~is_dense & (value == 1.0)
    other = ~is_dense & ~one
    return Features(
        common.astype(np.int32),
        dense,
        pointer_of(np.bincount(row[other], minlength=size)),
        feature[other] if other.any() else NO_IDS,
        value[other] if other.any() else NO_FLOATS,
        pointer_of(np.bincount(row[one], minlength=size)),
        feature[one] if one.any() else NO_IDS,
    )


def _common(row: Ints, feature: Ids, size: int) -> tuple[Ids, Flags]:
    """Return the ids, ascending, that all of `size` rows have, and the mask of their entries.

    Entries ascend by row and id.
    """
    candidates = NO_IDS
    if size:
        # three rows leave few ids to count, however many there are
        first, middle, last = (
            feature[slice(*np.searchsorted(row, (r, r + 1)))] for r in (0, size // 2, size - 1)
        )
        candidates = np.intersect1d(np.intersect1d(first, middle), last)
    if not len(candidates):
        return NO_IDS, np.zeros(len(feature), np.bool_)
    # an id above all candidates would have a place beyond the end; it differs from the last one
    place = np.minimum(np.searchsorted(candidates, feature), len(candidates) - 1)
    is_candidate = candidates[place] == feature
    is_common = np.bincount(place[is_candidate], minlength=len(candidates)) == size
    return candidates[is_common], is_candidate & is_common[place]


def in_one_space(lists: list[KBest]) -> list[KBest]:
    """Return the lists with one common names table; unchanged if they have one already."""
    if all(kbest.names is lists[0].names for kbest in lists):
        return lists
    names = Names()
    return [
        replace(kbest, features=kbest.features.translate(names.ids_of(kbest.names)), names=names)
        for kbest in lists
    ]
