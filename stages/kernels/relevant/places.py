"""Where the weight of each feature stands while it is trained, compiled.

Sentences come in random order, and what a sentence needs of many weights is in no cache; each line
of memory that has to come takes longer than ten additions.  So weights that are needed together
stand together: first those of many entries, by powers of two, and among these in the order in which
sentences, as they are packed, first have them.  What one sentence alone has is then side by side,
and what most of them have stays in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import Rows

CLASSES = 32
"""Of counts: of 2^30 and more, of 2^29 and more, and so on; the last is of what was not seen."""

COMMON = 65_536
"""The first places, of what most sentences have: their weights stay in the cache."""

COUNTED = 8
"""Sets of rows, at most, whose entries are counted."""


class Places(NamedTuple):
    """A permutation of features that is being made.

    place (n_features,): that of each feature, or -1 - its class where it has none yet; free
    (CLASSES,): the next place of each class.
    """

    place: Ids
    free: Ints


@njit(**LEAN)
def _count(ids: Ids, count: Ids) -> None:
    for e in range(len(ids)):
        count[ids[e]] += 1


@njit(**LEAN)
def _classify(place: Ids, free: Ints) -> None:
    """From counts to classes, and where each class begins."""
    for feature in range(len(place)):
        count, kind = place[feature], CLASSES - 1
        while count > 0:
            count >>= 1
            kind -= 1
        place[feature] = -1 - kind
        free[kind] += 1
    start = 0
    for kind in range(CLASSES):
        size = free[kind]
        free[kind] = start
        start += size


def places_of(all_rows: Sequence[Rows]) -> Places:
    """Classes of the features of these rows; none has a place yet.

    Entries of a few rows are counted: those of all would take longer than it is worth.
    """
    columns = [(rows.valued_id, rows.binary_id) for rows in all_rows]
    n = 1 + max((int(ids.max()) for both in columns for ids in both if len(ids)), default=-1)
    places = Places(np.zeros(n, np.int32), np.zeros(CLASSES, np.int64))
    for both in columns[:: -(-len(columns) // COUNTED)]:
        for ids in both:
            _count(ids, places.place)
    _classify(*places)
    return places


@njit(**LEAN, inline="always")
def place_of(places: Places, feature: Index) -> int:
    """The place of a feature; the next one of its class where it has none yet."""
    place = int(places.place[feature])
    if place < 0:
        kind = -1 - place
        place = int(places.free[kind])
        places.free[kind] += 1
        places.place[feature] = place
    return place


@njit(**LEAN)
def complete(places: Places) -> None:
    """Have what has no place yet take one."""
    for feature in range(len(places.place)):
        place_of(places, feature)
