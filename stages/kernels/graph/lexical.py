"""Lexical features of paths: words, pairs of words in a block, n-grams of the text, triggers.

Features are numbered by their places in a list of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.graph.arcs import LatticeArcs
from campanula.stages.kernels.graph.paths import Paths
from campanula.stages.kernels.memory import grown
from campanula.stages.kernels.wide import wide


class LexicalRows(NamedTuple):
    """Features by row, with repetitions: row i has feature[pointer[i]:pointer[i + 1]]."""

    pointer: Ints
    feature: Ints


class Local(NamedTuple):
    """Features that an arc has of itself, as numbers in a list of features.

    unigram (n_words,), -1 for none; pair_key sorted, source word * n_words + target word.
    """

    source: Ints
    unigram: Ints
    pair_key: Ints
    pair: Ints


class Beyond(NamedTuple):
    """Features that look back over the words before, as numbers in a list of features.

    Keys are sorted, words w1 w2 w3 are (w1 * n_words + w2) * n_words + w3.  Word w is triggered by
    those of trigger_left[trigger_start[w]:trigger_start[w + 1]]; word w is the trigger left[w],
    -1 for none, of n_left.
    """

    bigram_key: Ints
    bigram: Ints
    trigram_key: Ints
    trigram: Ints
    trigger_start: Ints
    trigger_left: Ints
    trigger: Ints
    left: Ints
    n_left: int


@njit(cache=True, nogil=True)
def find(keys: Ints, key: int) -> int:
    """Place of a key among sorted keys, -1 if it is not there."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < len(keys) and keys[low] == key else -1


@njit(cache=True, nogil=True)
def local_features(arcs: LatticeArcs, local: Local) -> LexicalRows:
    """Features of each arc alone."""
    n_arcs = len(arcs.before)
    pointer = np.zeros(n_arcs + 1, dtype=np.int64)
    feature = np.empty(1024, dtype=np.int64)
    count = pointer[0]
    for a in range(n_arcs):
        p = arcs.phrase[a]
        for place in range(arcs.phrase_pointer[p], arcs.phrase_pointer[p + 1]):
            w = arcs.phrase_word[place]
            feature = grown(feature, count + 1 + arcs.end[a] - arcs.start[a])
            if local.unigram[w] >= 0:
                feature[count] = local.unigram[w]
                count += 1
            for i in range(arcs.start[a], arcs.end[a]):
                if local.source[i] >= 0:
                    found = find(local.pair_key, local.source[i] * arcs.n_words + w)
                    if found >= 0:
                        feature[count] = local.pair[found]
                        count += 1
        pointer[a + 1] = count
    return LexicalRows(pointer, feature[:count])


@njit(cache=True, nogil=True)
def n_bytes(beyond: Beyond) -> int:
    """Bytes of a set of triggers."""
    return (beyond.n_left + 7) >> 3


@njit(cache=True, nogil=True)
def is_in(seen: Bytes, trigger: int) -> bool:
    """Whether a trigger is in a set."""
    return bool((seen[trigger >> 3] >> (trigger & 7)) & 1)


@njit(cache=True, nogil=True)
def include(seen: Bytes, trigger: int) -> None:
    """Put a trigger into a set, if it is one (not -1)."""
    if trigger >= 0:
        seen[trigger >> 3] |= np.uint8(1 << (trigger & 7))


@njit(cache=True, nogil=True)
def completed(
    second: int, first: int, w: int, n_words: int, seen: Bytes, beyond: Beyond, out: Ints
) -> int:
    """Write the features that word w completes to `out`, which has room; returns their number.

    The words `second first` come just before it (-1 for none); seen (n_bytes,) are the triggers
    before it, a bit each.
    """
    count = 0
    if first >= 0:
        found = find(beyond.bigram_key, first * n_words + w)
        if found >= 0:
            out[count] = beyond.bigram[found]
            count += 1
        if second >= 0:
            found = find(beyond.trigram_key, (second * n_words + first) * n_words + w)
            if found >= 0:
                out[count] = beyond.trigram[found]
                count += 1
    for place in range(beyond.trigger_start[w], beyond.trigger_start[w + 1]):
        if is_in(seen, beyond.trigger_left[place]):
            out[count] = beyond.trigger[place]
            count += 1
    return count


@njit(cache=True, nogil=True)
def most_completed(beyond: Beyond) -> int:
    """Most features that one word can complete."""
    most = np.int64(0)
    for w in range(len(beyond.trigger_start) - 1):
        most = max(most, beyond.trigger_start[w + 1] - beyond.trigger_start[w])
    return int(most + 2)


@njit(cache=True, nogil=True)
def path_features(paths: Paths, arcs: LatticeArcs, own: LexicalRows, beyond: Beyond) -> LexicalRows:
    """All features of paths; `own` are those of the arcs alone (local_features)."""
    offset, arc = paths
    pointer = np.zeros(len(offset), dtype=np.int64)
    feature = np.empty(1024, dtype=np.int64)
    most, count = most_completed(beyond), pointer[0]
    seen = np.zeros(n_bytes(beyond), dtype=np.uint8)
    for h in range(len(offset) - 1):
        seen[:] = 0
        second, first = -1, -1
        for s in range(offset[h], offset[h + 1]):
            a = arc[s]
            p = arcs.phrase[a]
            begin, end = arcs.phrase_pointer[p], arcs.phrase_pointer[p + 1]
            room = own.pointer[a + 1] - own.pointer[a] + (end - begin) * most
            feature = grown(feature, count + room)
            for place in range(own.pointer[a], own.pointer[a + 1]):
                feature[count] = own.feature[place]
                count += 1
            for place in range(begin, end):
                w = wide(arcs.phrase_word[place])
                count += completed(second, first, w, arcs.n_words, seen, beyond, feature[count:])
                include(seen, wide(beyond.left[w]))
                second, first = first, w
        pointer[h + 1] = count
    return LexicalRows(pointer, feature[:count])
