"""Scores of the sparse features of a block and its orientation, of one template."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import ORIENTATIONS, SOURCE, TARGET, SparseTable
from campanula.stages.kernels.sparse.weights import phrases_key, weight_of


@njit(cache=True, nogil=True)
def turn_scores(key: Ints, sparse: SparseTable, backward: int, forward: int) -> Floats:
    """Scores (n, 6) of blocks by orientation: those of the kind `backward`, then of `forward`.

    key (n, 2) as of blocks.block_keys; a kind that is off scores 0.
    """
    keys, ids, theta, on, _ = sparse
    score = np.zeros((len(key), 2 * ORIENTATIONS))
    for x in range(len(key)):
        source, target = key[x, SOURCE], key[x, TARGET]
        for o in range(ORIENTATIONS):
            if on[backward]:
                feature = phrases_key(backward, o, source, target)
                score[x, o] = weight_of(keys, ids, theta, feature)
            if on[forward]:
                feature = phrases_key(forward, o, source, target)
                score[x, ORIENTATIONS + o] = weight_of(keys, ids, theta, feature)
    return score
