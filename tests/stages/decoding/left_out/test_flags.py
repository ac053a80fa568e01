"""The flags of leave-one-out decoding, through the command."""

from __future__ import annotations

import math
import os

import pytest

from campanula.formats.records.kbest import KBest
from campanula.formats.records.lattice import Lattice
from campanula.formats.stream import Reader
from campanula.formats.weights import Weights
from campanula.stages import decode, oracle_search, rescore
from tests.training import Corpus, estimated_lms

PAIRS = [("a b", "u v", "0-0 1-1"), ("a", "u", "0-0"), ("", "", ""), ("b a", "w u", "0-0 1-1")]


@pytest.fixture
def corpus(tmp_path):
    return Corpus(PAIRS, tmp_path)


def run(corpus, *flags, tables=None):
    """Exit status of decode, and what it wrote (None if nothing)."""
    out = str(corpus.folder / "out")
    files = tables or corpus.extract()
    model = [
        "--phrase-table",
        files.phrase_table,
        "--reordering-table",
        files.reordering_tables[0].path,
    ]
    names = ["Distortion0", "WordPenalty0", "PhrasePenalty0", "UnknownWordPenalty0"]
    names += [f"TranslationModel0_{k}" for k in range(4)]
    names += [f"LexicalReordering0_{k}" for k in range(6)]
    names += ["LM0"] * ("--lm" in flags)
    Weights(dict.fromkeys(names, 0.5)).write(str(corpus.folder / "w"))
    rest = ["--weights", str(corpus.folder / "w"), "--cache", str(corpus.folder / "cache"), "-q"]
    status = decode.main([*model, *rest, "-k", "9", "-o", out, *flags])
    if not os.path.exists(out):
        return status, None
    with Reader(out, KBest) as lists:
        return status, list(lists)


def test_the_penalty_is_a_flag_and_stands_in_the_signature(corpus, capsys):
    training = ("--leave-one-out", *corpus.paths[1:])
    status, records = run(corpus, *training, corpus.paths[0])
    assert status == 0
    assert len(records) == 4
    names = list(records[0].names)
    column = names.index("TranslationModel0_0")
    singleton = [record.features.dense[column].min() for record in records[:2]]
    assert singleton[0] < -19.9
    _, records = run(corpus, *training, "--singleton-penalty", "0.01", corpus.paths[0])
    with Reader(str(corpus.folder / "out"), KBest) as lists:
        assert "leave_one_out:0.01" in lists.signature
    lowest = records[0].features.dense[column].min()
    assert lowest == pytest.approx(math.log(0.01), abs=1e-5)
    plain, _ = run(corpus, corpus.paths[0])
    assert plain == 0
    with Reader(str(corpus.folder / "out"), KBest) as lists:
        assert "leave_one_out" not in lists.signature


def test_lattices_are_written_too(corpus):
    lattices = str(corpus.folder / "lattices")
    training = ("--leave-one-out", *corpus.paths[1:], "--lattice", lattices)
    status, records = run(corpus, *training, corpus.paths[0])
    assert status == 0
    with Reader(lattices, Lattice) as stream:
        assert [lattice.sid for lattice in stream] == [record.sid for record in records]
    out, flags = str(corpus.folder / "rescored"), ["--weights", str(corpus.folder / "w")]
    assert rescore.main([lattices, *flags, "-k", "9", "-q", "-o", out]) == 0
    with Reader(out, KBest) as lists:
        for found, expected in zip(lists, records, strict=True):
            assert list(found.text) == list(expected.text)
            assert found.features.dense.tolist() == expected.features.dense.tolist()


@pytest.mark.parametrize(
    "flags",
    [
        ["--singleton-penalty", "0.1"],
        ["--leave-one-out", "-", "-"],
        ["--leave-out", "lexical"],
        ["--leave-out-text", "s", "t", "a"],
        ["--leave-one-out", "t", "a", "--leave-out-text", "s", "t", "a"],
        ["--leave-one-out", "t", "a", "--leave-out", "lexical"],  # of stdin
    ],
)
def test_flags_that_do_not_fit(corpus, flags):
    assert run(corpus, *flags) == (2, None)


def test_parts_are_named(corpus, capsys):
    training = ("--leave-one-out", *corpus.paths[1:], corpus.paths[0])
    run(corpus, *training)
    plain = (corpus.folder / "out").read_bytes()
    run(corpus, *training, "--leave-out", "phrases")
    assert (corpus.folder / "out").read_bytes() == plain
    column = "TranslationModel0_3"
    lex = []
    for flags in ([], ["--leave-out", "lexical"], ["--leave-out", "all"]):
        status, records = run(corpus, *training, *flags)
        assert status == 0
        lex.append(records[0].features.dense[list(records[0].names).index(column)].tolist())
    assert lex[0] != lex[1] == lex[2]
    with Reader(str(corpus.folder / "out"), KBest) as lists:
        assert "|leave_out:phrases,lexical,reordering" in lists.signature
    everything = (corpus.folder / "out").read_bytes()
    run(corpus, *training, "--leave-out", "reordering", "--leave-out", "lexical")
    assert (corpus.folder / "out").read_bytes() == everything
    with pytest.raises(SystemExit) as caught:
        run(corpus, *training, "--leave-out", "lexical,words")
    assert caught.value.code == 2
    assert "expected phrases, lexical" in capsys.readouterr().err


