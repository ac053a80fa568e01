"""Reordering scores without each pair's orientations, against extraction from the other pairs."""

from __future__ import annotations

import random
from math import exp
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.model.files import ORIENTATIONS, ModelFiles, ReorderingTable
from campanula.formats.model.model import Model, load_model
from campanula.stages import extract_blocks
from campanula.stages.decoding.decoder import Decoder
from campanula.stages.decoding.left_out.leave_one_out import (
    LEXICAL,
    REORDERING,
    LeaveOneOut,
    LeftOut,
)
from campanula.stages.decoding.left_out.relative_frequencies import block_text
from campanula.stages.decoding.option_store import OptionStore
from campanula.stages.decoding.search_settings import SearchSettings
from campanula.stages.kernels.records import ROW
from tests.lattices import best_score
from tests.naive.leave_one_out import scores_without
from tests.present import present
from tests.small_models import UNPRUNED, SearchOptions
from tests.training import Corpus, Pair, decode, random_pairs, random_theta

PENALTY = 1e-4


def files_of(corpus: Corpus, kinds: tuple[str, ...]) -> ModelFiles:
    """Phrase table, and a reordering table of each kind."""
    phrases = str(corpus.folder / "phrases")
    orders = [ReorderingTable(str(corpus.folder / f"order.{kind}"), kind) for kind in kinds]
    for table in orders:
        flags = ["--orientation", table.orientation, "--reordering-table", table.path, "-q"]
        assert extract_blocks.main([*corpus.paths, "-o", phrases, *flags]) == 0
    return ModelFiles(phrases, tuple(orders))


PARTS = (LEXICAL, REORDERING)


def left_out_of(corpus: Corpus, files: ModelFiles, parts: tuple[str, ...] = PARTS) -> LeftOut:
    cache = str(corpus.folder / "cache")
    orders = files.reordering_tables
    return LeftOut(corpus.text(), "table", PENALTY, parts, None, cache, orders)


def taken_apart(pair: Pair):
    source, target, links = pair
    points = {(int(s), int(t)) for s, t in (link.split("-") for link in links.split())}
    return source.split(), target.split(), points


def phrases_of(model: Model, row: int):
    f, e = block_text(model, row).split(" ||| ")
    return tuple(f.split()), tuple(e.split())


@pytest.mark.parametrize("seed", range(3))
def test_all_scores_are_those_of_an_extraction_without_the_pair(tmp_path: Path, seed: int):
    corpus = Corpus(random_pairs(random.Random(seed), 12), tmp_path)
    files = files_of(corpus, ORIENTATIONS)
    model = load_model(files, str(tmp_path / "cache"))
    store = OptionStore(model, np.ones(len(model.all_features()) + 1), 1 << 20)
    pairs = list(map(taken_apart, corpus.pairs))
    changed = 0
    left_out = LeaveOneOut(model, store, left_out_of(corpus, files, (REORDERING,)))
    for n, (_, _, own) in enumerate(left_out.sentences(corpus.source, 3)):
        expected = scores_without(pairs, n, PENALTY, ORIENTATIONS)
        for x, row in enumerate(store.options.info[own.number, ROW].tolist()):
            values = present(own.reordering)[x]
            if row >= 0:
                new = np.array(expected[phrases_of(model, row)])[4:]
                same = values == model.reordering[row]  # printed with six digits
                np.testing.assert_allclose(values[same], new[same], rtol=0, atol=1e-5)
                np.testing.assert_allclose(values[~same], new[~same], rtol=2e-7, atol=1e-7)
                changed += int(np.count_nonzero(~same))
            else:
                assert not values.any()
    assert changed > 300


def model_without(corpus: Corpus, n: int) -> Model:
    """The model of all pairs but n."""
    tables: list[list[str]] = [[], []]
    for (f, e), scores in scores_without(
        list(map(taken_apart, corpus.pairs)), n, PENALTY, ("word",)
    ).items():
        for table, part in zip(tables, (scores[:4], scores[4:]), strict=True):
            values = " ".join(repr(exp(value)) for value in part)
            table.append(f"{' '.join(f)} ||| {' '.join(e)} ||| {values}\n")
    paths = [str(corpus.folder / f"{name}.{n}") for name in ("phrases", "orders")]
    for path, lines in zip(paths, tables, strict=True):
        Path(path).write_text("".join(lines))
    files = ModelFiles(paths[0], (ReorderingTable(paths[1]),))
    return load_model(files, str(corpus.folder / "reduced"))


