"""Lexical features of paths: words, pairs of words in a block, n-grams of the text, triggers.

A feature's number is its place in a list that the caller keeps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Ints
from campanula.stages.kernels.binary_search import find
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.graph.arcs import LatticeArcs
from campanula.stages.kernels.graph.paths import Paths
from campanula.stages.kernels.memory import ROOM, grown
from campanula.stages.kernels.wide import wide


class LexicalRows(NamedTuple):
    """Features by row, with repetitions: row i has feature[pointer[i]:pointer[i + 1]]."""

    pointer: Ints
    feature: Ints


class Local(NamedTuple):
    """Features that an arc has by itself.

    source (n,): the words of the source sentence, -1 for one in no pair; unigram (n_words,): the
    feature of each target word, -1 for none; pair_key, source word * n_words + target word, sorted,
    and pair, their features.
    """

    source: Ints
    unigram: Ints
    pair_key: Ints
    pair: Ints


class Beyond(NamedTuple):
    """Features that look back at the words before.

    The key of words w1 w2 w3 is (w1 * n_words + w2) * n_words + w3; keys are sorted, and bigram and
    trigram are their features.  Triggers are numbered below n_left, and word w is trigger left[w],
    -1 for none.  Word w is triggered by trigger_left[trigger_start[w]:trigger_start[w + 1]], with
    the features `trigger`.
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
def local_features(arcs: LatticeArcs, local: Local) -> LexicalRows:
    """Return the features of each arc alone, a row an arc."""
    n_arcs = len(arcs.before)
    pointer = np.zeros(n_arcs + 1, dtype=np.int64)
    feature = np.empty(ROOM, dtype=np.int64)  # grows: only the lookups tell how many there are
    count = pointer[0]
    for a in range(n_arcs):
        p = arcs.phrase[a]
        for place in range(arcs.phrase_pointer[p], arcs.phrase_pointer[p + 1]):
            w = arcs.phrase_word[place]
            # at most the word's own feature, and a pair with every source word of the block
            feature = grown(feature, count + 1 + arcs.end[a] - arcs.start[a])
            if local.unigram[w] >= 0:
                feature[count] = local.unigram[w]
                count += 1
            for i in range(arcs.start[a], arcs.end[a]):
                if local.source[i] >= 0:
                    key = local.source[i] * arcs.n_words + w
                    match = find(local.pair_key, 0, len(local.pair_key), key)
                    if match >= 0:
                        feature[count] = local.pair[match]
                        count += 1
        pointer[a + 1] = count
    return LexicalRows(pointer, feature[:count])


@njit(cache=True, nogil=True)
def n_bytes(beyond: Beyond) -> int:
    """Return the number of bytes of a set of triggers, a bit each."""
    return (beyond.n_left + 7) >> 3


@njit(cache=True, nogil=True)
def is_in(seen: Bytes, trigger: int) -> bool:
    """Whether a trigger is in a set."""
    return bool((seen[trigger >> 3] >> (trigger & 7)) & 1)


@njit(cache=True, nogil=True)
def include(seen: Bytes, trigger: int) -> None:
    """Put a trigger into a set; -1, a word that is no trigger, changes nothing."""
    if trigger >= 0:
        seen[trigger >> 3] |= np.uint8(1 << (trigger & 7))


@njit(cache=True, nogil=True)
def completed(
    second: int, first: int, w: int, n_words: int, seen: Bytes, beyond: Beyond, out: Ints
) -> int:
    """Write the features that word w completes to `out`, which has room, and return their number.

    The words `second first` come just before w (-1 for none); seen (n_bytes,): the set of triggers
    before it.
    """
    count = 0
    if first >= 0:
        match = find(beyond.bigram_key, 0, len(beyond.bigram_key), first * n_words + w)
        if match >= 0:
            out[count] = beyond.bigram[match]
            count += 1
        # looked up even without the bigram: the list may have one and not the other
        if second >= 0:
            key = (second * n_words + first) * n_words + w
            match = find(beyond.trigram_key, 0, len(beyond.trigram_key), key)
            if match >= 0:
                out[count] = beyond.trigram[match]
                count += 1
    for place in range(beyond.trigger_start[w], beyond.trigger_start[w + 1]):
        if is_in(seen, beyond.trigger_left[place]):
            out[count] = beyond.trigger[place]
            count += 1
    return count


@njit(cache=True, nogil=True)
def most_completed(beyond: Beyond) -> int:
    """Return the most features that one word can complete."""
    most = 0
    for w in range(len(beyond.trigger_start) - 1):
        most = max(most, beyond.trigger_start[w + 1] - beyond.trigger_start[w])
    return int(most + 2)  # its triggers, a bigram and a trigram


@njit(cache=True, nogil=True)
def path_features(paths: Paths, arcs: LatticeArcs, own: LexicalRows, beyond: Beyond) -> LexicalRows:
    """Return all features of paths, a row a path; own: those of the arcs alone (local_features)."""
    offset, arc = paths
    pointer = np.zeros(len(offset), dtype=np.int64)
    feature = np.empty(ROOM, dtype=np.int64)
    most = most_completed(beyond)
    count = pointer[0]
    seen = np.zeros(n_bytes(beyond), dtype=np.uint8)
    for h in range(len(offset) - 1):
        seen[:] = 0
        second, first = -1, -1
        for s in range(offset[h], offset[h + 1]):
            a = arc[s]
            p = arcs.phrase[a]
            begin, end = arcs.phrase_pointer[p], arcs.phrase_pointer[p + 1]
            # room for the most that the arc can add: `completed` writes without a check
            room = own.pointer[a + 1] - own.pointer[a] + (end - begin) * most
            feature = grown(feature, count + room)
            for place in range(own.pointer[a], own.pointer[a + 1]):
                feature[count] = own.feature[place]
                count += 1
            for place in range(begin, end):
                w = wide(arcs.phrase_word[place])
                count += completed(second, first, w, arcs.n_words, seen, beyond, feature[count:])
                include(seen, wide(beyond.left[w]))  # now: a word is not in its own history
                second, first = first, w
        pointer[h + 1] = count
    return LexicalRows(pointer, feature[:count])
