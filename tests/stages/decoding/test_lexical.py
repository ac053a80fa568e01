"""Lexical features that a lattice can have."""

import numpy as np

from formats.lexical_names import LexicalFeature
from stages.decoding.lexical import LexicalFeatures, counts
from tests.lattices import random_lattice


def test_only_features_of_the_lattice_and_with_weight_are_found():
    listed = [("uni", "u"), ("uni", "z"), ("bigram", "u", "z"), ("bigram", "u", "v")]
    listed += [("trigger", "x", "u"), ("trigram", "u", "v", "w"), ("pair", "b", "w")]
    listed += [("pair", "c", "w"), ("pair", "a", "z")]
    features = LexicalFeatures([LexicalFeature(name, tuple(words)) for name, *words in listed])
    lattice = random_lattice(1)
    local, beyond = features.local(lattice), features.beyond(lattice)
    assert local.unigram.tolist() == [0, -1, -1, -1]
    assert (len(local.pair_key), local.pair.tolist()) == (1, [6])
    assert (beyond.bigram.tolist(), beyond.bigram_key.tolist()) == ([3], [0 * 4 + 1])
    assert (beyond.trigram.tolist(), beyond.trigram_key.tolist()) == ([5], [(0 * 4 + 1) * 4 + 2])
    assert (beyond.trigger.tolist(), beyond.n_left) == ([4], 1)
    assert beyond.left.tolist() == [-1, -1, -1, 0]
    assert beyond.trigger_start.tolist() == [0, 1, 1, 1, 1]
    weight = np.ones(len(listed))
    weight[[3, 4]] = 0.0
    weighed = features.beyond(lattice, weight)
    assert [len(weighed.bigram), len(weighed.trigram), len(weighed.trigger)] == [0, 1, 0]


def test_no_features_at_all():
    features, lattice = LexicalFeatures([]), random_lattice(2)
    assert len(features.local(lattice).pair) == len(features.beyond(lattice).trigger) == 0


def test_counts():
    row, feature, count = counts(np.array([0, 3, 3, 4]), np.array([5, 1, 5, 0]), 6)
    assert row.tolist() == [0, 0, 2]
    assert feature.tolist() == [1, 5, 0]
    assert count.tolist() == [1, 2, 1]
