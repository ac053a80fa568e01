"""Lists of rescored lattices: those of decode, and features beyond the arcs, by enumeration."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

from campanula.formats.feature_names.lexical import LexicalFeature
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.records.lattice import Lattice
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages.decoding.rescorer import Rescorer, RescoreSettings
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.lattices import random_features, random_lattice, searched, write_lattices
from tests.naive import lattice as naive
from tests.naive import sparse as naive_sparse
from tests.present import present
from tests.small_models import UNPRUNED, Unpruned, random_model, random_tillmann_zhang_model

interpreted = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
SEEDS = range(3 if interpreted else 12)
MANY = 1 << 40
LOCAL = [name for name, template in TEMPLATES.items() if template.local]


def packed(records):
    return [record.pack(record.names) for record in records]


def extract(lattices, weights, features=None, jobs=1, **settings):
    listed = [f if isinstance(f, str) else f.name for f in features or ()]
    return list(
        Rescorer(Weights(weights), RescoreSettings(**settings), listed).rescore(lattices, jobs)
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("make", [random_model, random_tillmann_zhang_model])
def test_lists_of_the_search(seed, distinct, make, tmp_path):
    """Byte for byte, ties included, pruned and not, with and without a language model."""
    k, settings = [7, 100, 500][seed % 3], {"pop_limit": 30, "stack": 10} if seed % 2 else {}
    mode = {"order": seed % 4, "lexical": seed % 3 > 0, "make": make}
    mode |= {"reordering": ["distance", "swap", "monotone"][seed % 3], **settings}
    weights, lists, lattices = searched(seed, tmp_path, k=k, distinct=distinct, **mode)
    assert packed(extract(lattices, weights, k=k, distinct=distinct)) == packed(lists)
    with Reader(write_lattices(tmp_path / "l", lattices), Lattice) as stream:
        assert packed(extract(stream, weights, k=k, distinct=distinct)) == packed(lists)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", [random_model, random_tillmann_zhang_model])
def test_arcs_of_a_search_add_up_to_its_lists(seed, make, tmp_path):
    """Every path is a derivation of the unpruned list, with its features."""
    flags = {"pop_limit": MANY, "stack": MANY, "table_limit": MANY, "make": make}
    weights, lists, lattices = searched(seed, tmp_path, k=10**6, lexical=seed % 2 > 0, **flags)
    for kbest, lattice in zip(lists, lattices, strict=True):
        found = naive.kbest(lattice, weights, [], distinct=False)
        assert len(found) == len(kbest)
        np.testing.assert_allclose(
            [score for score, _, _ in found], present(kbest.score), atol=1e-9
        )
        rows = list(kbest.features.rows(kbest.names))
        ours = sorted((t, sorted(f.items())) for t, f in zip(kbest.text, rows, strict=True))
        theirs = sorted((t, sorted(f.items())) for _, t, f in found)
        assert [text for text, _ in ours] == [text for text, _ in theirs]


def check(record, expected, k):
    """Whether a list is the first k of all, up to the order of ties."""
    expected = expected[:k]
    np.testing.assert_allclose(record.score, [score for score, _, _ in expected], atol=1e-9)
    rows = list(record.features.rows(record.names))
    ours, theirs = list(zip(record.text, rows, strict=True)), [e[1:] for e in expected]
    edge = expected[-1][0] + 1e-9  # which of those that tie with the last are there is open
    inside = [i for i, (score, _, _) in enumerate(expected) if score > edge]
    assert len(ours) == len(theirs)
    for i in inside:
        text, row = ours[i]
        ties = [e for e in expected if abs(e[0] - record.score[i]) < 1e-9]
        assert any(
            text == t and row.keys() == f.keys() and all(abs(row[n] - f[n]) < 1e-9 for n in f)
            for _, t, f in ties
        )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("k", [5, 100000])
def test_lists_that_hold_all_paths_are_exact(seed, distinct, k):
    rng = np.random.default_rng(seed)
    lattice, features = random_lattice(seed), random_features(seed, 0.3)
    weights = {"LM0": 0.3, "WordPenalty0": 0.8}
    weights |= {feature.name: round(float(rng.normal()), 3) for feature in features}
    [record] = extract([lattice], weights, features, k=k, distinct=distinct, node_list=100000)
    expected = naive.kbest(lattice, weights, features, distinct)
    if distinct:
        assert len(set(record.text)) == len(record)
    check(record, expected, k)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("distinct", [False, True])
def test_features_of_an_arc_leave_the_search_exact(seed, distinct):
    """With short lists at the nodes, too: weights of unigrams and word pairs are an arc's own."""
    rng = np.random.default_rng(seed)
    lattice, features = random_lattice(seed, 6), random_features(seed, 0.3)
    weights = {"LM0": 0.3, "WordPenalty0": 0.8}
    weights |= {
        feature.name: round(float(rng.normal()), 3) * (feature.prefix in ("uni", "pair"))
        for feature in features
    }
    [record] = extract([lattice], weights, features, k=20, distinct=distinct, node_list=1)
    check(record, naive.kbest(lattice, weights, features, distinct), 20)


