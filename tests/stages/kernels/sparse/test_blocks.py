"""Scores of blocks: a weight counts as often as its feature fires."""

from __future__ import annotations

import itertools
import random

import numpy as np

from campanula.formats.feature_names.sparse import PREFIXES, sparse_name
from campanula.stages.decoding.sparse.feature_index import empty_table
from campanula.stages.decoding.sparse.keys import SparseKeys
from campanula.stages.kernels.records import SparseTable
from campanula.stages.kernels.sparse import blocks as sparse_blocks
from campanula.stages.kernels.sparse import tables
from campanula.stages.kernels.sparse import weights as kernels

MARK = np.array([10, 11, 12, 13, 14, 15, 16, 17, 18])  # fingerprints of target words 0 to 8


def table(kind, key, weight=1.0):
    on = np.zeros(len(PREFIXES), np.bool_)
    on[kind] = True
    keys, ids = empty_table(1)
    tables.insert(keys, ids, np.array([key], np.int64), 0)
    return SparseTable(keys, ids, np.array([weight]), on, MARK)


def score(sparse, source, target):
    s, t = np.array(source, np.int64), np.array(target, np.int32)
    [value] = sparse_blocks.block_scores(
        s,
        np.array([0, len(s)]),
        np.zeros(1, np.int64),
        t,
        np.zeros(1, np.int64),
        np.array([len(t)]),
        sparse,
    )
    return value


def test_a_feature_that_fires_twice_counts_twice():
    pair = table(kernels.PAIR, kernels.key_of(kernels.PAIR, 3, 17, -1), 0.5)
    assert score(pair, [3, 4, 3], [7, 8]) == 1.0
    assert score(pair, [7], [3]) == 0.0
    triplet = kernels.key_of(kernels.TARGET_TRIPLET, 3, 17, 18)
    assert score(table(kernels.TARGET_TRIPLET, triplet), [3, 3], [7, 8, 8]) == 4.0
    triplet = kernels.key_of(kernels.SOURCE_TRIPLET, 3, 4, 17)
    assert score(table(kernels.SOURCE_TRIPLET, triplet), [3, 4, 4], [7, 7]) == 4.0
    bigram = kernels.key_of(kernels.BIGRAM, 17, 17, -1)
    assert score(table(kernels.BIGRAM, bigram), [1], [7, 7, 7]) == 2.0
    assert score(table(kernels.BIGRAM, bigram), [1], []) == 0.0
    trigger = table(kernels.TRIGGER, kernels.key_of(kernels.TRIGGER, 17, 18, -1))
    assert score(trigger, [1], [7, 7, 8, 7, 8]) == 2.0
    assert score(trigger, [1], [8, 7]) == 0.0
    lengths = table(kernels.SOURCE_LENGTH, kernels.number_key(kernels.SOURCE_LENGTH, 2), 3.0)
    assert score(lengths, [1, 1], [7]) == 3.0


def test_orientations_are_backward_then_forward():
    key = np.array([[11, 12], [13, 14]])
    forward = table(kernels.FORWARD, kernels.phrases_key(kernels.FORWARD, 1, 13, 14))
    assert np.argwhere(sparse_blocks.orientation_scores(key, forward)).tolist() == [[1, 4]]
    plain = table(kernels.ORIENTATION, kernels.number_key(kernels.ORIENTATION, 2))
    assert np.argwhere(sparse_blocks.orientation_scores(key, plain)).tolist() == [[0, 2], [1, 2]]


def test_equal_phrases_have_equal_keys():
    target, begin, end = np.array([5, 6, 5], np.int32), np.array([0, 2]), np.array([1, 3])
    source, start, owner = np.array([1]), np.array([0, 1]), np.zeros(2, np.int64)
    key = sparse_blocks.block_keys(source, start, owner, target, begin, end, MARK)
    assert key[0].tolist() == key[1].tolist()


def test_fingerprints_are_those_of_single_words():
    text, pointer = np.frombuffer(bytearray("aßb".encode()), np.uint8), np.array([0, 1, 3, 3, 4])
    every = sparse_blocks.word_marks(text, pointer, 2)
    assert every.tolist() == [
        kernels.word_mark(text, a, b, 2) for a, b in itertools.pairwise(pointer.tolist())
    ]


def test_scores_of_two_kinds_are_those_of_orientations():
    rng = random.Random(1)
    sides = kernels.BACKWARD, kernels.FORWARD
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
    key = sparse_blocks.block_keys(*given)
    found = sparse_blocks.sided_scores(key, sides, keys.table)
    np.testing.assert_array_equal(found, sparse_blocks.orientation_scores(key, keys.table))
    assert found.any()
    off = keys.table._replace(on=np.zeros_like(keys.table.on))
    assert not sparse_blocks.sided_scores(key, sides, off).any()
