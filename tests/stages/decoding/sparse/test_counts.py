"""Counts of sparse features of whole derivations, against the naive ones; ids and orders."""

from __future__ import annotations

import random

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.sparse.counts import SparseCounts, SparseRows, scored
from campanula.stages.decoding.sparse.feature_ids import NamedFeatures
from campanula.stages.decoding.sparse.keys import SparseKeys
from campanula.stages.decoding.sparse.name_parsing import text_of
from campanula.stages.decoding.sparse.spelled_features import (
    SpelledSteps,
    StepWords,
    spelling_of,
    steps_of,
)
from tests.naive import sparse as naive

SOURCE = ["a", "b", "c%", "b", "d"]
VOCABULARY = ["u", "v~", "w x"]
NO_LISTED = (np.zeros(0, np.int64), np.zeros(0, np.int64))


def random_steps(rng, n):
    """n derivations of SOURCE: naive steps, and the same as arrays with their options."""
    options, derivations = [], []
    for _ in range(n):
        cuts = sorted(rng.sample(range(1, 5), rng.randrange(4)))
        spans = list(zip([0, *cuts], [*cuts, 5], strict=True))
        rng.shuffle(spans)
        steps = []
        for start, end in spans:
            target = tuple(rng.choices(range(3), k=rng.choice([0, 1, 1, 2, 4])))
            options.append((tuple(SOURCE[start:end]), target))
            steps.append((start, end, target, len(options) - 1))
        derivations.append(steps)
    return options, derivations


def spelled(options, derivations, keys):
    info = []
    word: list[int] = []
    for _, target in options:
        info.append([0, len(target), len(word), 0, 0, 0])
        word += [*target, 0]
    offset = pointer_of([len(steps) for steps in derivations])
    flat = [(o, s, e) for steps in derivations for s, e, _, o in steps]
    blocks = np.array(flat, np.int64).reshape(-1, 3).T
    source, mark = (keys.marks(*text_of(words)) for words in (SOURCE, VOCABULARY))
    words = StepWords(np.array(info, np.int32), np.array(word, np.int32), source, mark)
    spelling = [spelling_of(Texts.of(words)) for words in (SOURCE, VOCABULARY)]
    return SpelledSteps(steps_of(offset, (blocks[0], blocks[1], blocks[2]), words), *spelling)


def counted(counts, steps, n, listed=NO_LISTED):
    return counts.count(counts.fire(steps, listed), n)


def no_weights():
    return SparseKeys.of_names([], np.zeros(0))


def test_counts_are_those_of_the_derivations():
    rng = random.Random(1)
    for templates in [(name,) for name in TEMPLATES] + [tuple(TEMPLATES)]:
        options, derivations = random_steps(rng, 20)
        names = Names(["LM0"])
        keys = no_weights()
        counts = SparseCounts(templates, keys, NamedFeatures(names))
        for _ in range(2):  # the second time from what is known
            pointer, ids, value, weight = counted(counts, spelled(options, derivations, keys), 20)
            assert len(pointer) == 21
            assert not weight.any()
            for h, steps in enumerate(derivations):
                part = slice(pointer[h], pointer[h + 1])
                found = dict(zip((names[i] for i in ids[part]), value[part].tolist(), strict=True))
                plain = [(s, e, words_of(options[o])) for s, e, _, o in steps]
                assert found == dict(naive.features(SOURCE, plain, templates))
                assert (np.diff(ids[part]) > 0).all()


def words_of(option):
    return tuple(VOCABULARY[w] for w in option[1])


def test_names_are_met_block_by_block():
    """Ids follow the derivations: what is local to blocks, then what is not."""
    names = Names()
    keys = no_weights()
    templates = ("word-pair", "unigram", "orientation", "boundary", "jump")
    counts = SparseCounts(templates, keys, NamedFeatures(names))
    options = [(("a", "b"), (0, 1)), (("c%", "b", "d"), (0,))]
    derivations = [[(0, 2, (0, 1), 0), (2, 5, (0,), 1)]]
    counted(counts, spelled(options, derivations, keys), 1)
    expected = ["pair_a~~u", "pair_a~~v%7E", "pair_b~~u", "pair_b~~v%7E", "uni_u", "uni_v%7E"]
    expected += ["pair_c%25~~u", "pair_d~~u", "orient_R", "jump_0", "bound_v%7E~~u"]
    assert list(names) == expected


def test_weights_stand_beside_the_counts():
    rng = random.Random(4)
    options, derivations = random_steps(rng, 20)
    theta = {"uni_u": 2.0, "slen_1": 3.0, "bigram_u~u": 0.5}
    keys = SparseKeys.of_names([*theta], np.array([*theta.values()]))
    names = Names()
    counts = SparseCounts(("ngram", "source-length"), keys, NamedFeatures(names))
    _, ids, _, weight = counted(counts, spelled(options, derivations, keys), 20)
    assert weight.any()
    assert weight.tolist() == [theta.get(names[i], 0.0) for i in ids.tolist()]


def test_no_template_gives_no_features():
    options, derivations = random_steps(random.Random(2), 3)
    keys = no_weights()
    counts = SparseCounts((), keys, NamedFeatures(Names()))
    assert not counts.on
    pointer, ids, value, _ = counted(counts, spelled(options, derivations, keys), 3)
    assert pointer.tolist() == [0, 0, 0, 0]
    assert not len(ids)
    assert not len(value)
    assert counted(counts, None, 2).pointer.tolist() == [0, 0, 0]


def test_listed_features_of_other_templates_count_alone():
    rng = random.Random(3)
    options, derivations = random_steps(rng, 20)
    listed = ["jump_0", "orient_N", "slen_2", "bi_u~u", "uni_u", "bigram_u~u", "tlen_0"]
    every = [*TEMPLATES]
    names = Names()
    keys = no_weights()
    counts = SparseCounts(("jump",), keys, NamedFeatures(names), listed)
    assert counts.lexical.names == ["uni_u", "bigram_u~u"]
    assert list(names) == ["uni_u", "bigram_u~u"]
    lexical = (np.array([0, 0, 3]), np.array([1, 1, 0]))
    steps = spelled(options, derivations, keys)
    pointer, ids, value, _ = counted(counts, steps, 20, lexical)
    for h, steps in enumerate(derivations):
        part = slice(pointer[h], pointer[h + 1])
        found = dict(zip((names[i] for i in ids[part]), value[part].tolist(), strict=True))
        plain = [(s, e, words_of(options[o])) for s, e, _, o in steps]
        expected = {
            name: n
            for name, n in naive.features(SOURCE, plain, every).items()
            if name.startswith("jump_") or name in (*listed[:4], listed[-1])
        }
        expected |= {0: {"bigram_u~u": 2}, 3: {"uni_u": 1}}.get(h, {})
        assert found == expected


def test_scores_are_weights_times_features():
    dense, weight = np.array([[1.0, 2.0]]), np.array([0.5])
    features, score = scored(dense, np.array([7], np.int32), weight, None)
    assert score.tolist() == [0.5, 1.0]
    assert features.dense_id.tolist() == [7]
    counts = SparseRows(
        np.array([0, 2, 3]),
        np.array([3, 9, 3], np.int32),
        np.array([1.0, 2.0, 1.0]),
        np.array([10.0, 100.0, 10.0]),
    )
    features, score = scored(dense, np.array([7], np.int32), weight, counts)
    assert score.tolist() == [210.5, 11.0]
    assert (features.sparse_id.tolist(), features.binary_id.tolist()) == ([9], [3, 3])