@pytest.mark.parametrize("seed", SEEDS)
def test_features_of_weight_0_change_nothing_else(seed, tmp_path):
    weights, lists, lattices = searched(seed, tmp_path, k=40)
    features = random_features(seed)
    weights |= dict.fromkeys((feature.name for feature in features), 0.0)
    found = extract(lattices, weights, features, k=40, node_list=1)
    added = 0
    for kbest, more in zip(lists, found, strict=True):
        assert list(more.text) == list(kbest.text)
        assert present(more.score).tobytes() == present(kbest.score).tobytes()
        assert more.features.dense.tobytes() == kbest.features.dense.tobytes()
        added += len(more.features.sparse_id) + len(more.features.binary_id)
    assert added > 0


TEMPLATE_SETS = [list(TEMPLATES), LOCAL, [name for name in TEMPLATES if name not in LOCAL]]


def sparse_weights(rng, lattices, templates, share=0.5):
    """Weights for some of the features of the templates that some path of a lattice has."""
    names: set[str] = set()
    for lattice in lattices:
        for path in naive.paths(lattice) if len(lattice.source) else ():
            steps = naive.steps(lattice, path)
            names |= naive_sparse.features(list(lattice.source), steps, templates).keys()
    return {name: round(rng.uniform(-2, 2), 3) for name in sorted(names) if rng.random() < share}


def searched_sparse(seed, folder, templates, theta, listed=(), **mode):
    """What `searched` gives for a search in which some sparse features take part."""
    names = [f if isinstance(f, str) else f.name for f in listed]
    given = SparseWeights(tuple(templates), theta, "w", tuple(names))
    mode = {"order": seed % 3, "lexical": seed % 2 > 0, "lines": ("a b c", "", "𝔘|=~%, b"), **mode}
    mode["reordering"] = ["distance", "swap", "monotone"][seed % 3]
    weights, lists, lattices = searched(seed, folder, sparse=given, **mode)
    return weights | theta, lists, lattices


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("templates", TEMPLATE_SETS, ids=["all", "local", "beyond"])
def test_lists_of_a_search_with_sparse_features(seed, templates, tmp_path):
    """Byte for byte under its weights, whichever of them look beyond a block."""
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    _, _, lattices = searched_sparse(seed, folders[0], templates, {})
    theta = sparse_weights(random.Random(seed), lattices, templates, 0.3)
    k, pruned = [7, 500][seed % 2], {"pop_limit": 30, "stack": 10} if seed % 4 > 1 else {}
    mode = {"k": k, "distinct": seed % 3 > 0, **pruned}
    weights, lists, lattices = searched_sparse(seed, folders[1], templates, theta, **mode)
    flags = {"k": k, "distinct": mode["distinct"], "node_list": 1}
    assert packed(extract(lattices, weights, **flags)) == packed(lists)
    with Reader(write_lattices(tmp_path / "l", lattices), Lattice) as stream:
        assert packed(extract(stream, weights, jobs=2, **flags)) == packed(lists)
    rows = (row for kbest in lists for row in kbest.features.sparse_rows(kbest.names))
    assert any(theta.keys() & row.keys() for row in rows)
    assert theta.keys().isdisjoint(lattices[0].names)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("templates", [[], ["word-pair", "jump"], ["ngram"]], ids=len)
def test_lists_of_a_search_with_listed_features(seed, templates, tmp_path):
    """Byte for byte, given the same list, whatever look beyond their blocks."""
    rng, features = random.Random(seed), random_features(seed)
    others = ["orient_N", "jump_+1", "bound_u~~v", "slen_2", "tph_u~~v", "forw_R_a~~u", "jump_0"]
    every: list[LexicalFeature | str] = [*features, *others[: seed % 4 * 3]]
    names = [f if isinstance(f, str) else f.name for f in every]
    theta = {name: round(rng.uniform(-2, 2), 3) for name in names if rng.random() < 0.5}
    mode = {"k": 50, "distinct": seed % 3 > 0}
    mode |= {"pop_limit": 30, "stack": 10} if seed % 2 else {}
    weights, lists, lattices = searched_sparse(seed, tmp_path, templates, theta, every, **mode)
    flags = {"k": 50, "distinct": mode["distinct"], "node_list": 1}
    assert packed(extract(lattices, weights, every, **flags)) == packed(lists)
    with Reader(write_lattices(tmp_path / "l", lattices), Lattice) as stream:
        assert packed(extract(stream, weights, every, jobs=2, **flags)) == packed(lists)
    on = {prefix for name in templates for prefix in TEMPLATES[name].prefixes}
    rows = [list(kbest.features.sparse_rows(kbest.names)) for kbest in lists]
    assert [len(lattice.source) for lattice in lattices] == [3, 0, 2]
    assert any(rows[0] + rows[2])
    assert rows[1] == [{}]
    for kbest, rows_of_list in zip(lists, rows, strict=True):
        for text, row in zip(kbest.text, rows_of_list, strict=True):
            counted = [f for f in features if f.prefix not in (*on, "pair")]
            words = {name: n for name, n in row.items() if name in {f.name for f in counted}}
            assert words == naive.words_counts(text.split(), counted)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("templates", TEMPLATE_SETS, ids=["all", "local", "beyond"])
