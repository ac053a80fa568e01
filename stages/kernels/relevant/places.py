"""Where the weight of each feature stands while it is trained, compiled.

Sentences come in random order, and what one needs of many weights is in no cache; each line of
memory that has to come takes longer than ten additions.  So weights that are needed together stand
together: first those that many sentences need, by powers of two, and among these in the order in
which sentences first have them.  What most sentences have then stays in the cache, and what one
alone has is side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import Sets

CLASSES = 32
"""Of counts: of 2^30 and more, of 2^29 and more, and so on; the last is of what nothing has."""

COMMON = 65_536
"""The first places, of what most sentences have: two bytes tell them, and their weights stay in the
cache.
"""


class Permutation(NamedTuple):
    """A permutation of features that is being made.

    place (n_features,): that of each feature, or -1 - its class where it has none yet; free
    (CLASSES,): the next place of each class.
    """

    place: Ids
    free: Ints


@njit(**LEAN)
def _classify(places: Permutation) -> None:
    """From counts to classes, and where each class begins."""
    place, free = places
    for feature in range(len(place)):
        count, kind = int(place[feature]), CLASSES - 1
        while count > 0:
            count >>= 1
            kind -= 1
        place[feature] = -1 - kind
        free[kind] += 1
    start = 0
    for kind in range(CLASSES):
        size = int(free[kind])
        free[kind] = start
        start += size


@njit(**LEAN, inline="always")
def _place_of(places: Permutation, feature: Index) -> int:
    """The place of a feature; the next one of its class where it has none yet."""
    place = int(places.place[feature])
    if place < 0:
        kind = -1 - place
        place = int(places.free[kind])
        places.free[kind] += 1
        places.place[feature] = place
    return place


@njit(**LEAN)
def _recode(sets: Sets, i: Index, rank: Ids) -> None:
    """Have the codes of sentence i be their ranks."""
    first, last = sets.pointer[i], sets.pointer[i + 1]
    for e in range(sets.valued_pointer[first], sets.valued_pointer[last]):
        sets.valued_code[e] = rank[sets.valued_code[e]]
    for e in range(sets.binary_pointer[first], sets.binary_pointer[last]):
        sets.binary_code[e] = rank[sets.binary_code[e]]


@njit(cache=True, nogil=True)
def settle(sets: Sets, n_sentences: int, count: Ids) -> None:
    """Have packed sentences, whose features are all written as rare, by ids, have places.

    count (n_features,): how many sentences have a feature; then its place.
    """
    places = Permutation(count, np.zeros(CLASSES, np.int64))
    _classify(places)
    widest = 0
    for i in range(n_sentences):
        widest = max(widest, sets.rare_pointer[i + 1] - sets.rare_pointer[i])
    rank = np.empty(widest, np.int32)
    begin, common, rare = 0, 0, 0
    sets.common_pointer[0] = 0
    for i in range(n_sentences):
        end = sets.rare_pointer[i + 1]
        for k in range(begin, end):
            place = _place_of(places, sets.rare[k])
            if place < COMMON:
                rank[k - begin] = common - sets.common_pointer[i]
                sets.common[common] = place
                common += 1
            else:
                rank[k - begin] = -1 - (rare - sets.rare_pointer[i])
                sets.rare[rare] = place
                rare += 1
        n_common = common - sets.common_pointer[i]
        for k in range(end - begin):
            if rank[k] < 0:
                rank[k] = n_common - 1 - rank[k]
        sets.common_pointer[i + 1], sets.rare_pointer[i + 1] = common, rare
        begin = end
        _recode(sets, i, rank)
    for feature in range(len(count)):
        _place_of(places, feature)