def test_language_models_are_one_of_the_parts(corpus, capsys):
    training = ("--leave-one-out", *corpus.paths[1:])
    [lm] = estimated_lms(corpus, 3)
    flags = ("--lm", lm.path, *training)
    found = []
    for parts in ([], ["--leave-out", "lm"], ["--leave-out", "all"]):
        status, records = run(corpus, *flags, *parts, corpus.paths[0])
        assert status == 0
        found.append(records[3].features.dense[list(records[0].names).index("LM0")].tolist())
    assert found[0] != found[1] == found[2]
    with Reader(str(corpus.folder / "out"), KBest) as lists:
        assert "|leave_out:phrases,lexical,reordering,lm" in lists.signature
    # a part of the text; its source and links may be of a pipe, which are not read before
    part = Corpus(PAIRS[3:], corpus.folder / "part")
    whole = ("--leave-out", "lm", "--leave-out-text", *corpus.paths)
    mine = ("--lm", lm.path, "--leave-one-out", *part.paths[1:])
    files = corpus.extract()
    status, records = run(corpus, *mine, *whole, part.paths[0], tables=files)
    assert status == 0
    values = records[0].features.dense[list(records[0].names).index("LM0")]
    assert values.tolist() == found[1]
    os.remove(corpus.folder / "out")
    capsys.readouterr()
    status = run(corpus, *mine, "--leave-out", "all", part.paths[0], tables=files)
    assert status == (1, None)
    error = capsys.readouterr().err
    assert error.count("\n") == 1


def test_a_language_model_of_other_text(corpus, capsys):
    [lm] = estimated_lms(Corpus(PAIRS[:3], corpus.folder / "other"), 2)
    flags = ("--lm", lm.path, "--leave-one-out", *corpus.paths[1:], corpus.paths[0])
    assert run(corpus, *flags, "--leave-out", "lexical,reordering")[0] == 0
    os.remove(corpus.folder / "out")
    capsys.readouterr()
    assert run(corpus, *flags, "--leave-out", "all") == (1, None)
    error = capsys.readouterr().err
    assert error.startswith(f"decode: {lm.path}: word 'w': expected it, as line 4 of")
    assert "list the parts of --leave-out, without lm" in error
    assert error.count("\n") == 1


def test_what_leaving_language_models_out_asks_for(corpus, capsys):
    training = ("--leave-one-out", *corpus.paths[1:], corpus.paths[0])
    assert run(corpus, *training, "--leave-out", "lm") == (2, None)
    assert "--leave-out lm needs a language model" in capsys.readouterr().err
    pipe = str(corpus.folder / "pipe")
    os.mkfifo(pipe)
    flags = ("--lm", pipe, *training, "--leave-out", "lm")
    assert run(corpus, *flags) == (1, None)
    assert f"{pipe}: is read several times" in capsys.readouterr().err


def test_a_model_without_reordering_table(corpus, capsys):
    target = corpus.paths[1]
    argv = [corpus.paths[0], "--phrase-table", corpus.extract().phrase_table, "--ref", target]
    argv += ["--leave-one-out", *corpus.paths[1:], "--cache", str(corpus.folder / "cache"), "-q"]
    argv += ["-o", str(corpus.folder / "out")]
    assert oracle_search.main([*argv, "--leave-out", "all"]) == 0
    with Reader(str(corpus.folder / "out"), KBest) as lists:
        assert lists.signature.endswith("|leave_out:phrases,lexical")
    assert oracle_search.main([*argv, "--leave-out", "reordering"]) == 2
    assert "--leave-out reordering needs a reordering table" in capsys.readouterr().err
    assert oracle_search.main([*argv[:5], *argv[8:], "--leave-out", "lexical"]) == 2
    assert "--leave-out belongs to --leave-one-out" in capsys.readouterr().err


def test_the_whole_text_is_no_pipe(corpus, capsys):
    pipe = str(corpus.folder / "pipe")
    os.mkfifo(pipe)
    flags = ["--leave-out", "lexical", "--leave-out-text", *corpus.paths[:2], pipe]
    assert run(corpus, "--leave-one-out", *corpus.paths[1:], corpus.paths[0], *flags) == (1, None)
    assert "is read several times" in capsys.readouterr().err


@pytest.mark.parametrize("penalty", ["-0.1", "-1", "1.5", "nan", "x"])
def test_the_penalty_is_a_probability(corpus, penalty):
    with pytest.raises(SystemExit) as caught:
        run(corpus, "--leave-one-out", *corpus.paths[1:], "--singleton-penalty", penalty)
    assert caught.value.code == 2


def test_lines_are_counted_first(corpus, capsys):
    with open(corpus.paths[1], "a") as file:
        file.write("u\n")
    training = ("--leave-one-out", *corpus.paths[1:])
    tables = Corpus(PAIRS, corpus.folder / "again").extract()
    assert run(corpus, *training, corpus.paths[0], tables=tables) == (1, None)
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "expected 4 lines as in" in error


def test_a_table_without_counts(corpus, capsys):
    files = corpus.extract()
    with open(files.phrase_table) as file:
        lines = [line.split(" ||| ") for line in file]
    with open(files.phrase_table, "w") as file:
        file.writelines(" ||| ".join(line[:3]) + "\n" for line in lines)
    training = ("--leave-one-out", *corpus.paths[1:])
    assert run(corpus, *training, corpus.paths[0], tables=files) == (1, None)
    assert "expected counts as the fifth field" in capsys.readouterr().err


def test_references_that_are_left_out_are_no_pipe(corpus, capsys):
    pipe, table = str(corpus.folder / "pipe"), corpus.extract().phrase_table
    os.mkfifo(pipe)
    flags = ["--ref", pipe, "--leave-one-out", pipe, corpus.paths[2], "--phrase-table", table]
    assert oracle_search.main([corpus.paths[0], *flags, "-o", str(corpus.folder / "out")]) == 1
    assert "pipe: is read several times: expected a file, found a pipe" in capsys.readouterr().err
    assert not (corpus.folder / "out").exists()
