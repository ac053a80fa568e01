"""Leave-one-out against a table that is really made without the sentence pair."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import load_model
from campanula.formats.records.kbest import KBest
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.left_out.leave_one_out import LeftOut
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.lattices import best_score
from tests.naive.leave_one_out import table_without
from tests.present import present
from tests.small_models import SearchOptions
from tests.training import Corpus, decode, random_pairs, random_theta

interpreted = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
PENALTY = 1e-4
PAIRS = [("a b", "u v", "0-0 1-1"), ("a c", "u w", "0-0 1-1"), ("d", "x", "0-0")]


def model_without(corpus: Corpus, n: int, every: ModelFiles, lms=()):
    """The model whose relative frequencies are those of all pairs but n."""
    others = Corpus(corpus.pairs[:n] + corpus.pairs[n + 1 :], corpus.folder / f"without{n}")
    whole, left = (
        Path(f.extract().phrase_table).read_text().splitlines() for f in (corpus, others)
    )
    path = others.folder / "table"
    path.write_text("".join(f"{line}\n" for line in table_without(whole, left, PENALTY)))
    files = ModelFiles(str(path), every.reordering_tables, lms)
    return load_model(files, str(path) + ".cache")


def by_text(record: KBest) -> dict[str, list[tuple[float, ...]]]:
    """Scores and features of each string's derivations, best first."""
    rows: dict[str, list[tuple[float, ...]]] = {}
    columns = zip(record.text, present(record.score), record.features.dense.T, strict=True)
    for text, score, column in columns:
        rows.setdefault(text, []).append((score, *column))
    return rows


@pytest.mark.parametrize("limit", [2, 20])
@pytest.mark.parametrize("reordering", ["monotone", "distance"])
def test_the_lists_are_those_of_a_table_made_without_the_pair(tmp_path, limit, reordering):
    for seed in range(3):
        rng = random.Random(f"{limit} {reordering} {seed}")
        corpus = Corpus(random_pairs(rng, 8), tmp_path / str(seed))
        several = seed == 2
        model = corpus.model(rng, several)
        theta = random_theta(rng, model)
        settings: SearchOptions = {"table_limit": limit, "reordering": reordering, "k": 1000}
        left_out = LeftOut(corpus.text(), "table", PENALTY)
        records = decode(model, theta, corpus.source, left_out, **settings)
        for n, record in enumerate(records):
            reduced = model_without(corpus, n, corpus.extract(), corpus.lms(several))
            [expected] = decode(reduced, theta, [corpus.source[n]], **settings)
            np.testing.assert_allclose(present(record.score), present(expected.score), atol=1e-3)
            found, wanted = by_text(record), by_text(expected)
            assert found.keys() == wanted.keys()
            for text, rows in found.items():
                best = min(rows[0], wanted[text][0])
                ties = [row for row in wanted[text] if abs(row[0] - best[0]) < 1e-3]
                assert any(np.allclose(rows[0], row, atol=1e-3) for row in ties)
            dense = record.features.dense
            np.testing.assert_allclose(theta @ dense, present(record.score), atol=1e-9)


def test_only_a_pairs_own_blocks_get_the_penalty(tmp_path):
    corpus = Corpus(PAIRS, tmp_path)
    model = corpus.model()
    theta = np.zeros(len(model.feature_names()))
    theta[2] = 1.0  # phrases: fewer of them are worse
    settings: SearchOptions = {"reordering": "monotone", "k": 100}
    records = decode(model, theta, corpus.source, LeftOut(corpus.text(), "t", 0.01), **settings)
    names = list(records[0].names)
    inverse, direct = (names.index(f"TranslationModel0_{k}") for k in (0, 2))
    steps = names.index("PhrasePenalty0")
    values = records[0].features.dense[[inverse, direct, steps]].T.tolist()
    # `a` is left by the second pair, with `u` alone: p = 1; `b` and `a b` are nowhere else
    assert [pytest.approx(value, abs=1e-5) for value in values] == [
        [np.log(0.01), np.log(0.01), 2],
        [np.log(0.01), np.log(0.01), 1],
    ]
    assert list(records[2].text) == ["x"]
    assert records[2].features.dense[direct, 0] == pytest.approx(np.log(0.01), abs=1e-5)


