"""Lexical features that a lattice can have."""

from campanula.formats.feature_names.lexical import LexicalFeature
from campanula.stages.decoding.sparse.lexical import LexicalFeatures
from tests.lattices import random_lattice


def test_only_features_of_the_lattice_are_found():
    listed = [("uni", "u"), ("uni", "z"), ("bigram", "u", "z"), ("bigram", "u", "v")]
    listed += [("trigger", "x", "u"), ("trigram", "u", "v", "w"), ("pair", "b", "w")]
    listed += [("pair", "c", "w"), ("pair", "a", "z")]
    features = LexicalFeatures([LexicalFeature(name, tuple(words)) for name, *words in listed])
    lattice = random_lattice(1)
    local, beyond = features.local(lattice.source, lattice.word), features.beyond(lattice.word)
    assert local.unigram.tolist() == [0, -1, -1, -1]
    assert (len(local.pair_key), local.pair.tolist()) == (1, [6])
    assert (beyond.bigram.tolist(), beyond.bigram_key.tolist()) == ([3], [0 * 4 + 1])
    assert (beyond.trigram.tolist(), beyond.trigram_key.tolist()) == ([5], [(0 * 4 + 1) * 4 + 2])
    assert (beyond.trigger.tolist(), beyond.n_left) == ([4], 1)
    assert beyond.left.tolist() == [-1, -1, -1, 0]
    assert beyond.trigger_start.tolist() == [0, 1, 1, 1, 1]


def test_no_features_at_all():
    features, lattice = LexicalFeatures([]), random_lattice(2)
    assert len(features.beyond(lattice.word).trigger) == 0


def test_features_that_templates_count_are_left_out():
    listed = [("uni", "u"), ("bigram", "u", "v"), ("pair", "a", "u"), ("trigger", "u", "v")]
    features = LexicalFeatures([LexicalFeature(name, tuple(words)) for name, *words in listed])
    assert features.without([]).names == features.names
    assert features.without(["ngram"]).names == ["pair_a~~u", "trigger_u~~v"]
    assert features.without(["word-pair", "bigram", "unigram"]).names == features.names[1::2]


def test_names_of_other_features_are_no_lexical_ones():
    names = ["uni_u", "block_a~~u", "bi_u~v", "bigram_u~v", "jump_0"]
    assert LexicalFeatures.of(names).names == ["uni_u", "bigram_u~v"]
