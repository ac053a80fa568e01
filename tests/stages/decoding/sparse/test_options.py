"""Sparse features in the search: against enumeration, and against counts from derivations alone."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from typing import Unpack

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.model.model import load_model
from campanula.formats.weights import Weights
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.sparse.options import (
    SparseWeights,
    digest_of,
    names_on,
    weights_by_key,
)
from tests.naive import decoder as naive
from tests.naive import sparse as naive_sparse
from tests.small_models import SOURCE, UNPRUNED, SearchOptions, random_model, write_model

interpreted = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
LOCAL = [name for name, template in TEMPLATES.items() if template.local]
NEIGHBOURS = [name for name in TEMPLATES if name not in LOCAL]
GROUPS = [[name] for name in TEMPLATES] + [LOCAL, NEIGHBOURS, list(TEMPLATES)]


def all_derivations(model, sentence, templates):
    """Every derivation: (dense score, text, dense values, sparse counts)."""
    found = []
    for steps in naive.derivations(model, tuple(sentence)):
        value = naive.features(model, steps)
        score = sum(model.weights[name] * value[name] for name in model.features_on)
        text = " ".join(word for step in steps for word in step[2])
        found.append((score, text, value, naive_sparse.features(sentence, steps, templates)))
    return found


def random_theta(rng, found):
    """Weights for some of the features that fire, rather large ones."""
    names = sorted({name for _, _, _, counts in found for name in counts})
    return {name: round(rng.uniform(-2, 2), 3) for name in names if rng.random() < 0.6}


def sparse_decode(model, folder, sentence, sparse, **settings: Unpack[SearchOptions]):
    compiled = load_model(write_model(model, folder), str(folder / "cache"))
    theta = np.array([model.weights[name] for name in model.features_on])
    plain = SearchSettings(reordering=model.reordering, distortion_limit=model.limit)
    how = replace(plain, **settings)
    [record] = Decoder(compiled, theta, how, None, sparse).decode_all([" ".join(sentence)])
    return record


@pytest.mark.parametrize("reordering", ["monotone", "swap", "distance"])
@pytest.mark.parametrize("templates", GROUPS, ids=lambda g: g[0] if len(g) == 1 else str(len(g)))
def test_unpruned_search_equals_enumeration(tmp_path, reordering, templates):
    for seed in range(2 if interpreted else 5):
        rng = random.Random(f"{reordering} {templates} {seed}")
        model = random_model(rng, rng.choice([0, 2, 3]), rng.random() < 0.5)
        model.reordering, model.limit = reordering, rng.choice([1, 2, 6])
        sentence = [rng.choice([*SOURCE, "ü=~"]) for _ in range(rng.choice([1, 2, 3, 4]))]
        found = all_derivations(model, sentence, templates)
        theta = random_theta(rng, found)
        folder = tmp_path / str(seed)
        folder.mkdir()
        sparse = SparseWeights(tuple(templates), theta)
        assert_enumerated(folder, model, sentence, sparse, found)


LEXICAL = ["ngram", "word-pair", "trigger"]
ANY = [*TEMPLATES, "trigger"]  # what a list of features may name


@pytest.mark.parametrize("reordering", ["monotone", "swap", "distance"])
@pytest.mark.parametrize("templates", [[], ["ngram"], ["bigram", "jump"]], ids=len)
def test_listed_features_equal_enumeration(tmp_path, reordering, templates):
    """Exactly those listed count, each once where a template has it too."""
    for seed in range(2 if interpreted else 4):
        rng = random.Random(f"{reordering} {templates} {seed}")
        model = random_model(rng, rng.choice([0, 2, 3]), rng.random() < 0.5)
        model.reordering, model.limit = reordering, rng.choice([2, 6])
        sentence = [rng.choice([*SOURCE, "ü=~", "𝔘,"]) for _ in range(rng.choice([1, 2, 3, 4]))]
        every = all_derivations(model, sentence, ANY if seed % 2 else LEXICAL)
        names = sorted({name for _, _, _, counts in every for name in counts})
        listed = [name for name in names if rng.random() < 0.7] + ["trigger_z~~u", "uni_zz"]
        theta = {name: round(rng.uniform(-2, 2), 3) for name in listed if rng.random() < 0.7}
        on = all_derivations(model, sentence, templates)
        theta |= random_theta(rng, on)
        found = [
            (*dense, counts | type(counts)({n: c for n, c in more.items() if n in listed}))
            for (*dense, counts), (*_, more) in zip(on, every, strict=True)
        ]
        folder = tmp_path / str(seed)
        folder.mkdir()
        sparse = SparseWeights(tuple(templates), theta, "w", tuple(listed))
        assert_enumerated(folder, model, sentence, sparse, found)


def test_a_trigger_may_stand_many_words_before(tmp_path):
    """With more triggers than a column of the history holds."""
    rng = random.Random(5)
    model = random_model(rng, 0, False)
    model.reordering = "monotone"
    words = [f"w{k}" for k in range(50)]
    targets = [tuple(words[5 * k : 5 * k + 5]) for k in range(10)]
    rows: list[list[tuple[naive.Words, list[float], list[float] | None]]]
    rows = [[(target, [0.5] * 4, None) for target in targets[k : k + 2]] for k in range(0, 10, 2)]
    model.phrases = {(name,): row for name, row in zip("abcde", rows, strict=True)}
    found = all_derivations(model, list("abcde"), ["trigger"])
    theta = random_theta(rng, found)
    sparse = SparseWeights((), theta, "w", tuple(theta))
    found = [
        (*dense, type(counts)({n: c for n, c in counts.items() if n in theta}))
        for *dense, counts in found
    ]
    assert_enumerated(tmp_path, model, list("abcde"), sparse, found)


def assert_enumerated(folder, model, sentence, sparse, found):
    """Lists of the search, of several lengths, against all derivations."""
    theta = sparse.theta
    total = [
        score + sum(theta.get(name, 0.0) * n for name, n in counts.items())
        for score, _, _, counts in found
    ]
    record = sparse_decode(model, folder, sentence, sparse, k=len(found) + 5, **UNPRUNED)
    assert len(record) == len(found)
    np.testing.assert_allclose(record.score, sorted(total, reverse=True), atol=3e-6)
    check_counts(record, found, {**model.weights, **theta})
    best: dict = {}
    for j in np.argsort(-np.array(total), kind="stable"):
        best.setdefault(found[j][1], total[j])
    few = sparse_decode(model, folder, sentence, sparse, k=len(best) + 5, distinct=True, **UNPRUNED)
    assert sorted(few.text) == sorted(best)
    np.testing.assert_allclose(few.score, list(best.values()), atol=3e-6)
    for k in (1, 2, 3, 5, len(found) // 2 + 1):  # what the search itself holds to be best
        few = sparse_decode(model, folder, sentence, sparse, k=k, **UNPRUNED)
        np.testing.assert_allclose(few.score, sorted(total, reverse=True)[:k], atol=3e-6)


def check_counts(record, found, theta):
    """Each hypothesis is one derivation, with its counts, and scores weights times features."""
    dense_names = [record.names[i] for i in record.features.dense_id]
    left: dict = {}
    for _, text, value, counts in found:
        key = (text, tuple(sorted(counts.items())))
        left.setdefault(key, []).append([value[name] for name in dense_names])
    rows = list(record.features.sparse_rows(record.names))
    for j, text in enumerate(record.text):
        dense = record.features.dense[:, j]
        rest = left[text, tuple(sorted((n, int(v)) for n, v in rows[j].items()))]
        errors = [np.abs(np.array(values) - dense).max() for values in rest]
        assert min(errors) < 1e-5
        rest.pop(int(np.argmin(errors)))
        score = sum(theta.get(n, 0.0) * v for n, v in zip(dense_names, dense, strict=True))
        score += sum(theta.get(n, 0.0) * v for n, v in rows[j].items())
        assert record.score[j] == pytest.approx(score, abs=1e-6)


def test_options_score_what_their_local_features_weigh(tmp_path):
    for seed in range(5):
        rng = random.Random(seed)
        model = random_model(rng, 2, False)
        for row in range(4):  # repeated words, on both sides
            source = tuple(rng.choices(SOURCE[:2], k=3))
            target = tuple(rng.choices("uv", k=row))
            model.phrases.setdefault(source, []).append((target, [0.5] * 4, None))
        folder = tmp_path / str(seed)
        folder.mkdir()
        compiled = load_model(write_model(model, folder), str(folder / "cache"))
        on = [*LOCAL, "ngram"]
        blocks = [(s, row[0]) for s, rows in model.phrases.items() for row in rows]
        fired = [naive_sparse.features(s, [(0, len(s), t)], on) for s, t in blocks]
        names = sorted({name for counts in fired for name in counts})
        theta = {name: rng.uniform(-1, 1) for name in names}
        store = OptionStore(compiled, np.zeros(9), 99, SparseWeights(tuple(on), theta))
        expected = {}
        for block, counts in zip(blocks, fired, strict=True):
            expected[block] = sum(theta[name] * n for name, n in counts.items())
        for source in model.phrases:
            [(first, count)] = store.spans([[word.encode() for word in source]])
            start = first[0, len(source) - 1]
            for option in range(start, start + count[0, len(source) - 1]):
                score = expected[store.phrases(option)]
                assert store.options.score[option, 0] == pytest.approx(score, abs=1e-9)


def test_a_sparse_weight_decides_which_translations_of_a_phrase_stay(tmp_path):
    model = random_model(random.Random(3), 2, True)
    rows: list[tuple[naive.Words, list[float], list[float] | None]]
    rows = [(("u",), [0.5] * 4, [0.3] * 6), (("v",), [0.4] * 4, [0.3] * 6)]
    model.phrases = {("a",): rows}
    sparse = SparseWeights(("block",), {"block_a~~v": 50.0})
    record = sparse_decode(model, tmp_path, ["a"], sparse, table_limit=1, k=5)
    assert list(record.text) == ["v"]


def test_blocks_that_differ_in_what_they_say_of_the_next_are_kept_apart(tmp_path):
    model = random_model(random.Random(3), 0, False)
    model.reordering = "monotone"
    model.phrases = {
        ("a",): [(("u",), [0.5] * 4, None), (("v",), [0.5] * 4, None)],
        ("b",): [(("w",), [0.5] * 4, None)],
    }
    theta = {"block_a~~u": 3.0, "forw_R_a~~u": -5.0}
    sparse = SparseWeights(("block", "block-orientation"), theta)
    assert list(sparse_decode(model, tmp_path, ["a", "b"], sparse, k=1).text) == ["v w"]


def test_histories_are_kept_apart_only_where_a_weight_asks(tmp_path):
    """Recombination with sparse features on, but no weights, is that without them."""
    model = random_model(random.Random(8), 0, True)
    compiled = load_model(write_model(model, tmp_path), str(tmp_path / "cache"))
    theta = np.array([model.weights[name] for name in model.features_on])
    sizes = []
    for weights in ({}, {"bigram_u~v": 1.0}, {"tph_u~~v": 1.0}):
        store = Decoder(
            compiled, theta, SearchSettings(**UNPRUNED), None, SparseWeights(("ngram",), weights)
        )
        [sentence] = store._sentences(["a b c d"])
        sizes.append(len(store._search(sentence).graph.first_arc))
    plain = Decoder(compiled, theta, SearchSettings(**UNPRUNED))
    [sentence] = plain._sentences(["a b c d"])
    assert sizes[0] == len(plain._search(sentence).graph.first_arc)
    assert sizes[0] < sizes[1]
    assert sizes[2] == sizes[0]  # its template is off


def test_a_weight_that_no_feature_has_is_refused():
    given = SparseWeights(("jump",), {"jump_+2": 1.0, "jump_0": 0.0, "block_a": 1.0}, "w")
    assert names_on(given) == ["jump_+2", "jump_0"]
    keys = weights_by_key(given)
    assert keys.jump.tolist() == [0.0, 0.0, 0.0, 0.0, 1.0]
    assert digest_of(given, keys) == Weights({"jump_+2": 1.0}).digest()
    for value in (1.0, 0.0):
        with pytest.raises(DataError, match="w: feature 'jump_2'"):
            weights_by_key(SparseWeights(("jump",), {"jump_2": value}, "w"))
    nothing = SparseWeights(("jump",), {"jump_0": 0.0})
    assert digest_of(nothing, weights_by_key(nothing)) == ""