@pytest.mark.parametrize("weight", [1.0, 0.0, -1.0])
def test_with_a_penalty_of_0_own_blocks_are_none(tmp_path, weight):
    """Whatever the weights; a word that is left without a block is copied."""
    corpus = Corpus([*PAIRS, ("a", "v", "0-0"), ("a", "v", "0-0")], tmp_path)
    model = corpus.model()
    theta = np.zeros(len(model.feature_names()))
    theta[[4, 6]] = weight  # of the two relative frequencies
    settings: SearchOptions = {"reordering": "monotone", "k": 100}
    records = decode(model, theta, corpus.source, LeftOut(corpus.text(), "t", 0.0), **settings)
    found = [sorted(record.text) for record in records[:3]]
    assert found == [["u b", "v b"], ["u c", "v c"], ["d"]]
    settings["table_limit"] = 1
    one = decode(model, theta, corpus.source, LeftOut(corpus.text(), "t", 0.0), **settings)
    assert len(one[0].text) == 1  # what is no block takes no place


def test_a_pair_that_is_there_twice_keeps_its_blocks(tmp_path):
    corpus = Corpus([*PAIRS, PAIRS[2]], tmp_path)
    model = corpus.model()
    theta = np.ones(len(model.feature_names()))
    _, _, third, fourth = decode(model, theta, corpus.source, LeftOut(corpus.text(), "t"), k=5)
    column = list(third.names).index("TranslationModel0_2")
    assert third.features.dense[column, 0] == fourth.features.dense[column, 0] == 0.0


def test_empty_lines_and_words_that_no_block_holds(tmp_path):
    corpus = Corpus([*PAIRS, ("", "", ""), ("a new a", "u u", "0-0 2-1")], tmp_path)
    model = corpus.model()
    theta = np.ones(len(model.feature_names()))
    left_out = LeftOut(corpus.text(), "t")
    records = decode(model, theta, corpus.source, left_out, k=50, reordering="monotone")
    assert list(records[3].text) == [""]
    assert "u u" in list(records[4].text)  # `new` is in blocks only beside others
    assert "u new u" in list(records[4].text)


def test_another_source_of_the_same_target_gains(tmp_path):
    corpus = Corpus([("a", "u", "0-0"), ("b", "u", "0-0"), ("b", "v", "0-0")], tmp_path)
    pair = ("a b", "u v", "0-0 1-1")
    corpus = Corpus([*corpus.pairs, pair], tmp_path)
    model = corpus.model()
    theta = np.ones(len(model.feature_names()))
    record = decode(model, theta, corpus.source, LeftOut(corpus.text(), "t", 0.01), k=99)[3]
    column = list(record.names).index("TranslationModel0_0")
    steps = list(record.names).index("PhrasePenalty0")
    found = {
        text: np.exp(values[column])
        for text, values in zip(record.text, record.features.dense.T, strict=True)
        if values[steps] == 2
    }
    # without the pair, u comes from a once and from b once: b with u had a third of it before
    assert found["u u"] == pytest.approx(0.25, abs=1e-5)
    assert found["u v"] == pytest.approx(0.5, abs=1e-5)