@pytest.mark.parametrize("limit", [2, 20])
def test_the_lists_are_those_of_a_model_without_the_pair(tmp_path: Path, limit: int):
    rng = random.Random(limit)
    corpus = Corpus(random_pairs(rng, 8), tmp_path)
    files = files_of(corpus, ("word",))
    model = load_model(files, str(tmp_path / "cache"))
    theta = random_theta(rng, model)
    settings: SearchOptions = {"table_limit": limit, "reordering": "distance", "k": 1000}
    records = decode(model, theta, corpus.source, left_out_of(corpus, files), **settings)
    for n, record in enumerate(records):
        [expected] = decode(model_without(corpus, n), theta, [corpus.source[n]], **settings)
        scores = present(record.score)
        np.testing.assert_allclose(scores, present(expected.score), rtol=0, atol=1e-4)
        np.testing.assert_allclose(theta @ record.features.dense, scores, atol=1e-9)
        found, wanted = (
            np.sort(each.features.dense.round(3), axis=1) for each in (record, expected)
        )
        if len(record.text) < 1000:  # else ties at the end may be others
            np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-3)


def test_lattices_hold_the_reduced_values(tmp_path: Path):
    rng = random.Random(6)
    corpus = Corpus(random_pairs(rng, 6), tmp_path)
    files = files_of(corpus, ("word",))
    model = load_model(files, str(tmp_path / "cache"))
    theta = random_theta(rng, model)
    settings = SearchSettings(k=3, **UNPRUNED)
    decoder = Decoder(model, theta, settings, None, None, left_out_of(corpus, files))
    for record, lattice in decoder.decode_with_lattices(corpus.source):
        assert best_score(lattice) == pytest.approx(present(record.score)[0], abs=1e-6)


def test_pairs_that_the_table_lacks_have_zeros(tmp_path: Path):
    corpus = Corpus([("a b", "u v", "0-0 1-1"), ("a", "u", "0-0")], tmp_path)
    files = files_of(corpus, ("word",))
    path = Path(files.reordering_tables[0].path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("a |||")))
    model = load_model(files, str(tmp_path / "cache"))
    store = OptionStore(model, np.ones(len(model.all_features()) + 1), 5)
    left_out = LeaveOneOut(model, store, left_out_of(corpus, files, (REORDERING,)))
    [(_, _, own), _] = left_out.sentences(corpus.source, 3)
    of_a = store.options.info[own.number, ROW] == model.row_start[1]
    assert [phrases_of(model, r) for r in [model.row_start[1]]] == [(("a",), ("u",))]
    reordering = present(own.reordering)
    assert not reordering[of_a].any()
    assert reordering[~of_a] == pytest.approx(np.log(1 / 3))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("0.5 0.3 0.2 0.6 0.2 0.2", "row 'b ||| v': expected shares of 1 counts with 0.5 added"),
        ("0.2 0.6 0.2 0.6 0.2 0.2", "line 1: block 'b ||| v': expected at most the counts 0 1 0 1"),
        ("0.6 0.6 0.2 0.6 0.2 0.2", "row 'b ||| v': expected shares of 1 counts"),
    ],
)
def test_a_table_that_does_not_fit(tmp_path: Path, change: str, problem: str):
    corpus = Corpus([("a b", "u v", "0-0 1-1"), ("a", "u", "0-0")], tmp_path)
    files = files_of(corpus, ("word",))
    path = Path(files.reordering_tables[0].path)
    lines = path.read_text().splitlines(keepends=True)
    others = [line for line in lines if not line.startswith("b |||")]
    path.write_text("".join([*others, f"b ||| v ||| {change}\n"]))
    model = load_model(files, str(tmp_path / "cache"))
    theta = np.ones(len(model.feature_names()))
    with pytest.raises(DataError) as caught:
        decode(model, theta, corpus.source, left_out_of(corpus, files))
    assert problem in str(caught.value)
    assert str(path) in str(caught.value)
