"""tune compare: table and picture of runs, and one line for what does not fit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.pipelines import plot, tune
from tests.pipelines import tiny
from tests.pipelines.comparing.folders import BAD, GOOD, objects, write_lines, write_run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs `a` and `b`, and `old` without run.json."""
    monkeypatch.chdir(tmp_path)
    refs = {name: write_lines(tmp_path / f"{name}.ref", GOOD) for name in ("dev", "test")}
    write_run(tmp_path / "a", {"dev.out": BAD, "test.out": BAD}, refs)
    write_run(tmp_path / "b", {"dev.out": GOOD, "test.out": GOOD}, refs)
    write_lines(tmp_path / "old" / "test.out", BAD)
    return tmp_path


FEW = ["--samples", "50", "--trials", "50"]


def compare(*argv: str) -> int:
    return tune.main(["compare", *argv, *FEW])


def test_a_table_of_every_data_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare("a", "b") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    titles = [part.splitlines()[0].partition("|")[0] for part in printed.out.split("\n\n")]
    assert titles == ["dev: BLEU", "test: BLEU"]
    assert compare("a", "b", "--set", "test", "--metric", "wer", "--metric", "chrf") == 0
    titles = [part.partition("|")[0] for part in capsys.readouterr().out.split("\n\n")]
    assert titles == ["test: WER", "test: chrF2"]


def test_references_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare("old", "b", "--ref", "test=test.ref", "--format", "json") == 0
    (found,) = objects(capsys.readouterr().out)
    assert found["set"] == "test"
    assert [system["name"] for system in found["systems"]] == ["old", "b"]
    assert found["differences"][0]["difference"] > 0


def test_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    assert compare("a", "b", "--picture", "compared.svg", "-o", "table") == 0
    assert Path("compared.svg").read_bytes().startswith(b"<?xml")
    assert Path("table").read_text().startswith("dev: BLEU|")
    write_run(Path("w"), {"dev.out": GOOD}, {"dev": os.path.abspath("dev.ref")}, metric="wer")
    assert compare("a", "w", "--picture", "compared.svg") == 0
    problem = "the runs went by several metrics: the picture has no curves"
    assert capsys.readouterr().err == f"tune compare: warning: {problem}\n"


def test_texts_unlike_the_references_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    many = [f"{line} {i} again and again" for i in range(60) for line in GOOD]
    ref = write_lines(Path("many.ref"), many)
    shouted = [line.upper() for line in many]
    for name, lines in (("c", many), ("d", shouted)):
        write_run(Path(name), {"dev.out": lines}, {"dev": os.path.abspath(ref)})
    assert compare("c", "d") == 0
    assert capsys.readouterr().err.startswith("tune compare: warning: dev: d: ")
    assert compare("c", "d", "-q") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("argv", "problem"),
    [
        (["a", "a"], "RUN a: given twice"),
        (["a", "b", "--ref", "test"], "--ref test: expected NAME=FILE,FILE,..."),
        (["a", "b", "--set", "x"], "--set x: expected one of dev, test"),
        (["a", "b", "--tokenize", "13a"], "--lowercase and --tokenize go with --metric"),
        (["a", "b", "--picture", "x.gif"], "--picture x.gif: expected a name that ends in .svg"),
        (["a", "b", "--picture", "x.svg", "-o", "x.svg"], "two outputs cannot both go to x.svg"),
    ],
)
def test_flags_that_do_not_fit(
    argv: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(*argv) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"tune compare: {problem}")
    assert printed.err.endswith("(see tune compare --help)\n")
    assert printed.out == ""


def test_an_unknown_flag_is_not_the_decoders(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        compare("a", "b", "--metrics", "wer")
    assert stop.value.code == 2
    assert capsys.readouterr().err == (
        "tune compare: unknown flag --metrics; did you mean --metric? (see tune compare --help)\n"
    )


def test_what_is_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare("a", "old") == 1
    assert capsys.readouterr().err.startswith("tune: old: expected the folder of a run of `tune`")
    write_lines(Path("b/dev.out"), GOOD[:3])
    assert compare("a", "b", "-o", "none") == 1
    assert "b/dev.out: expected 4 lines, as " in capsys.readouterr().err
    assert not Path("none").exists()


def test_a_picture_needs_matplotlib(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plot, "has_matplotlib", lambda: False)
    assert compare("a", "b", "--picture", "x.svg") == 2
    assert "--picture needs matplotlib (extra `plot`)" in capsys.readouterr().err


def test_runs_of_tune(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = [*tiny.write(tmp_path), "-q", "--iterations", "1"]
    assert tune.main(["mert", *given, "--work-dir", "mert", "--replicates", "2"]) == 0
    assert tune.main(["pro", *given, "--work-dir", "pro"]) == 0
    capsys.readouterr()
    assert compare("mert", "pro", "--picture", "compared.svg", "--format", "json") == 0
    (found,) = objects(capsys.readouterr().out)
    files = [len(system["files"]) for system in found["systems"]]
    assert (found["set"], files) == ("dev", [2, 1])
    assert Path("compared.svg").exists()
    for folder in ("mert", "mert/replicate-1", "pro"):
        assert {"curve.png", "curve.svg"} <= set(os.listdir(folder))
