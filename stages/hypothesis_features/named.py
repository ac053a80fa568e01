"""The values of a feature of lists, by its name; `score` is the lists' score."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.errors import ListError
from campanula.formats.records.kbest import KBest

SCORE = "score"


def numbers_of(kbest: KBest, name: str) -> Floats:
    """Return the values (n_hyps,) of a feature of a list, 0 for a hypothesis without it.

    Raises ListError if no hypothesis has the feature, and it is not the score either.
    """
    # the table has the names of the whole stream, of which this list may use a few
    used = np.unique(np.concatenate(kbest.used_ids))
    number = kbest.names.id(name) if name in kbest.names else -1
    if number in used:
        return _column(kbest, number)
    if name == SCORE and kbest.score is not None:
        return kbest.score
    present = ", ".join(kbest.names[place] for place in used.tolist()) or "none"
    raise ListError(f"expected a feature {name!r}, found {present[:80]}")


def _column(kbest: KBest, number: int) -> Floats:
    """Return the values (n_hyps,) of the feature with id `number`: dense, sparse or binary."""
    features = kbest.features
    place = np.flatnonzero(features.dense_id == number)
    if len(place):
        dense: Floats = features.dense[place[0]]
        return dense
    column = np.zeros(len(kbest))
    sparse = features.sparse_id == number
    column[_rows(features.sparse_pointer, features.sparse_id, number)] = features.sparse_value[
        sparse
    ]
    column[_rows(features.binary_pointer, features.binary_id, number)] = 1.0
    return column


def _rows(pointer: Ints, ids: Ids, number: int) -> Ints:
    """Return the hypotheses that have the feature with id `number`, in order."""
    row: Ints = np.repeat(np.arange(len(pointer) - 1), lengths_of(pointer))[ids == number]
    return row
