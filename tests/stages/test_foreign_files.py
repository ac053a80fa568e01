"""A file of a well-known kind, in the place of each kind of input, through the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from campanula.formats.decompressing import GZIP
from campanula.stages import (
    add_feature,
    compare,
    decode,
    import_nbest,
    import_weights,
    optimize,
    rerank,
    score_bleu,
    show,
)
from tests.foreign_files import ARPA, BINARY, NBEST, TABLE, TEXTS, UNSURE

STREAMS = {
    "show": (show, ["x"]),
    "optimize": (optimize, ["x", "--weights", "w", "--loss", "ramp3"]),
    "rerank": (rerank, ["x", "--weights", "w"]),
}
LINES = {
    "references": (score_bleu, ["lists", "--ref", "x"]),
    "outputs": (compare, ["a=text", "b=x", "--ref", "text"]),
    "source": (
        decode,
        ["x", "--phrase-table", "table", "--lm", "lm", "--weights", "w", "--allow-missing"],
    ),
}
OTHERS = {
    "weights": (rerank, ["lists", "--weights", "x"], ()),
    "imported weights": (import_weights, ["x"], ("a moses.ini",)),
    "n-best lists": (import_nbest, ["x"], ("n-best", "a Moses n-best", "JSON lines")),
    "ARPA": (add_feature, ["lm", "lists", "--arpa", "x", "--name", "X"], ("a language model",)),
    "phrase table": (
        decode,
        ["text", "--phrase-table", "x", "--lm", "lm", "--weights", "w", "--allow-missing"],
        ("a Moses phrase table",),
    ),
    "moses.ini": (decode, ["text", "--moses-ini", "x"], ("a moses.ini",)),
}
SOME = (
    "a Moses n-best list: import-nbest",
    "a language model as ARPA text: decode --lm",
    "a moses.ini: decode --moses-ini",
    "a Moses phrase table: decode --phrase-table",
    "UTF-16 text: iconv",
    "a NumPy array",
)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    files = {"w": b"LM0 1\nWordPenalty0 1\n", "text": b"the cat\n", "table": TABLE, "lm": ARPA}
    for name, data in {**files, "nbest": NBEST}.items():
        Path(name).write_bytes(data)
    assert import_nbest.main(["nbest", "-o", "lists", "-q"]) == 0


def refused(stage, words, data, capsys, message) -> bool:
    """Whether a command says just this, exits with 1 and writes nothing."""
    Path("x").write_bytes(data)
    capsys.readouterr()
    status = stage.main([*words, "-o", "out", "-q"])
    found = capsys.readouterr().err
    assert message in found
    return status == 1 and found.count("\n") == 1 and not Path("out").exists()


@pytest.mark.parametrize("words", [*BINARY, *TEXTS, *UNSURE])
def test_every_kind_is_no_stream(words, capsys):
    data = {**BINARY, **TEXTS, **UNSURE}[words]
    assert refused(show, ["x"], data, capsys, words)


@pytest.mark.parametrize("words", [*BINARY, *TEXTS])
def test_every_kind_is_no_text(words, capsys):
    data = {**BINARY, **TEXTS}[words]
    assert refused(score_bleu, ["lists", "--ref", "x"], data, capsys, words)


@pytest.mark.parametrize("words", SOME)
@pytest.mark.parametrize("reader", STREAMS)
def test_no_stream(reader, words, capsys):
    stage, argv = STREAMS[reader]
    data = {**BINARY, **TEXTS}[words]
    assert refused(stage, argv, data, capsys, f"x: expected a stream, found {words}")


@pytest.mark.parametrize("words", SOME)
@pytest.mark.parametrize("reader", LINES)
def test_no_text(reader, words, capsys):
    stage, argv = LINES[reader]
    data = {**BINARY, **TEXTS}[words]
    assert refused(stage, argv, data, capsys, f"x: expected lines of text, found {words}")


@pytest.mark.parametrize("words", SOME)
@pytest.mark.parametrize("reader", OTHERS)
def test_no_other_input(reader, words, capsys):
    stage, argv, own = OTHERS[reader]
    data = {**BINARY, **TEXTS}[words]
    if not any(name in words for name in own):
        assert refused(stage, argv, data, capsys, words)


@pytest.mark.parametrize("reader", LINES)
def test_a_stream_is_no_text(reader, capsys):
    stage, argv = LINES[reader]
    data = Path("lists").read_bytes()
    assert refused(stage, argv, data, capsys, "found a stream of kind 'kbest': show prints it")


def test_what_is_no_list_but_weights(capsys):
    data = UNSURE["a weights file: --weights"]
    assert refused(import_nbest, ["x"], data, capsys, "expected n-best lists, found a weights file")


def test_compressed_files_are_read(capsys):
    """By any of the four programs, and what is in them goes by its kind."""
    import bz2
    import gzip

    for compress in (bz2.compress, gzip.compress):
        assert refused(rerank, ["x", "--weights", "w"], compress(NBEST), capsys, "a Moses n-best")
        Path("x").write_bytes(compress(NBEST))
        assert import_nbest.main(["x", "-o", "imported", "-q"]) == 0
        assert Path("imported").read_bytes() == Path("lists").read_bytes()
    assert refused(rerank, ["x", "--weights", "w"], GZIP, capsys, "x: ")
