"""add-feature end to end: one feature more, all else as it was; what does not fit is named."""

from __future__ import annotations

import io
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.stream import Reader
from campanula.stages import add_feature
from campanula.stages.decoding.language_model import SentenceScorer
from campanula.stages.hypothesis_features.table import FEATURES
from tests.examples import random_lists, write_kbest
from tests.plain import plain

pytestmark = pytest.mark.usefixtures("own_cache")

ARPA = """\\data\\
ngram 1=4

\\1-grams:
-1.5 <s> 0
-0.25 </s>
-2 <unk>
-0.5 hypothesis
\\end\\
"""


def read(path: Path | str) -> tuple[list[dict[str, Any]], str]:
    with Reader(str(path), KBest) as lists:
        return [plain(kbest) for kbest in lists], lists.signature


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    records, _ = random_lists(seed=5, n_lists=6)
    write_kbest(tmp_path / "in", records)
    (tmp_path / "lm.arpa").write_text(ARPA)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*argv: str) -> int:
    return add_feature.main([*argv, "-q"])


def added(name: str) -> list[list[float]]:
    """Values of the new feature in `out`, where all else must be as in `in`."""
    before, signature = read("in")
    after, how = read("out")
    assert how.endswith(f" < {signature}")
    assert f"|feature:{name}|" in how
    values = [[row.pop(name) for row in record["features"]] for record in after]
    assert after == before
    return values


def test_length(folder: Path) -> None:
    assert run("length", "--name", "Length", "in", "-o", "out") == 0
    assert {value for values in added("Length") for value in values} == {2.0}
    assert run("length", "--unit", "characters", "--name", "n", "in", "-o", "out") == 0
    assert {value for values in added("n") for value in values} == {12.0}


def test_lm(folder: Path) -> None:
    assert run("lm", "--arpa", "lm.arpa", "--name", "LM1", "in", "-o", "out") == 0
    scorer, (records, _) = SentenceScorer.of_file("lm.arpa"), read("in")
    assert added("LM1") == [scorer(Texts.of(record["text"])).tolist() for record in records]
    assert added("LM1")[0][0] == pytest.approx(-2.75 * np.log(10))


@pytest.mark.parametrize("by_place", [False, True])
def test_column(folder: Path, by_place: bool) -> None:
    records, _ = read("in")
    expected = [[0.25 * r["sid"] - j for j in range(len(r["text"]))] for r in records]
    rows = [
        (r["sid"], j, x) for r, xs in zip(records, expected, strict=True) for j, x in enumerate(xs)
    ]
    lines = (
        [f"{i}\t{j}\t{x}" for i, j, x in reversed(rows)] if by_place else [str(x) for *_, x in rows]
    )
    (folder / "scores").write_text("\n".join(lines))
    assert run("column", "in", "--file", "scores", "--name", "comet", "-o", "out") == 0
    assert added("comet") == expected


def test_two_features_in_a_pipe(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run("length", "--name", "Length", "in", "-o", "one") == 0
    assert run("lm", "--arpa", "lm.arpa", "--name", "LM1", "one", "-o", "two") == 0
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(Path("one").read_bytes())))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert run("lm", "--arpa", "lm.arpa", "--name", "LM1") == 0
    assert capfdbinary.readouterr().out == Path("two").read_bytes()
    assert add_feature.main(["-q", "-o", "flags", "lm", "--arpa=lm.arpa", "--name=LM1", "one"]) == 0
    assert Path("flags").read_bytes() == Path("two").read_bytes()


def test_names_that_come_late_keep_their_ids(folder: Path) -> None:
    names, records = Names(), []
    for sid, row in enumerate([{"a": 1.5}, {"b": 2.5}, {"a": 3.5, "c_d": 1.0}]):
        features = Features.of([row, {**row, "late": 1.0 + sid}], names)
        records.append(KBest(sid, Texts.of(["x", "y"]), features, names))
    with Path("in").open("wb"):
        write_kbest("in", records)
    assert run("length", "--name", "Length", "in", "-o", "out") == 0
    assert added("Length") == [[1.0, 1.0]] * 3


