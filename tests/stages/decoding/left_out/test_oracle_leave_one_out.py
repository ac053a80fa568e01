"""Oracles of training sentences with the blocks of the others: against an extraction without each.

And against decode, whose sequences of these blocks have the same features.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.feature_names.sparse import TEMPLATES
from campanula.formats.model.files import LanguageModelFile, ModelFiles
from campanula.formats.model.model import load_model
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.formats.text.references import References
from campanula.stages import oracle_search
from campanula.stages.decoding.block_features import AskedFeatures
from campanula.stages.decoding.block_oracles import OracleSearch, OracleSettings
from campanula.stages.decoding.left_out.leave_one_out import (
    LANGUAGE_MODELS,
    LEXICAL,
    REORDERING,
    LeftOut,
)
from campanula.stages.decoding.sparse.options import SparseWeights
from tests.naive.leave_one_out import table_of_others
from tests.present import present
from tests.small_models import EVERYTHING, SearchOptions
from tests.training import Corpus, decode, estimated_lms, random_pairs, random_theta

EVERY = tuple(TEMPLATES)
TWICE = ("a d b", "u x", "0-0 1-1")


def corpus_of(seed: int, folder: Path) -> Corpus:
    rng = random.Random(seed)
    return Corpus([*random_pairs(rng, 8), TWICE, TWICE, ("new a", "v u", "0-0 1-1")], folder)


def model_of_others(corpus: Corpus, n: int, files: ModelFiles):
    """The model of all pairs but n; what is no relative frequency is that of all."""
    others = Corpus(corpus.pairs[:n] + corpus.pairs[n + 1 :], corpus.folder / f"without{n}")
    tables = (files.phrase_table, others.extract().phrase_table)
    lines = [Path(table).read_text().splitlines() for table in tables]
    path = others.folder / "table"
    path.write_text("".join(f"{line}\n" for line in table_of_others(*lines)))
    lms = (LanguageModelFile(str(corpus.folder / "lm")),)
    return load_model(ModelFiles(str(path), files.reordering_tables, lms), f"{path}.cache")


def search_of(model, targets, left_out=None, n=20, swap=True) -> OracleSearch:
    references = References(Texts.of(targets), ("target",))
    settings = OracleSettings(n, swap=swap, beam=EVERYTHING)
    more = {"sparse": AskedFeatures(EVERY), "left_out": left_out}
    return OracleSearch(model, references, settings, model.all_features(), 7, **more)


def same(record: KBest, other: KBest) -> None:
    """Lists agree in all, ties included; logarithms of ratios that a table prints in six digits."""
    assert list(record.text) == list(other.text)
    assert present(record.gain).tolist() == present(other.gain).tolist()
    for field in ("segmentation", "orientation"):
        assert list(record.fields[field]) == list(other.fields[field])
    np.testing.assert_allclose(record.features.dense, other.features.dense, rtol=0, atol=1e-3)
    rows, others = (each.features.sparse_rows(each.names) for each in (record, other))
    assert list(rows) == list(others)


@pytest.mark.parametrize("what", ["monotone", "swap", "bags"])
@pytest.mark.parametrize("seed", range(2))
def test_lists_are_those_of_an_extraction_without_the_pair(
    tmp_path: Path, seed: int, what: str
) -> None:
    corpus = corpus_of(seed, tmp_path)
    targets = [target for _, target, _ in corpus.pairs]
    model = corpus.model(random.Random(seed))
    files = corpus.extract()

    def found(search: OracleSearch, lines: list[str]):
        return search.bags(lines, "s") if what == "bags" else search.truth(lines, "s")

    swap = what == "swap"
    left_out = LeftOut(corpus.text(), "table", 0.0)
    records = list(found(search_of(model, targets, left_out, swap=swap), corpus.source))
    copied = 0
    for n, record in enumerate(records):
        reduced = model_of_others(corpus, n, files)
        lines = ["" for _ in range(n)] + [corpus.source[n]]  # bags are drawn by number
        *_, expected = found(search_of(reduced, targets[: n + 1], swap=swap), lines)
        same(record, expected)
        copied += int("new" in record.text[0].split())
    assert copied == 1


@pytest.mark.parametrize(
    ("seed", "parts"), [(0, ()), (1, (LEXICAL, REORDERING)), (2, (LANGUAGE_MODELS,))]
)
def test_decode_without_own_blocks_writes_the_same_of_the_same_sequence(
    tmp_path: Path, seed: int, parts: tuple[str, ...]
) -> None:
    """Both enumerate every sequence, so their lists are the same but for the order."""
    corpus = corpus_of(seed + 10, tmp_path)
    targets = [target for _, target, _ in corpus.pairs]
    model, lms = corpus.model(random.Random(seed)), estimated_lms(corpus, 3, classes=2)
    cache, files = str(tmp_path / "cache"), corpus.extract()
    if parts == (LANGUAGE_MODELS,):
        model = load_model(replace(files, lms=lms), cache)
    orders = files.reordering_tables
    left_out = LeftOut(corpus.text(), "table", 0.0, parts, None, cache, orders, lms)
    how: SearchOptions = {"k": EVERYTHING, "table_limit": EVERYTHING, "reordering": "swap"}
    theta = np.concatenate([random_theta(random.Random(seed), model), [0.0, 0.0]])
    decoded = decode(model, theta, corpus.source, left_out, SparseWeights(EVERY, {}), **how)
    found = search_of(model, targets, left_out, EVERYTHING).truth(corpus.source, "s")
    names = model.feature_names()
    for record, other in zip(found, decoded, strict=True):
        ours, theirs = (sorted(described(each, names)) for each in (record, other))
        assert [row[:2] for row in ours] == [row[:2] for row in theirs]
        np.testing.assert_allclose(
            [row[2] for row in ours], [row[2] for row in theirs], rtol=0, atol=2e-6
        )


def described(record: KBest, dense: list[str]) -> list[tuple[str, list, list[float]]]:
    """Text, sparse features and dense ones of every hypothesis."""
    rows = zip(record.text, record.features.rows(record.names), strict=True)
    return [
        (
            text,
            sorted((n, v) for n, v in row.items() if n.partition("_")[0] in PREFIXES),
            [round(row[name], 6) for name in dense],
        )
        for text, row in rows
    ]


PREFIXES = {prefix for template in TEMPLATES.values() for prefix in template.prefixes}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = corpus_of(3, tmp_path)
    files, (source, target, links) = corpus.extract(), corpus.paths
    out = tmp_path / "out"
    argv = [source, "--phrase-table", files.phrase_table, "--cache", str(tmp_path / "cache"), "-q"]
    argv += ["-o", str(out), "--features", "tillmann-zhang"]
    argv += ["--leave-one-out", target, links]
    assert oracle_search.main([*argv, "--ref", target]) == 0
    written = out.read_bytes()
    with Reader(str(out), KBest) as lists:
        assert len(list(lists)) == len(corpus.pairs)
        assert lists.signature.endswith("|leave_one_out:0.0")
    assert oracle_search.main([*argv, "--ref", target, "--jobs", "3"]) == 0
    assert out.read_bytes() == written
    assert oracle_search.main([*argv, "--ref", source]) == 2
    assert "expected TARGET to be a --ref" in capsys.readouterr().err
    assert oracle_search.main([*argv[:-2], "-", links, "--ref", "-"]) == 2
    Path(links).write_text("0-0\n")
    capsys.readouterr()
    assert oracle_search.main([*argv, "--ref", target]) == 1
    assert capsys.readouterr().err.count("\n") == 1