@pytest.mark.parametrize("distinct", [False, True])
def test_other_weights_of_sparse_features(seed, templates, distinct, tmp_path):
    """Lattices made with no weights, which recombine most, against all of their paths."""
    _, _, lattices = searched_sparse(seed, tmp_path, templates, {}, **UNPRUNED)
    rng, names = random.Random(seed), lattices[0].names
    weights = {name: round(rng.uniform(-1, 1), 3) for name in names}
    weights |= sparse_weights(rng, lattices, templates)
    features = random_features(seed, 0.2) if seed % 2 else []
    weights |= {f.name: round(rng.uniform(-1, 1), 3) for f in features if f.name not in weights}
    on = {prefix for name in templates for prefix in TEMPLATES[name].prefixes}
    counted = [f for f in features if f.prefix not in on]  # once, by template or by list
    found = extract(lattices, weights, features, k=30, distinct=distinct, node_list=MANY)
    for lattice, kbest in zip(lattices, found, strict=True):
        check(kbest, naive.kbest(lattice, weights, counted, distinct, templates), 30)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_arcs_before_agree_on_leaves_the_search_exact(seed, tmp_path):
    """With lists of one at the nodes: local features, and turns where nodes tell them apart."""
    templates = [*LOCAL, "orientation", "jump"]
    _, _, lattices = searched_sparse(seed | 1, tmp_path, templates, {}, **UNPRUNED)
    rng = random.Random(seed)
    weights = {name: round(rng.uniform(-1, 1), 3) for name in lattices[0].names}
    weights |= sparse_weights(rng, lattices, templates)
    for lattice, kbest in zip(lattices, extract(lattices, weights, k=30, node_list=1), strict=True):
        check(kbest, naive.kbest(lattice, weights, [], False, templates), 30)


def test_short_lists_find_worse_paths_but_true_scores():
    lattice, features = random_lattice(5, 7), random_features(5)
    rng = np.random.default_rng(5)
    weights = {"LM0": 0.3, "WordPenalty0": 0.8}
    weights |= {feature.name: float(rng.normal()) for feature in features}
    [short] = extract([lattice], weights, features, k=10, node_list=2)
    [whole] = extract([lattice], weights, features, k=10, node_list=100000)
    assert (short.score <= whole.score[: len(short)] + 1e-9).all()
    every = {(t, round(s, 6)) for s, t, _ in naive.kbest(lattice, weights, features, False)}
    assert {(t, round(float(s), 6)) for t, s in zip(short.text, short.score, strict=True)} <= every
    rows = list(short.features.rows(short.names))
    expected = [sum(weights[name] * value for name, value in row.items()) for row in rows]
    np.testing.assert_allclose(short.score, expected, atol=1e-9)


def test_a_pair_is_within_one_block():
    lattice = random_lattice(3)
    features = [LexicalFeature("pair", (f, e)) for f in "ab" for e in "uvwx"]
    weights = {"LM0": 0.0, "WordPenalty0": 0.0, **{feature.name: 1.0 for feature in features}}
    [record] = extract([lattice], weights, features, k=10**6)
    expected = [naive.lexical(lattice, path, features) for path in naive.paths(lattice)]
    assert sorted(sum(row.values()) for row in expected) == sorted(record.score.tolist())


class SearchedFlags(Unpruned):
    """Some of the settings of `searched`."""

    lines: tuple[str, ...]
    order: int
    k: int
    table_limit: int


FOUR: SearchedFlags = {"lines": ("a b c d",), "order": 0, "k": 10**6, **UNPRUNED, "table_limit": 1}
"""Flags of a search with orders of blocks that no binary tree has."""


def test_hierarchical_orientations_of_arcs_add_up_to_those_of_lists(tmp_path):
    tables = ("hierarchical", "word")
    weights, [kbest], [lattice] = searched(3, tmp_path, lexical=tables, **FOUR)
    found = naive.kbest(lattice, weights, [], distinct=False)
    assert len(found) == len(kbest)
    names = list(kbest.names)
    ours = [[row.get(name, 0.0) for name in names] for row in kbest.features.rows(kbest.names)]
    theirs = [[row.get(name, 0.0) for name in names] for _, _, row in found]
    np.testing.assert_allclose(sorted(ours), sorted(theirs), atol=1e-9)


def test_other_weights_of_hierarchical_orientations(tmp_path):
    """Of a lattice that knows nothing of them: found along its paths."""
    templates = ["hierarchical-orientation"]
    _, _, [lattice] = searched_sparse(3, tmp_path, templates, {}, **FOUR)
    rng = random.Random(3)
    weights = {name: round(rng.uniform(-1, 1), 3) for name in lattice.names}
    weights |= sparse_weights(rng, [lattice], templates)
    [kbest] = extract([lattice], weights, k=100, node_list=MANY)
    check(kbest, naive.kbest(lattice, weights, [], False, templates), 100)
