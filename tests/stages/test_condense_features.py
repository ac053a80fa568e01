"""Condensed features against the weights that fire, and the search with either."""

from __future__ import annotations

import gzip
import os
import random
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.model.files import ModelFiles, ReorderingTable
from campanula.formats.model.folder import NamedModel
from campanula.formats.moses.phrase_table import read_phrase_table
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.weights import Weights
from campanula.stages import condense_features, import_weights, index_features
from campanula.stages.decoding.decoder_setup import DecoderSetup
from campanula.stages.decoding.search_settings import SearchSettings
from tests.examples import write_kbest
from tests.naive import decoder as naive_decoder
from tests.naive import sparse as naive
from tests.small_models import SOURCE, UNPRUNED, random_model, write_model

interpreted = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
ALL = ["block", "word-pair", "source-triplet", "target-triplet"]
SETS = {
    "wuebker-a": [["block"]],
    "wuebker-a,wuebker-b,wuebker-c": [[name] for name in ALL],
    "trigram,source-length,unigram,bigram,target-length,phrase-length,fertility": [
        ["trigram"],
        ["source-length"],
        ["unigram"],
        ["bigram"],
        ["target-length"],
        ["phrase-length"],
        ["fertility"],
    ],
}


def fired(model, sentences, templates):
    """Names of the features of phrase pairs of the model that fire in some derivation."""
    pairs = {(s, t) for s, rows in model.phrases.items() for t, _, _ in rows}
    found = set()
    for sentence in sentences:
        for steps in naive_decoder.derivations(model, tuple(sentence)):
            for start, end, target, *_ in steps:
                if (tuple(sentence[start:end]), tuple(target)) in pairs:
                    found |= set(naive.features(sentence, [(start, end, target)], templates))
    return sorted(found)


def case(folder, seed, templates, lexical=True):
    """A model, sentences, and weights of some features, written to a folder; the model's files."""
    rng = random.Random(f"{seed} {templates}")
    model = random_model(rng, 2, lexical)
    known = [word for word in SOURCE if (word,) in model.phrases]  # what is copied is in no table
    sentences = [[rng.choice(known) for _ in range(rng.choice([1, 2, 3, 4]))] for _ in range(3)]
    names = fired(model, sentences, templates)
    theta = {name: round(rng.uniform(-2, 2), 3) for name in names if rng.random() < 0.7}
    Weights(theta).write(str(folder / "theta"))
    Weights(model.weights).write(str(folder / "dense"))
    return model, write_model(model, folder), sentences, theta


def lists(files: ModelFiles, weights, sentences, templates, folder):
    search = SearchSettings(k=1000, **UNPRUNED)
    given = Weights(weights)
    cache = str(folder / "cache")
    setup = DecoderSetup(NamedModel(files), given, search, templates=templates, cache=cache)
    return list(setup.decoder().decode_all([" ".join(words) for words in sentences]))


def run(*argv):
    return condense_features.main([*argv, "-q"])


@pytest.mark.parametrize("asked", SETS)
@pytest.mark.parametrize("seed", range(1 if interpreted else 4))
def test_a_condensed_model_scores_and_finds_what_sparse_weights_do(tmp_path, seed, asked):
    columns = SETS[asked]
    templates = tuple(name for column in columns for name in column)
    model, files, sentences, theta = case(tmp_path, seed, templates)
    out = str(tmp_path / "condensed.gz")
    given = [str(tmp_path / "theta"), "--phrase-table", files.phrase_table]
    assert run(*given, "--features", asked, "-o", out) == 0
    condensed = replace(files, phrase_table=out)
    more = {f"TranslationModel0_{4 + k}": 1.0 for k in range(len(columns))}
    found = lists(condensed, model.weights | more, sentences, (), tmp_path)
    expected = lists(files, model.weights | theta, sentences, templates, tmp_path)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.score, other.score, atol=1e-5)
        assert sorted(one.text) == sorted(other.text)
        mine, theirs = by_text(one, more), by_text(other, theta)
        assert mine.keys() == theirs.keys()
        for text, values in mine.items():
            np.testing.assert_allclose(values, theirs[text], atol=1e-5)


