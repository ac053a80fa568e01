"""Features that fire, in their order; which ones is proved in test_sparse_counts.py."""

from __future__ import annotations

import numpy as np

from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.kernels.sparse.fired import fired_features
from campanula.stages.kernels.sparse.steps import DerivationSteps

INFO = np.array([[0, 2, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0], [0, 1, 3, 0, 0, 0]], np.int32)
WORD = np.array([0, 1, 0, 0, 0], np.int32)
MARK = np.array([77, 78])


def fired(blocks, *prefixes, hyp=None, exact=False):
    hyp = [0] * len(blocks) if hyp is None else hyp
    option, start, end = np.array(blocks, np.int64).reshape(-1, 3).T
    steps = DerivationSteps(np.array(hyp), option, start, end, INFO, WORD, np.arange(9), MARK)
    on = np.array([prefix in prefixes for prefix in PREFIXES])
    key, row = fired_features(steps, on, exact)
    assert len(set(zip(key.tolist(), row[:, 0].tolist(), strict=True))) == len(set(key.tolist()))
    return [(PREFIXES[kind], *rest) for kind, *rest in row.tolist()]


def test_kinds_come_in_their_order():
    blocks = [(0, 0, 1), (2, 2, 3)]
    assert fired(blocks, "uni", "pair", "jump", "bound") == [
        ("pair", 0, 0, 0, 0),
        ("pair", 0, 0, 1, 0),
        ("uni", 0, 0, 0, 0),
        ("uni", 0, 1, 0, 0),
        ("pair", 1, 0, 0, 0),
        ("uni", 1, 0, 0, 0),
        ("jump", 0, 0, 0, 0),
        ("jump", 1, 1, 0, 0),
        ("bound", 1, 1, 0, 0),
    ]


def test_a_seam_looks_over_blocks_without_words():
    blocks = [(0, 0, 1), (1, 1, 2), (2, 2, 3)]
    assert fired(blocks, "trigram") == [("trigram", 2, 0, 1, 0)]
    assert fired(blocks, "bound", hyp=[0, 0, 1]) == []
    assert fired(blocks, "sph", hyp=[0, 1, 1]) == [("sph", 2, 0, 0, 0)]


def test_orientations_count_from_the_start_of_each_derivation():
    blocks = [(0, 0, 1), (1, 0, 2), (0, 2, 3), (0, 1, 2)]
    turns = [row[2] for row in fired(blocks, "orient", hyp=[0, 1, 1, 1])]
    assert turns == [0, 0, 0, 1]
    assert [row[1:3] for row in fired(blocks, "forw", hyp=[0, 1, 1, 1])] == [(2, 0), (3, 1)]


def test_hierarchical_orientations_are_of_the_block_and_of_the_one_before():
    """Of the second, fourth, first and third word, the third joins what is covered to its left."""
    blocks = [(0, 1, 2), (0, 3, 4), (0, 0, 1), (0, 2, 3)]
    assert fired(blocks, "hback", "hforw") == [
        *(("hback", step, turn, 0, 0) for step, turn in enumerate([2, 2, 2, 0])),
        *(("hforw", step, turn, 0, 0) for step, turn in [(1, 0), (2, 1), (3, 2)]),
    ]
    assert [row[2] for row in fired(blocks, "hback", exact=True)] == [2, 2, 2, 2]
    assert [row[2] for row in fired(blocks, "hforw", exact=True)] == [2, 2, 2]


def test_nothing_fires_where_nothing_is_on():
    assert fired([(0, 0, 1)]) == []
    assert fired([], "uni", "jump") == []
