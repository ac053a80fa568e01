"""The place of each feature's weight in memory during training, compiled.

Sentences come in random order, so the weights that one needs, of very many, are seldom in a cache;
each line of memory that must be fetched takes longer than ten additions.  So weights that are
needed together get neighbouring places: features are ordered by the number of sentences that have
them, in classes of powers of two from the highest, and within a class by the sentence that first
has them.  Then the weights that most sentences need stay in the cache, and those that one sentence
alone needs are side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.lists import Index
from campanula.stages.kernels.relevant.records import Sets

CLASSES = 32
"""Classes of counts: 2^30 and more, 2^29 and more, and so on to 1; the last is 0."""

COMMON = 65_536
"""Places below it, those of the most frequent features, are stored in two bytes, and their weights
stay in the cache.
"""


class Permutation(NamedTuple):
    """A permutation of features while it is made.

    place (n_features,): the place of each feature, or -1 - its class if it has none yet; free
    (CLASSES,): the next place of each class.
    """

    place: Ids
    free: Ints


@njit(**LEAN)
def _classify(places: Permutation) -> None:
    """Replace counts in places.place by classes, and compute the first place of each class."""
    place, free = places
    for feature in range(len(place)):
        count = int(place[feature])
        kind = CLASSES - 1
        while count > 0:  # a class down for each bit
            count >>= 1
            kind -= 1
        place[feature] = -1 - kind  # negative, to tell a class from a place
        free[kind] += 1
    start = 0
    for kind in range(CLASSES):
        size = int(free[kind])
        free[kind] = start
        start += size


@njit(**LEAN, inline="always")
def _place_of(places: Permutation, feature: Index) -> int:
    """Return the place of a feature; if it has none yet, give it the next one of its class."""
    place = int(places.place[feature])
    if place < 0:
        kind = -1 - place
        place = int(places.free[kind])
        places.free[kind] += 1
        places.place[feature] = place
    return place


@njit(**LEAN)
def _recode(sets: Sets, i: Index, rank: Ids) -> None:
    """Replace the codes of sentence i by rank[code]."""
    first, last = sets.pointer[i], sets.pointer[i + 1]
    for e in range(sets.valued_pointer[first], sets.valued_pointer[last]):
        sets.valued_code[e] = rank[sets.valued_code[e]]
    for e in range(sets.binary_pointer[first], sets.binary_pointer[last]):
        sets.binary_code[e] = rank[sets.binary_code[e]]


@njit(cache=True, nogil=True)
def settle(sets: Sets, n_sentences: int, count: Ids) -> None:
    """Give all features places, and split each sentence's into common and rare ones.

    On entry `sets` is as packing.pack writes it: all features are in sets.rare, by ids.  count
    (n_features,): how many sentences have each feature; it is overwritten by the places.
    """
    places = Permutation(count, np.zeros(CLASSES, np.int64))
    _classify(places)
    widest = 0
    for i in range(n_sentences):
        widest = max(widest, sets.rare_pointer[i + 1] - sets.rare_pointer[i])
    rank = np.empty(widest, np.int32)
    # rare ones are written over the ids that are read: there are never more of them
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
                # codes of rare ones follow all common ones, whose number is known below
                rank[k - begin] = -1 - (rare - sets.rare_pointer[i])
                sets.rare[rare] = place
                rare += 1
        n_common = common - sets.common_pointer[i]
        for k in range(end - begin):
            if rank[k] < 0:
                rank[k] = n_common - 1 - rank[k]
        sets.common_pointer[i + 1] = common
        sets.rare_pointer[i + 1] = rare
        begin = end
        _recode(sets, i, rank)
    # features that no sentence has get the places that are left: it is a whole permutation
    for feature in range(len(count)):
        _place_of(places, feature)