def by_text(kbest, weights):
    """Scores of some features under weights, of the derivations of each text, sorted."""
    found: dict[str, list[float]] = {}
    for text, row in zip(kbest.text, kbest.features.rows(kbest.names), strict=True):
        score = sum(weights.get(name, 0.0) * value for name, value in row.items())
        found.setdefault(text, []).append(score)
    return {text: sorted(scores) for text, scores in found.items()}


@pytest.mark.parametrize("seed", range(1 if interpreted else 4))
def test_orientations_become_a_reordering_table(tmp_path, seed):
    templates = ("block-orientation",)
    model, files, sentences, _ = case(tmp_path, seed, templates, lexical=False)
    rng = random.Random(seed)
    pairs = sorted((s, t) for s, rows in model.phrases.items() for t, _, _ in rows)
    theta = {}
    for source, target in pairs:
        for head in ("back_R", "back_L", "back_N", "forw_R", "forw_L", "forw_N"):
            if rng.random() < 0.4:
                name = f"{head}_{'~'.join(source)}~~{'~'.join(target)}"
                theta[name] = round(rng.uniform(-2, 2), 3)
    Weights(theta).write(str(tmp_path / "theta"))
    given = [str(tmp_path / "theta"), "--phrase-table", files.phrase_table]
    given += ["--features", "block-orientation", "-o", str(tmp_path / "out")]
    assert run(*given, "--orientation-table", str(tmp_path / "turns.gz")) == 0
    with gzip.open(files.phrase_table, "rt") as table:
        assert (tmp_path / "out").read_text() == table.read()
    condensed = replace(files, reordering_tables=(ReorderingTable(str(tmp_path / "turns.gz")),))
    more = {f"LexicalReordering0_{k}": 1.0 for k in range(6)}
    found = lists(condensed, model.weights | more, sentences, (), tmp_path)
    expected = lists(files, model.weights | theta, sentences, templates, tmp_path)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.score, other.score, atol=1e-5)
        for text, values in by_text(one, more).items():
            np.testing.assert_allclose(values, by_text(other, theta)[text], atol=1e-5)


