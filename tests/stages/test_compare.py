"""compare end to end: sacrebleu's values and signatures, the same bytes, faults by name."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from campanula.stages import compare

REFS = [["the cat sat on the mat .", "a dog ran", "", "it's 3.5% , OK"]] * 1
FILES = {
    "base": ["the cat sat on a mat .", "a dog", "x", "It's 3.5% , ok"],
    "one": ["the cat sat on the mat .", "dog ran", "", "it's 3.5% , OK"],
    "two": ["the cat sat on the mat .", "a dog ran", "y", "it's 3 , OK"],
}
FAST = ["--samples", "50", "--trials", "60", "-q"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, lines in {**FILES, "ref": REFS[0], "ref2": FILES["two"]}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_json(*argv: str) -> Any:
    assert compare.main([*argv, "--json", "-o", "out", *FAST]) == 0
    return json.loads(Path("out").read_text())


@pytest.mark.parametrize("lowercase", [False, True])
def test_values_and_signatures_are_sacrebleus(folder: Path, lowercase: bool) -> None:
    flags = ["--lowercase"] if lowercase else []
    metrics = [f"--metric={name}" for name in ("bleu", "chrf", "chrf++", "ter")]
    refs = ["--ref", "ref", "--ref", "ref2", "--tokenize", "13a"]
    found = as_json("base", "new=one,two", *refs, *metrics, *flags)
    judges = [
        BLEU(lowercase=lowercase),
        CHRF(lowercase=lowercase),
        CHRF(word_order=2, lowercase=lowercase),
        TER(case_sensitive=not lowercase),
    ]
    for comparison, judge in zip(found, judges, strict=True):
        texts = [FILES["base"]], [FILES["one"], FILES["two"]]
        for system, files in zip(comparison["systems"], texts, strict=True):
            scores = [judge.corpus_score(lines, [REFS[0], FILES["two"]]) for lines in files]
            assert system["values"] == pytest.approx([score.score for score in scores])
            assert comparison["metric"] == scores[0].name
        signature = judge.get_signature().format().replace("|", "|bs:50|ar:60|seed:12345|", 1)
        assert comparison["signature"] == f"{comparison['metric']}|{signature}"


def test_the_table_of_one_and_of_several(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["base", "--ref", "ref", *FAST]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("BLEU|nrefs:1|bs:50|ar:60|seed:12345|case:mixed|eff:no|tok:none|")
    assert len(lines) == 3
    argv = ["base", "new=one,two", "one", "--ref", "ref", *FAST]
    assert compare.main(argv) == 0
    table = capsys.readouterr().out
    assert [line.split()[0] for line in table.splitlines()[2:5]] == ["base", "new", "one"]
    assert compare.main([*argv, "--jobs", "3"]) == 0
    assert capsys.readouterr().out == table


def test_a_system_does_not_change_what_is_said_of_another(folder: Path) -> None:
    (both,) = as_json("base", "new=one,two", "one", "--ref", "ref")
    (alone,) = as_json("base", "one", "--ref", "ref")
    assert both["systems"][2] == alone["systems"][1]
    (other,) = as_json("base", "new=one,two", "--ref", "ref", "--seed", "3")
    assert other["systems"][1]["values"] == both["systems"][1]["values"]
    assert other["systems"][1]["interval"] != both["systems"][1]["interval"]


def test_stdin(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (expected,) = as_json("base", "one", "--ref", "ref")
    text = "\n".join(FILES["one"]).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text))))
    (found,) = as_json("base", "-", "--ref", "ref")
    assert found["systems"][1]["values"] == expected["systems"][1]["values"]


@pytest.mark.parametrize(
    ("bad", "text", "said"),
    [
        ("one", b"a\nb\n", "compare: one: expected 4 lines, as ref has, found 2\n"),
        ("ref2", b"a\nb\nc\n", "compare: ref2: expected 4 lines, as ref has, found 3\n"),
        ("ref", b"", "compare: ref2: expected 0 lines, as ref has, found 4\n"),
        ("one", b"a\n\xff\n", "compare: one: line 2: expected UTF-8, found byte 0xff"),
    ],
)
def test_faults_of_the_data(
    folder: Path, bad: str, text: bytes, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / bad).write_bytes(text)
    assert compare.main(["base", "one", "--ref", "ref", "--ref", "ref2", "-o", "out", *FAST]) == 1
    assert capsys.readouterr().err.startswith(said)
    assert not (folder / "out").exists()


def test_nothing_to_compare(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ref").write_text("")
    assert compare.main(["base", "--ref", "ref", *FAST]) == 1
    said = "compare: ref: expected at least one line, found none\n"
    assert capsys.readouterr().err == said
    assert compare.main(["missing", "--ref", "ref2", *FAST]) == 1
    assert capsys.readouterr().err.startswith("compare: missing: cannot be read:")


def test_faults_of_the_flags(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["base", "base", "--ref", "ref"]) == 2
    assert compare.main(["base", "--ref", "ref", "--tokenize", "nonesuch"]) == 2
    assert "one of" in capsys.readouterr().err


def test_all_outputs_empty(folder: Path) -> None:
    (folder / "empty").write_text("\n" * 4)
    metrics = [f"--metric={name}" for name in ("bleu", "chrf", "ter")]
    for comparison in as_json("base", "empty", "--ref", "ref", *metrics):
        value = comparison["systems"][1]["mean"]
        assert value == (0.0 if comparison["higher_is_better"] else 100.0)


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json"])
def test_every_format_names_every_system(
    folder: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["base", "n_w=one,two", "--ref", "ref", "--metric=wer", "--metric=bleu", *FAST]
    for more in ([], ["--all-pairs"], ["--sentences", "1"]):
        assert compare.main([*argv, *more, "--format", form]) == 0
        found = capsys.readouterr()
        assert found.out.count("n") > 2
        assert "n_w" in found.out.replace("\\", "")
        assert "base" in found.out
        assert found.err == ""


def test_files_of_numbers_are_systems(folder: Path) -> None:
    for name, numbers in {"c1": "0.5 0.25 1.08 -1", "c2": "0.5 0.75 1.08 -1"}.items():
        (folder / name).write_text(numbers.replace(" ", "\n"))
    (alone,) = as_json("c1", "c2", "--metric", "gain-column")
    assert [system["mean"] for system in alone["systems"]] == [0.2075, 0.3325]
    assert alone["systems"][1]["randomisation_p"] == 1.0
    both = ["--column", "c1", "--column", "c2", "--metric", "ter", "--metric", "gain-column"]
    ter, beside = as_json("base", "one", "--ref", "ref", *both)
    assert ter["metric"] == "TER"
    assert [system["mean"] for system in beside["systems"]] == [0.2075, 0.3325]


def test_a_command_gives_numbers(folder: Path) -> None:
    line = "awk '{print NF}' {hypotheses}"
    (found,) = as_json("base", "one", "--ref", "ref", "--score-command", line, "--lower-is-better")
    assert [system["mean"] for system in found["systems"]] == [3.5, 3.25]
    assert found["differences"][0]["improves"] is True


def test_subwords_are_joined_and_else_warned_of(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pieces").write_text((folder / "one").read_text().replace("cat", "c@@ at"))
    flags = ["--ref", "ref", "--samples", "9"]
    assert compare.main(["one", "pieces", *flags]) == 0
    warned = "compare: warning: pieces: the texts have subword marks such as '@@'"
    assert capsys.readouterr().err.startswith(warned)
    (found,) = as_json("one", "pieces", "--ref", "ref", "--remove-subwords", "bpe")
    assert found["systems"][0]["mean"] == found["systems"][1]["mean"]
    assert found["signature"].endswith("|subwords:bpe")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["base", "one"], "--ref FILE is needed"),
        (["base", "--metric", "gain-column", "--ref", "ref"], "gain-column alone takes"),
        (["base", "--ref", "ref", "--column", "base"], "--column goes with"),
        (["base", "--ref", "ref", "--metric", "gain-column", "--metric", "bleu"], "needs --column"),
        (["base", "--ref", "ref", "--source", "ref"], "go with --score-command"),
        (["base", "--ref", "ref", "--lower-is-better"], "--lower-is-better goes with"),
        (["base", "--ref", "ref", "--score-command", "a {hypotheses} {source}"], "needs --source"),
        (["base", "--ref", "ref", "--score-command", "a"], "expected {hypotheses} in it"),
        (
            ["n=base,one", "--ref", "ref", "--metric", "gain-column", "--column", "base"],
            "--column: expected one for each of 2 files of outputs, found 1",
        ),
    ],
)
def test_flags_that_do_not_fit(
    folder: Path, argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare.main([*argv, *FAST]) == 2
    assert said in capsys.readouterr().err


def test_a_number_that_is_none_is_refused_by_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "c1").write_text("0.5\nnan\n1\n")
    assert compare.main(["c1", "--metric", "gain-column", "-o", "out", *FAST]) == 1
    assert capsys.readouterr().err.startswith("compare: c1: line 2: expected")
    assert not (folder / "out").exists()


def test_meteor_has_its_settings(folder: Path) -> None:
    argv = ["base", "two", "--ref", "ref", "--ref", "ref2", "--metric=meteor", "--metric=wer"]
    meteor, wer = as_json(*argv, "--lowercase", "--meteor-beta", "2", "--meteor-no-stem")
    start = "nrefs:2|bs:50|ar:60|seed:12345|case:lc|tok:none"
    settings = "modules:exact|alpha:0.9|beta:2.0|gamma:0.5"
    assert meteor["signature"].startswith(f"METEOR|{start}|{settings}|version:")
    assert wer["signature"].startswith(f"WER|{start}|version:")
    assert meteor["higher_is_better"]
    assert meteor["systems"][0]["mean"] < meteor["systems"][1]["mean"] <= 100.0


@pytest.mark.parametrize(
    ("flags", "fault"),
    [
        (["--meteor-beta", "2"], "--meteor-beta goes with --metric meteor"),
        (["--metric", "meteor", "--meteor-alpha", "2"], "expected alpha and gamma from 0 to 1"),
    ],
)
def test_meteor_flags_that_do_not_fit(
    folder: Path, capsys: pytest.CaptureFixture[str], flags: list[str], fault: str
) -> None:
    assert compare.main(["base", "one", "--ref", "ref", *flags, *FAST]) == 2
    assert fault in capsys.readouterr().err
