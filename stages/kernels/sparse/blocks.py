"""Scores of the sparse features local to a block, and of those of a block's orientations."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import (
    LENGTH,
    ORIENTATIONS,
    PLACE,
    SOURCE,
    TARGET,
    SparseTable,
)
from campanula.stages.kernels.sparse.local import fire_block, n_local
from campanula.stages.kernels.sparse.steps import DerivationSteps, no_fired
from campanula.stages.kernels.sparse.weights import (
    BACKWARD,
    FORWARD,
    H_BACKWARD,
    H_FORWARD,
    ORIENTATION,
    TRIGGER,
    key_of,
    marks_key,
    number_key,
    phrases_key,
    target_key,
    weight_of,
    word_mark,
)


@njit(cache=True, nogil=True)
def word_marks(text: Bytes, pointer: Ints, seed: int) -> Ints:
    """Fingerprints (n,) of words: word x is text[pointer[x]:pointer[x + 1]]."""
    mark = np.empty(len(pointer) - 1, dtype=np.int64)
    for x in range(len(mark)):
        mark[x] = word_mark(text, pointer[x], pointer[x + 1], seed)
    return mark


@njit(cache=True, nogil=True)
def trigger_score(target: Ids, j: int, j_end: int, sparse: SparseTable) -> float:
    """Score of the trigger pairs in target[j:j_end]; a word triggers each later one once.

    A word that occurs several times before another is one trigger of it.
    """
    keys, ids, theta, _, mark = sparse
    total = 0.0
    for first in range(j, j_end):
        again = j
        while target[again] != target[first]:
            again += 1
        # only the first occurrence of a word triggers; blocks are too short for a table of words
        if again == first:
            for t in range(first + 1, j_end):
                key = key_of(TRIGGER, mark[target[first]], mark[target[t]], -1)
                total += weight_of(keys, ids, theta, key)
    return total


@njit(cache=True, nogil=True)
def steps_of_blocks(
    source: Ints, source_start: Ints, owner: Ints, target: Ids, begin: Ints, end: Ints, mark: Ints
) -> DerivationSteps:
    """Return blocks as steps, each an option of its own; arguments as in block_scores."""
    # so that blocks without a derivation can use the functions of local.py
    n = len(owner)
    info = np.zeros((n, PLACE + 1), np.int32)
    start, after, option = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for x in range(n):
        info[x, PLACE] = begin[x]
        info[x, LENGTH] = end[x] - begin[x]
        start[x], after[x] = source_start[owner[x]], source_start[owner[x] + 1]
        option[x] = x
    return DerivationSteps(option, option, start, after, info, target, source, mark)


@njit(cache=True, nogil=True)
def block_scores(
    source: Ints,
    source_start: Ints,
    owner: Ints,
    target: Ids,
    begin: Ints,
    end: Ints,
    sparse: SparseTable,
) -> Floats:
    """Scores (n,) of the local features of blocks, including trigger pairs inside a block.

    Block x has source phrase owner[x], of words source[source_start[owner[x]]:...], and the target
    words target[begin[x]:end[x]]; `source` are fingerprints of words, `target` numbers of words.
    """
    keys, ids, theta, on, mark = sparse
    steps = steps_of_blocks(source, source_start, owner, target, begin, end, mark)
    most = 0  # one array, for the block with the most features, serves all blocks
    for x in range(len(owner)):
        most = max(most, n_local(x, steps, on))
    fired = no_fired(most)
    score = np.zeros(len(owner))
    for x in range(len(owner)):
        fired.size[0] = 0
        fire_block(fired, x, steps, on)
        for k in range(fired.size[0]):
            score[x] += weight_of(keys, ids, theta, fired.key[k])
        # pairs of all words of a text are too many to list as features that fire
        if on[TRIGGER]:
            score[x] += trigger_score(target, begin[x], end[x], sparse)
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
    # the orientation alone is a feature, too, of each step once: it goes to the backward columns
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
    """Scores (n, 6) of blocks by orientation: features of kinds[0], backward, and kinds[1]."""
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