def test_a_name_that_the_lists_have(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("length", "--name", "LM0", "in", "-o", "out") == 1
    said = "add-feature: in: sentence 0: feature 'LM0': expected a new feature name, found it in"
    assert capsys.readouterr().err.startswith(said)
    assert not Path("out").exists()


@pytest.mark.parametrize("name", ["", "a b", "a\tb", "#", "a\n"])
def test_names_that_weights_cannot_have(folder: Path, name: str) -> None:
    with pytest.raises(SystemExit) as stop:
        run("length", "--name", name, "in")
    assert stop.value.code == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\n", "add-feature: scores: sentence 0: expected a score for every hypothesis, found 1"),
        ("1\n" * 99, "add-feature: scores: expected "),
        ("nan\n", "add-feature: scores: line 1: expected a finite number, found 'nan'"),
        (
            "0\t0\t1\n",
            "add-feature: scores: sentence 0: hypothesis 1: expected a score, found none",
        ),
    ],
)
def test_scores_that_do_not_fit(
    folder: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "scores").write_text(text)
    assert run("column", "in", "--file", "scores", "--name", "comet", "-o", "out") == 1
    assert capsys.readouterr().err.startswith(said)
    assert not Path("out").exists()


def test_one_stdin(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("column", "--file", "-", "--name", "comet") == 2
    assert "only one input can be stdin" in capsys.readouterr().err


def test_a_damaged_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("lm.arpa").write_text(ARPA.replace("-0.5 hyp", "nan hyp"))
    assert run("lm", "--arpa", "lm.arpa", "--name", "LM1", "in", "-o", "out") == 1
    assert "lm.arpa: line 8: expected a log10 probability, found 'nan'" in capsys.readouterr().err
    assert not Path("out").exists()


def question_marks(texts):
    """Number of question marks."""
    return [text.count("i") for text in texts]


def ratio(texts, source, sid):
    return np.array([len(text) / len(source) + sid for text in texts])


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two features of an installed package."""
    points = [
        metadata.EntryPoint("marks", f"{__name__}:question_marks", "campanula.features"),
        metadata.EntryPoint("own-ratio", f"{__name__}:ratio", "campanula.features"),
    ]
    monkeypatch.setattr(FEATURES, "_items", dict(FEATURES._items))
    monkeypatch.setattr(
        metadata, "entry_points", lambda **which: metadata.EntryPoints(points).select(**which)
    )


def test_a_feature_of_ones_own_by_name(folder: Path, own: None) -> None:
    assert run("marks", "in", "-o", "out") == 0
    texts = [record["text"] for record in read("in")[0]]
    assert added("marks") == [[float(text.count("i")) for text in row] for row in texts]
    assert run("marks", "--name", "Marks", "in", "-o", "out") == 0
    assert added("Marks")


def test_one_that_reads_the_source(
    folder: Path, own: None, capsys: pytest.CaptureFixture[str]
) -> None:
    records, _ = read("in")
    Path("source").write_text("abcd\n" * (1 + max(record["sid"] for record in records)))
    assert run("own-ratio", "--source", "source", "in", "-o", "out") == 0
    expected = [[len(text) / 4 + record["sid"] for text in record["text"]] for record in records]
    assert added("own-ratio") == expected
    assert run("own-ratio", "in", "-o", "out") == 2
    assert "the feature own-ratio needs --source FILE" in capsys.readouterr().err
    assert run("own-ratio", "--source", "-", "-o", "out") == 2
    assert "only one input can be stdin" in capsys.readouterr().err


def test_one_added_in_python(folder: Path, own: None) -> None:
    FEATURES.add("two", lambda texts: [2] * len(texts))
    assert run("two", "in", "-o", "out") == 0
    assert {value for values in added("two") for value in values} == {2.0}


def test_help_lists_those_of_other_packages(own: None, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        add_feature.main(["--help"])
    said = capsys.readouterr().out
    assert "marks" in said
    assert "a feature of another package" in said
    with pytest.raises(SystemExit):
        add_feature.main(["mraks"])
    assert "marks" in capsys.readouterr().err


def test_what_a_list_lacks_is_said_with_the_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("field", "--field", "comet", "--name", "c", "in", "-o", "out") == 1
    said = "add-feature: in: sentence 0: expected a text field 'comet', found "
    assert capsys.readouterr().err.startswith(said)
