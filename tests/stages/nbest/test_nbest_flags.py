"""Flags that formats of some kinds take."""

from pathlib import Path

import pytest

from campanula.formats.records.kbest import KBest
from campanula.formats.stream import Reader
from campanula.stages import import_nbest
from campanula.stages.command import UsageError
from campanula.stages.nbest.nbest_flags import check, implied
from tests.plain import plain


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Commands run within a folder of their own."""
    monkeypatch.chdir(tmp_path)


def imported(*words, **files):
    """Lists that a command line makes of some files."""
    for name, text in files.items():
        Path(name).write_text(text)
    assert import_nbest.main([*words, "-q", "-o", "out"]) == 0
    with Reader("out", KBest) as lists:
        return [plain(kbest) for kbest in lists]


def refused(capsys, status, *words):
    """The one line on stderr of a command line that is refused."""
    found: int | str | None
    try:
        found = import_nbest.main([*words, "-q", "-o", "out"])
    except SystemExit as error:  # of the parser
        found = error.code
    assert found == status
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert not Path("out").exists()
    return said.err


def test_plain_lines_of_a_size():
    first, second = imported("f", "--size", "2", f="a\nb\nc\n\n")
    assert (first["text"], second["text"]) == (["a", "b"], ["c", ""])
    (beams,) = imported("f", "--size", "2", f="a\t-1\nb\t-2\n")
    assert beams["features"] == [{"F0": -1.0}, {"F0": -2.0}]


def test_key_paths():
    text = '[{"q": "u1", "answers": [{"say": "a\\nb", "lp": -1, "r": 2}]}]'
    words = ["--list", "answers[]", "--text", "say", "--feature", "LP=lp", "--score", "r"]
    (found,) = imported("f", *words, "--id", "q", f=text)
    assert (found["id"], found["text"], found["score"]) == ("u1", ["a\nb"], [2.0])
    assert found["features"] == [{"LP": -1.0}]


def test_columns_of_csv():
    words = ["--format", "csv", "--text", "hyp", "--id", "f"]
    (found,) = imported("f", *words, "--feature", "AM=am", f="f,hyp,am,x\nu,a,-1,b\n")
    assert (found["id"], found["features"], found["fields"]) == ("u", [{"AM": -1.0}], {"x": ["b"]})


def test_archives_of_costs():
    words = ["--format", "kaldi", "words", "--costs", "AM=ac", "--costs", "LM=lm"]
    files = {"words": "u-1 a b\nu-2 c\n", "ac": "u-1 2\nu-2 3\n", "lm": "u-1 .5\nu-2 1\n"}
    (found,) = imported(*words, **files)
    assert (found["id"], found["text"]) == ("u", ["a b", "c"])
    assert found["features"] == [{"AM": -2.0, "LM": -0.5}, {"AM": -3.0, "LM": -1.0}]


def test_flags_that_do_not_fit(capsys):
    Path("f").write_text("0 ||| a ||| LM0= 1 ||| 2\n")
    problem = refused(capsys, 2, "f", "--size", "3")
    assert "--size goes with --format lines or nemo, not moses" in problem
    assert "lists in the format lines need --size" in refused(capsys, 2, "f", "--format", "lines")
    problem = refused(capsys, 2, "f", "--format", "json", "--list", "a[]")
    assert "key paths need --text" in problem
    problem = refused(capsys, 2, "f", "--format", "csv", "--feature", "A=x", "--feature", "A=y")
    assert "the feature A is named twice" in problem
    for words in (["--text", "a."], ["--feature", "x"], ["--costs", "=f"], ["--size", "0"]):
        assert words[0] in refused(capsys, 2, "f", *words)


def test_what_settings_imply():
    assert [implied(found, {"size": 3}) for found in (None, "nemo", "moses")] == [
        "lines",
        "lines",
        "moses",
    ]
    assert [implied(found, {"text": "b"}) for found in ("jsonl", "vosk")] == ["json", "json"]
    assert implied("csv", {"text": "b"}) == "csv"
    assert implied(None, {}) is None
    check("moses", {})
    with pytest.raises(UsageError, match="goes with --format kaldi, not vosk"):
        check("vosk", {"costs": {}})
