"""Finds duplicates among the hypotheses of a list."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Ints
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts


def n_different(text: Texts) -> int:
    """Return the number of distinct texts."""
    return len(set(_rows(text.blob, text.pointer)))


def first_occurrences(kbest: KBest) -> Ints:
    """Return the places of the hypotheses that differ from all before in text or features."""
    seen: dict[tuple[bytes, ...], int] = {}
    texts = _rows(kbest.text.blob, kbest.text.pointer)
    for place, key in enumerate(zip(texts, *_feature_keys(kbest.features), strict=True)):
        seen.setdefault(key, place)
    return np.fromiter(seen.values(), np.int64, len(seen))


def _feature_keys(features: Features) -> list[Iterator[bytes]]:
    """Return iterators over the rows of each array; rows of equal features have equal bytes.

    A sparse entry of 0 is left out, since it equals a missing one.
    """
    dense = np.ascontiguousarray(features.dense.T) + 0.0  # -0.0 becomes 0.0
    n_hyps, n_dense = dense.shape
    keys = [_rows(dense.tobytes(), np.arange(n_hyps + 1) * (8 * n_dense))]
    if len(features.sparse_id):
        nonzero = features.sparse_value != 0.0
        pointer = pointer_of(nonzero)[features.sparse_pointer]
        keys.append(_rows(features.sparse_id[nonzero].tobytes(), pointer * 4))  # bytes of int32
        keys.append(_rows(features.sparse_value[nonzero].tobytes(), pointer * 8))
    if len(features.binary_id):
        keys.append(_rows(features.binary_id.tobytes(), features.binary_pointer * 4))
    return keys


def _rows(blob: bytes, pointer: Ints) -> Iterator[bytes]:
    bounds = pointer.tolist()
    return (blob[start:end] for start, end in itertools.pairwise(bounds))