def test_every_number_of_threads_gives_the_same_and_sparse_features_are_weighed(tmp_path):
    rng = random.Random(5)
    corpus = Corpus(random_pairs(rng, 10 if interpreted else 70, 5), tmp_path)
    model = corpus.model(rng)
    theta = random_theta(rng, model)
    left_out = LeftOut(corpus.text(), "t", PENALTY)
    plain = decode(model, theta, corpus.source, None, SparseWeights(tuple(TEMPLATES), {}), k=5)
    weights = {name: rng.gauss(0, 0.3) for name in list(plain[-1].names)[len(theta) :]}
    sparse = SparseWeights(tuple(TEMPLATES), weights)

    def lists(jobs: int) -> list[KBest]:
        settings = SearchSettings(k=7, table_limit=3)
        decoder = Decoder(model, theta, settings, None, sparse, left_out)
        return list(decoder.decode_all(corpus.source, jobs))

    one, three = lists(1), lists(3)
    named = dict(zip(model.feature_names(), theta, strict=True)) | weights
    for a, b in zip(one, three, strict=True):
        assert list(a.text) == list(b.text)
        assert a.features.dense.tolist() == b.features.dense.tolist()
        assert list(a.names) == list(b.names)
        for row, score in zip(a.features.rows(a.names), present(a.score), strict=True):
            expected = sum(named.get(name, 0.0) * value for name, value in row.items())
            assert score == pytest.approx(expected, abs=1e-6)


def test_sparse_weights_choose_options_too(tmp_path):
    """A weight makes a block that is one of few the best, whether its counts change or not."""
    pairs = [("a", target, "0-0") for target in ["u", "u", "v", "w", "x"]]
    corpus = Corpus([*pairs, ("a", "w", "0-0")], tmp_path)
    model = corpus.model()
    theta = np.ones(len(model.feature_names()))
    for word in "uvwx":
        sparse = SparseWeights(("word-pair",), {f"pair_a~~{word}": 50.0})
        left_out = LeftOut(corpus.text(), "t", PENALTY)
        records = decode(model, theta, corpus.source, left_out, sparse, k=9, table_limit=1)
        assert [record.text[0] for record in records] == [word] * 6


def test_lattices_hold_the_reduced_values(tmp_path):
    rng = random.Random(6)
    corpus = Corpus(random_pairs(rng, 6), tmp_path)
    model = corpus.model(rng)
    theta = random_theta(rng, model)
    left_out = LeftOut(corpus.text(), "t", PENALTY)
    decoder = Decoder(model, theta, SearchSettings(k=3), None, None, left_out)
    for record, lattice in decoder.decode_with_lattices(corpus.source):
        assert best_score(lattice) == pytest.approx(present(record.score)[0], abs=1e-6)


@pytest.mark.parametrize(
    ("pair", "problem"),
    [
        (
            ("a a", "u u", "0-0 1-1"),
            "line 1: block 'a ||| u': expected at most the phrase table's counts 2 2 1",
        ),
        (("a", "x", "0-0"), "line 1: block 'a ||| x': expected a row in the phrase table"),
        (("a", "new", "0-0"), "line 1: block 'a ||| new': expected a row in the phrase table"),
    ],
)
def test_a_text_that_the_table_is_not_of(tmp_path, pair, problem):
    model = Corpus([("a", "u", "0-0"), ("a", "v", "0-0"), ("b", "u", "0-0")], tmp_path).model()
    text = Corpus([pair], tmp_path / "other")
    left_out = LeftOut(text.text(), "t")
    with pytest.raises(DataError) as caught:
        decode(model, np.ones(len(model.feature_names())), text.source, left_out)
    assert problem in str(caught.value)
    assert "table and text do not fit" in str(caught.value)


def test_a_pruned_table_may_lack_blocks(tmp_path):
    corpus = Corpus([("a", "u", "0-0"), ("a", "v", "0-0"), ("b", "u", "0-0")], tmp_path)
    files = corpus.extract()
    path = tmp_path / "pruned"
    lines = Path(files.phrase_table).read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("a ||| v")))
    model = load_model(ModelFiles(str(path)), str(tmp_path / "cache"))
    theta = np.ones(len(model.feature_names()))
    records = decode(model, theta, corpus.source, LeftOut(corpus.text(), "t", 0.01), k=9)
    assert [list(record.text) for record in records] == [["u"], ["u"], ["u"]]
    assert [record.features.dense[6, 0] for record in records[:2]] == pytest.approx(
        [np.log(0.01), 0.0], abs=1e-5
    )