TABLE = """\
das Haus ||| the house ||| 0.5 0.25 ||| 0-0 1-1 ||| 2 2 1 ||| |||
Haus |||  ||| 1 1
a%  b	||| ~c ||| 1e-3 0 ||| 0-0
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table").write_text(TABLE)
    theta = {"block_das~Haus~~the~house": 0.5, "block_Haus~~": -1.0, "pair_b~~%7Ec": 2.0}
    theta |= {"pair_das~~house": 0.25, "LM0": 0.5, "block_a~~b": 3.0, "stri_a%25~b~~%7Ec": 0.0}
    Weights(theta).write("theta")
    return tmp_path


def test_columns_stand_behind_those_that_there_are(folder, capsys):
    argv = ["theta", "--phrase-table", "table", "--features", "wuebker-a,word-pair", "-o", "out"]
    assert condense_features.main(argv) == 0
    assert (folder / "out").read_text() == (
        "das Haus ||| the house ||| 0.5 0.25 1.64872127 1.28402542 ||| 0-0 1-1 ||| 2 2 1 ||| |||\n"
        "Haus |||  ||| 1 1 0.367879441 1\n"
        "a%  b\t||| ~c ||| 1e-3 0 1 7.3890561 ||| 0-0\n"
    )
    assert capsys.readouterr().err == (
        "condense-features: block: 3 weights, not 0 in 2 rows;"
        " word-pair: 2 weights, not 0 in 2 rows; 1 other weights are in no column\n"
    )


@pytest.mark.parametrize("together", ["a,b", "wuebker-b,block", "word-pair,a"])
def test_templates_may_be_one_column(folder, together):
    argv = ["theta", "--phrase-table", "table", "--features", "wuebker-a,wuebker-b,wuebker-c"]
    assert run(*argv, "--together", together, "-o", "out") == 0
    scores = [
        line.split("|||")[2].split()[2:] for line in (folder / "out").read_text().splitlines()
    ]
    assert scores == [["2.11700002", "1", "1"], ["0.367879441", "1", "1"], ["7.3890561", "1", "1"]]


def test_a_weights_stream_gives_the_same_bytes(folder):
    write_lists([dict.fromkeys(Weights.read("theta"), 1.0)])
    assert index_features.main(["lists", "--inventory", "F", "-o", "lists.i", "-q"]) == 0
    assert import_weights.main(["theta", "--inventory", "F", "-o", "theta.i", "-q"]) == 0
    argv = ["--phrase-table", "table", "--features", "wuebker-a,wuebker-b", "--cache", "cache"]
    assert run("theta", *argv[:-2], "-o", "text") == 0
    assert run("theta.i", *argv, "--inventory", "F", "-o", "stream") == 0
    assert (folder / "text").read_bytes() == (folder / "stream").read_bytes()
    assert run("theta.i", *argv, "-o", "none") == 2
    assert run("theta", *argv, "--inventory", "F", "-o", "none") == 2
    assert not (folder / "none").exists()


def write_lists(rows):
    names = Names()
    lists = [
        KBest(sid, Texts.of(["x"]), Features.of([row], names), names)
        for sid, row in enumerate(rows)
    ]
    write_kbest("lists", lists)


@pytest.mark.parametrize(
    ("argv", "status", "message"),
    [
        ([], 2, "expected --features, whose weights become columns"),
        (["--features", "jump"], 2, "expected features local to a block or of its orientation"),
        (["--features", "block-orientation"], 2, "needs --orientation-table OUT"),
        (["--features", "block", "--orientation-table", "o"], 2, "is for block-orientation"),
        (["--features", "block", "--together", "a,b"], 2, "--together a,b: expected templates"),
        (
            ["--features", "block,word-pair", "--together", "a,b", "--together", "a,b"],
            2,
            "expected each template in one list",
        ),
        (["--features", "trigram", "--together", "trigram,x"], 2, "found 'x'"),
        (["--features", "word-pair", "--phrase-table", "bad"], 1, "line 2: expected 1 scores"),
        (["--features", "word-pair", "--phrase-table", "empty"], 1, "expected phrase pairs"),
        (["--features", "word-pair", "--phrase-table", "blank"], 1, "expected a source phrase"),
        (["--features", "word-pair", "--phrase-table", "wide"], 1, "at most 63 scores beside 1"),
    ],
)
def test_what_is_wrong_is_one_line_and_no_file(folder, capsys, argv, status, message):
    (folder / "bad").write_text("a ||| b ||| 1\na ||| b ||| 1 2\n")
    (folder / "empty").write_text("")
    (folder / "blank").write_text(" ||| b ||| 1\n")
    (folder / "wide").write_text(f"a ||| b ||| {'1 ' * 64}\n")
    assert (
        condense_features.main(["theta", "--phrase-table", "table", *argv, "-o", "out"]) == status
    )
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not (folder / "out").exists()
    assert not (folder / "o").exists()


@pytest.mark.parametrize(
    ("value", "found"), [(700.5, "700.5"), (-100.5, "-100.5"), (1e150, "1e+150")]
)
def test_sums_that_no_table_holds_are_refused_by_name(folder, capsys, value, found):
    Weights({"block_das~Haus~~the~house": value}).write("theta")
    argv = ["theta", "--phrase-table", "table", "--features", "block", "-o", "out", "-q"]
    assert condense_features.main(argv) == 1
    expected = f"expected a sum of block from -100 to 700, found {found} of das Haus ||| the house"
    assert capsys.readouterr().err == f"condense-features: table: line 1: {expected}\n"
    assert not (folder / "out").exists()


@pytest.mark.parametrize("value", [-100.0, -99.0, 88.0, 89.0, 700.0])
def test_the_decoder_reads_all_that_a_table_holds(folder, value):
    Weights({"block_das~Haus~~the~house": value}).write("theta")
    assert run("theta", "--phrase-table", "table", "--features", "block", "-o", "out") == 0
    assert read_phrase_table("out").score[0, 2] == pytest.approx(value, rel=1e-7)
