"""Scores of the sparse features that are local to a block, and of a block's orientations."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import ORIENTATIONS, SOURCE, TARGET, SparseTable
from campanula.stages.kernels.sparse.weights import (
    BACKWARD,
    BIGRAM,
    BLOCK,
    FORWARD,
    H_BACKWARD,
    H_FORWARD,
    ORIENTATION,
    PAIR,
    PHRASE_LENGTH,
    SOURCE_LENGTH,
    SOURCE_TRIPLET,
    TARGET_LENGTH,
    TARGET_TRIPLET,
    TEXT_BIGRAM,
    TEXT_TRIGRAM,
    TRIGGER,
    TRIGRAM,
    UNIGRAM,
    key_of,
    marks_key,
    number_key,
    phrases_key,
    target_key,
    weight_of,
    word_mark,
)
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def word_marks(text: Bytes, pointer: Ints, seed: int) -> Ints:
    """Fingerprints (n,) of words: word x is text[pointer[x]:pointer[x + 1]]."""
    mark = np.empty(len(pointer) - 1, dtype=np.int64)
    for x in range(len(mark)):
        mark[x] = word_mark(text, pointer[x], pointer[x + 1], seed)
    return mark


@njit(cache=True, nogil=True)
def lexical_score(
    source: Ints, i: int, i_end: int, target: Ids, j: int, j_end: int, sparse: SparseTable
) -> float:
    """Score of a block's word pairs and triplets."""
    keys, ids, theta, on, mark = sparse
    total = 0.0
    for s in range(i, i_end):
        for t in range(j, j_end):
            word = mark[target[t]]
            if on[PAIR]:
                total += weight_of(keys, ids, theta, key_of(PAIR, source[s], word, -1))
            if on[SOURCE_TRIPLET]:
                for s2 in range(s + 1, i_end):
                    key = key_of(SOURCE_TRIPLET, source[s], source[s2], word)
                    total += weight_of(keys, ids, theta, key)
            if on[TARGET_TRIPLET]:
                for t2 in range(t + 1, j_end):
                    key = key_of(TARGET_TRIPLET, source[s], word, mark[target[t2]])
                    total += weight_of(keys, ids, theta, key)
    return total


@njit(cache=True, nogil=True)
def inner_score(target: Ids, j: int, j_end: int, sparse: SparseTable) -> float:
    """Score of the n-grams inside a block's target."""
    keys, ids, theta, on, mark = sparse
    total = 0.0
    for n in range(1, 4):
        for t in range(j, j_end - n + 1):
            a = mark[target[t]]
            b, c = wide(-1), wide(-1)
            if n > 1:
                b = mark[target[t + 1]]
            if n > 2:
                c = mark[target[t + 2]]
            if n > 1 and on[TEXT_BIGRAM + n - 2]:
                total += weight_of(keys, ids, theta, key_of(TEXT_BIGRAM + n - 2, a, b, c))
            if on[UNIGRAM + n - 1]:
                total += weight_of(keys, ids, theta, key_of(UNIGRAM + n - 1, a, b, c))
    return total


@njit(cache=True, nogil=True)
def trigger_score(target: Ids, j: int, j_end: int, sparse: SparseTable) -> float:
    """Score of the trigger pairs inside a block's target: a word counts once before another."""
    keys, ids, theta, _, mark = sparse
    total = 0.0
    for first in range(j, j_end):
        again = j
        while target[again] != target[first]:
            again += 1
        if again == first:
            for t in range(first + 1, j_end):
                key = key_of(TRIGGER, mark[target[first]], mark[target[t]], -1)
                total += weight_of(keys, ids, theta, key)
    return total


