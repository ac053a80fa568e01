"""Counts of sparse features of whole derivations, against the naive ones; ids and orders."""

from __future__ import annotations

import random

import numpy as np

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.records.names import Names
from campanula.stages.decoding.sparse_counts import SparseCounts, Steps
from tests.naive import sparse as naive

SOURCE = ["a", "b", "c%", "b", "d"]
VOCABULARY = ["u", "v~", "w x"]


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


def arrays(options, derivations):
    info, word = [], []
    for _, target in options:
        info.append([0, len(target), len(word), 0, 0, 0])
        word += [*target, 0]
    flat = [(h, o, s, e) for h, steps in enumerate(derivations) for s, e, _, o in steps]
    hyp, option, start, end = np.array(flat, np.int64).reshape(-1, 4).T
    return Steps(hyp, option, start, end, np.array(info, np.int32), np.array(word, np.int32))


def test_counts_are_those_of_the_derivations():
    rng = random.Random(1)
    for templates in [(name,) for name in TEMPLATES] + [tuple(TEMPLATES)]:
        options, derivations = random_steps(rng, 20)
        names = Names(["LM0"])
        phrases = [(s, tuple(VOCABULARY[w] for w in t)) for s, t in options]
        counts = SparseCounts(templates, names, phrases.__getitem__, VOCABULARY.__getitem__)
        for _ in range(2):  # the second time from what is known
            pointer, ids, value = counts.count(arrays(options, derivations), 20)
            assert len(pointer) == 21
            for h, steps in enumerate(derivations):
                part = slice(pointer[h], pointer[h + 1])
                found = dict(zip((names[i] for i in ids[part]), value[part].tolist(), strict=True))
                plain = [(s, e, phrases[o][1]) for s, e, _, o in steps]
                assert found == dict(naive.features(SOURCE, plain, templates))
                assert (np.diff(ids[part]) > 0).all()


def test_no_template_gives_no_features():
    options, derivations = random_steps(random.Random(2), 3)
    counts = SparseCounts((), Names(), [((), ())].__getitem__, VOCABULARY.__getitem__)
    counts._phrases = lambda option: (options[option][0], ())
    pointer, ids, value = counts.count(arrays(options, derivations), 3)
    assert pointer.tolist() == [0, 0, 0, 0]
    assert not len(ids)
    assert not len(value)


def test_listed_features_of_other_templates_count_alone():
    rng = random.Random(3)
    options, derivations = random_steps(rng, 20)
    phrases = [(s, tuple(VOCABULARY[w] for w in t)) for s, t in options]
    listed = ["jump_0", "orient_N", "slen_2", "bi_u~u", "uni_u", "bigram_u~u", "tlen_0"]
    every = [*TEMPLATES]
    names = Names()
    counts = SparseCounts(("jump",), names, phrases.__getitem__, VOCABULARY.__getitem__, listed)
    assert counts.on == {"jump", "orientation", "source-length", "bigram", "target-length"}
    pointer, ids, value = counts.count(arrays(options, derivations), 20)
    for h, steps in enumerate(derivations):
        part = slice(pointer[h], pointer[h + 1])
        found = dict(zip((names[i] for i in ids[part]), value[part].tolist(), strict=True))
        plain = [(s, e, phrases[o][1]) for s, e, _, o in steps]
        expected = {
            name: n
            for name, n in naive.features(SOURCE, plain, every).items()
            if name.startswith("jump_") or name in (*listed[:4], listed[-1])
        }
        assert found == expected
