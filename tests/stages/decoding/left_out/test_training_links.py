"""Lexical weights without each pair's links, against extraction from the other pairs."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import ModelFiles
from campanula.formats.model.model import Model, load_model
from campanula.stages.decoding.left_out.leave_one_out import LEXICAL, LeaveOneOut, LeftOut
from campanula.stages.decoding.left_out.relative_frequencies import block_text
from campanula.stages.decoding.left_out.training_text import TrainingText
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.kernels.records import ROW
from tests.naive.leave_one_out import scores_without
from tests.training import Corpus, Pair, random_pairs

PENALTY = 1e-4
EVERYTHING = 1 << 20


def options_of(model: Model, left_out: LeftOut, lines: list[str], weight, limit: int):
    """For each line and each span that has blocks: their rows and scores, best first."""
    theta = np.zeros(len(model.all_features()) + 1)
    theta[5:9] = weight
    store = OptionStore(model, theta, limit)
    result = []
    for _, _, own in LeaveOneOut(model, store, left_out).sentences(lines, 3):
        row = store.options.info[own.number, ROW]
        score = model.score[row].astype(np.float64)
        score[:, own.columns] += own.change
        spans = [slice(a, a + n) for a, n in zip(own.first.flat, own.count.flat, strict=True)]
        result.append([(row[s].tolist(), score[s]) for s in spans if row[s].max(initial=-1) >= 0])
    return result


def left_out_of(corpus: Corpus, **more) -> LeftOut:
    cache = str(corpus.folder / "cache")
    return LeftOut(corpus.text(), "table", PENALTY, (LEXICAL,), None, cache, **more)


def taken_apart(pair: Pair):
    source, target, links = pair
    points = {(int(s), int(t)) for s, t in (link.split("-") for link in links.split())}
    return source.split(), target.split(), points


@pytest.mark.parametrize("seed", range(4))
def test_all_scores_are_those_of_an_extraction_without_the_pair(tmp_path: Path, seed: int):
    corpus = Corpus(random_pairs(random.Random(seed), 12), tmp_path)
    model = corpus.model()
    weight = np.random.default_rng(seed).uniform(-0.2, 1, 4)
    found = options_of(model, left_out_of(corpus), corpus.source, weight, EVERYTHING)
    pairs = list(map(taken_apart, corpus.pairs))
    changed = 0
    for n, spans in enumerate(found):
        expected = scores_without(pairs, n, PENALTY)
        for rows, score in spans:
            for row, values in zip(rows, score, strict=True):
                f, e = (tuple(side.split()) for side in block_text(model, row).split(" ||| "))
                new = np.array(expected[f, e])
                same = values == model.score[row]  # printed with six digits
                np.testing.assert_allclose(values[same], new[same], rtol=0, atol=1e-5)
                np.testing.assert_allclose(values[~same], new[~same], rtol=2e-7, atol=1e-6)
                changed += int(np.count_nonzero(~same[[1, 3]]))
    assert changed > 100


@pytest.mark.parametrize("weight", [(1, 1, 1, 1), (0.1, 2, 0.3, 1), (0.2, -1, 0, 3), (1, 0, 1, -2)])
def test_the_best_blocks_are_the_first_of_all(tmp_path: Path, weight):
    rng = random.Random(3)
    pairs = [pair for _ in range(3) for pair in random_pairs(rng, 30, 3)]
    corpus = Corpus(pairs, tmp_path)
    model, left_out = corpus.model(), left_out_of(corpus)
    few = Corpus(pairs[:20], tmp_path / "few")
    left_out = replace(left_out, text=few.text(), whole=corpus.text())
    every = options_of(model, left_out, few.source, weight, EVERYTHING)
    some = options_of(model, left_out, few.source, weight, 3)
    assert max(len(rows) for spans in every for rows, _ in spans) > 8
    for all_spans, few in zip(every, some, strict=True):
        assert [rows[:3] for rows, _ in all_spans] == [rows for rows, _ in few]


def test_links_are_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    corpus = Corpus([("a b", "u v", "0-0 1-1"), ("a", "u", "0-0")], tmp_path)
    model, left_out = corpus.model(), left_out_of(corpus)
    first = options_of(model, left_out, corpus.source, (1, 1, 1, 1), 5)
    monkeypatch.setattr("campanula.stages.decoding.left_out.training_links._counted", None)
    again = options_of(model, left_out, corpus.source, (1, 1, 1, 1), 5)
    for spans, others in zip(first, again, strict=True):
        for (rows, score), (other_rows, other) in zip(spans, others, strict=True):
            assert rows == other_rows
            assert score.tolist() == other.tolist()
    [entry] = (tmp_path / "cache").glob("links-*")
    (entry / "alone.npy").write_bytes(b"")
    with pytest.raises(TypeError, match="not callable"):  # made again
        options_of(model, left_out, corpus.source, (1, 1, 1, 1), 5)


def test_some_lines_of_the_text_go_with_the_whole(tmp_path: Path):
    corpus = Corpus(random_pairs(random.Random(9), 9), tmp_path / "whole")
    some = Corpus(corpus.pairs[2:5], tmp_path / "some")
    model = corpus.model()
    whole = options_of(model, left_out_of(corpus), corpus.source, (1, 1, 1, 1), 5)
    left_out = replace(left_out_of(corpus), text=some.text(), whole=corpus.text())
    part = options_of(model, left_out, some.source, (1, 1, 1, 1), 5)
    for spans, others in zip(whole[2:5], part, strict=True):
        assert [rows for rows, _ in spans] == [rows for rows, _ in others]
        for (_, score), (_, other) in zip(spans, others, strict=True):
            assert score.tolist() == other.tolist()


TEXT = [("a b", "u v", "0-0 1-1"), ("a b", "u v", "0-0 1-1"), ("c", "u", "0-0"), ("d", "x", "0-0")]


@pytest.mark.parametrize(
    ("pairs", "problem"),
    [
        (TEXT[1:], r"row 'a \|\|\| u': expected n\(f, e\) = 1 as in the text of .*, found 2"),
        ([*TEXT, ("c e", "v x", "0-0")], "expected lexical weights .* as the links of .*, found"),
    ],
)
def test_a_text_that_the_weights_are_not_of(tmp_path: Path, pairs: list[Pair], problem: str):
    model = Corpus(TEXT, tmp_path).model()
    other = Corpus(pairs, tmp_path / "other")
    left_out = replace(left_out_of(other), table="phrase-table")
    with pytest.raises(DataError, match=problem) as caught:
        options_of(model, left_out, other.source, (1, 1, 1, 1), 5)
    assert str(caught.value).startswith("phrase-table: ")


@pytest.mark.parametrize(
    ("pair", "problem"),
    [
        (("b", "x", "0-0"), "line 1: expected links that --leave-out-text has, too, found others"),
        (("d d", "x x", "0-0 1-1"), "line 1: expected links that --leave-out-text has, too"),
    ],
)
def test_a_pair_that_is_none_of_the_text(tmp_path: Path, pair: Pair, problem: str):
    corpus = Corpus(TEXT, tmp_path / "whole")
    model, other = corpus.model(), Corpus([pair], tmp_path / "other")
    left_out = replace(left_out_of(corpus), text=other.text(), whole=corpus.text())
    with pytest.raises(DataError) as caught:
        options_of(model, left_out, other.source, (1, 1, 1, 1), 5)
    assert problem in str(caught.value)


def test_a_table_with_three_scores(tmp_path: Path):
    (tmp_path / "table").write_text("a ||| u ||| 1 1 1 ||| 0-0 ||| 1 1 1\n")
    model = load_model(ModelFiles(str(tmp_path / "table")), str(tmp_path / "cache"))
    left_out = LeftOut(TrainingText("s", "t", "a"), "table", PENALTY, (LEXICAL,))
    with pytest.raises(DataError, match=r"expected the scores p\(f\|e\) lex\(f\|e\)"):
        options_of(model, left_out, [], (1, 1, 1), 5)
