"""Scores of orientations of one template, against those that the search has."""

from __future__ import annotations

import random

import numpy as np

from campanula.formats.feature_names.sparse import sparse_name
from campanula.stages.decoding.sparse_keys import SparseKeys
from campanula.stages.kernels.sparse import blocks, turns, weights


def test_they_are_those_of_the_search() -> None:
    rng = random.Random(1)
    pairs = [((rng.choice("ab"), "c"), (rng.choice("xy"),)) for _ in range(6)]
    names = [
        sparse_name(prefix, turn, *pair)
        for pair in dict.fromkeys(pairs)
        for prefix in ("back", "forw")
        for turn in "RLN"
        if rng.random() < 0.7
    ]
    keys = SparseKeys.of_names(names, np.array([rng.uniform(-1, 1) for _ in names]))
    words = [word.encode() for pair in pairs for phrase in pair for word in phrase]
    text = np.frombuffer(b"".join(words), np.uint8)
    mark = keys.marks(text, np.arange(len(words) + 1)).reshape(-1, 3)
    source, target = mark[:, :2].ravel(), mark[:, 2].copy()
    n = np.arange(len(pairs))
    given = (source, np.arange(0, 2 * len(pairs) + 1, 2), n, n.astype(np.int32), n, n + 1, target)
    key = blocks.block_keys(*given)
    found = turns.turn_scores(key, keys.table, weights.BACKWARD, weights.FORWARD)
    np.testing.assert_array_equal(found, blocks.orientation_scores(key, keys.table))
    assert found.any()
    off = keys.table._replace(on=np.zeros_like(keys.table.on))
    assert not turns.turn_scores(key, off, weights.BACKWARD, weights.FORWARD).any()