@njit(cache=True, nogil=True)
def block_score(
    source: Ints, i: int, i_end: int, target: Ids, j: int, j_end: int, sparse: SparseTable
) -> float:
    """Score of the features local to a block: source words i to i_end, target words j to j_end."""
    keys, ids, theta, on, mark = sparse
    total = 0.0
    if on[BLOCK]:
        a, b = marks_key(source, i, i_end), target_key(target, j, j_end, mark)
        total += weight_of(keys, ids, theta, phrases_key(BLOCK, -2, a, b))
    if on[SOURCE_LENGTH]:
        total += weight_of(keys, ids, theta, number_key(SOURCE_LENGTH, i_end - i))
    if on[TARGET_LENGTH]:
        total += weight_of(keys, ids, theta, number_key(TARGET_LENGTH, j_end - j))
    if on[PHRASE_LENGTH]:
        b = target_key(target, j, j_end, mark)
        total += weight_of(keys, ids, theta, phrases_key(PHRASE_LENGTH, i_end - i, -1, b))
    if on[PAIR] or on[SOURCE_TRIPLET] or on[TARGET_TRIPLET]:
        total += lexical_score(source, i, i_end, target, j, j_end, sparse)
    if on[UNIGRAM] or on[BIGRAM] or on[TRIGRAM] or on[TEXT_BIGRAM] or on[TEXT_TRIGRAM]:
        total += inner_score(target, j, j_end, sparse)
    if on[TRIGGER]:
        total += trigger_score(target, j, j_end, sparse)
    return total


@njit(cache=True, nogil=True)
def block_scores(
    source: Ints,
    source_start: Ints,
    owner: Ints,
    target: Ids,
    begin: Ints,
    end: Ints,
    s: SparseTable,
) -> Floats:
    """Scores (n,) of blocks: owner[x] is the source phrase, begin and end the target words.

    `source` are fingerprints of words, `target` numbers of words.
    """
    score = np.empty(len(owner))
    for x in range(len(owner)):
        i, i_end = source_start[owner[x]], source_start[owner[x] + 1]
        score[x] = block_score(source, i, i_end, target, begin[x], end[x], s)
    return score


@njit(cache=True, nogil=True)
def block_keys(
    source: Ints, source_start: Ints, owner: Ints, target: Ids, begin: Ints, end: Ints, mark: Ints
) -> Ints:
    """Keys (n, 2) of the blocks' source and target phrases; mark as in records.SparseTable."""
    key = np.empty((len(owner), 2), dtype=np.int64)
    for x in range(len(owner)):
        key[x, SOURCE] = marks_key(source, source_start[owner[x]], source_start[owner[x] + 1])
        key[x, TARGET] = target_key(target, begin[x], end[x], mark)
    return key


@njit(cache=True, nogil=True)
def orientation_scores(key: Ints, sparse: SparseTable) -> Floats:
    """Scores (n, 6) of blocks by orientation, R, L, N: backward, then forward."""
    score = sided_scores(key, (BACKWARD, FORWARD), sparse)
    keys, ids, theta, on, _ = sparse
    if on[ORIENTATION]:
        for o in range(ORIENTATIONS):
            score[:, o] += weight_of(keys, ids, theta, number_key(ORIENTATION, o))
    return score


@njit(cache=True, nogil=True)
def hierarchical_scores(key: Ints, sparse: SparseTable) -> Floats:
    """Scores (n, 6) of blocks by hierarchical orientation, M, S, D: backward, then forward."""
    return sided_scores(key, (H_BACKWARD, H_FORWARD), sparse)


@njit(cache=True, nogil=True)
def sided_scores(key: Ints, kinds: tuple[int, int], sparse: SparseTable) -> Floats:
    """Scores (n, 6) of blocks by their orientations, in features of two kinds."""
    keys, ids, theta, on, _ = sparse
    score = np.zeros((len(key), 2 * ORIENTATIONS))
    for side in range(2):
        kind = kinds[side]
        if on[kind]:
            for o in range(ORIENTATIONS):
                for x in range(len(key)):
                    feature = phrases_key(kind, o, key[x, SOURCE], key[x, TARGET])
                    weight = weight_of(keys, ids, theta, feature)
                    score[x, side * ORIENTATIONS + o] = weight
    return score
