"""The demo on a text of its own: what it leaves, what it reuses, what it says."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from campanula import __version__
from campanula.formats.weights import Weights
from campanula.pipelines.demo import bible, demo

WORDS = {"le": ["the"], "un": ["a", "one"], "chien": ["dog", "hound"], "chat": ["cat"]}
WORDS |= {"voit": ["sees", "looks at"], "suit": ["follows"], "grand": ["big", "large"]}
WORDS |= {"et": ["and"], ".": ["."]}
SIZES = {"train": 60, "dev": 8, "test": 6}
SMALL = "--iterations 2 --cccp-iterations 2 --epochs 2 --eta 0.01 -k 20"
ALL = {"align-words", "extract-blocks", "estimate-lm", "decode", "score-bleu"}
ALL |= {"optimize"}


def write(folder: Path, jobs: int = 2) -> dict[str, int]:
    """Write sentences of few words in place of the Bible."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(1)
    for part, versions in bible.PARTS.items():
        sentences = [chance.choices(list(WORDS), k=6) for _ in range(SIZES[part])]
        for number, version in enumerate((bible.FRENCH, *versions)):
            english = [
                [chance.choice(WORDS[w]) for w in s if number < 2 or w != "et"] for s in sentences
            ]
            rows = sentences if version == "fr" else english
            text = "".join(" ".join(row) + "\n" for row in rows)
            (folder / bible.file_name(part, version)).write_text(text)
    return {}


Run = Callable[..., Counter[str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: list[str]) -> Run:
    """Run the demo with further flags of `tune rampion`; returns how often each stage was run."""

    def run(more: str = "") -> Counter[str]:
        commands.clear()
        folder = os.fspath(tmp_path / "work")
        assert demo.main(["--work-dir", folder, "-q", f"--tune={SMALL} {more}"]) == 0
        return Counter(commands)

    monkeypatch.setattr(bible, "write", write)
    monkeypatch.setattr(demo, "PACKAGES", ())  # which the text of these tests does not need
    monkeypatch.setattr(demo, "version", lambda package: "1")
    return run


def test_a_second_run_finds_all_and_another_setting_redoes_what_depends_on_it(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    assert set(run()) == ALL
    first, weights = capsys.readouterr(), (work / "weights").read_bytes()
    assert first.err == ""
    assert "BLEU           dev (8)    test (6)" in first.out
    assert run() == {}
    assert capsys.readouterr().out == first.out
    later = run("--epochs 3")
    assert set(later) == ALL - {"align-words", "extract-blocks", "estimate-lm"}
    assert later["optimize"] == 2
    assert (work / "weights").read_bytes() != weights
    assert {"initial", "history.jsonl", "curve.png"} <= set(os.listdir(work))


def test_the_times_are_those_of_the_run_that_made_it_all(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    seconds = {line[0]: float(line[1]) for line in lines if len(line) == 4 and line[2] == "s"}
    assert list(seconds) == [
        *("text", "align", "extract", "LM", "decode", "score", "optimise", "orchestration")
    ]
    (total,) = (float(line[1]) for line in lines if line[:1] == ["total"])
    assert sum(seconds.values()) == pytest.approx(total, abs=0.5)
    kept = list((tmp_path / "work" / "cache").glob("seconds-*.json"))
    assert all(set(json.loads(path.read_text())) <= set(seconds) for path in kept)


def test_a_text_that_is_not_all_there_is_written_again(run: Run, tmp_path: Path) -> None:
    run()
    (text,) = (tmp_path / "work" / "cache").glob("text-*")
    names = set(bible.file_names())
    assert set(os.listdir(text)) == names
    (text / "test.en.bbe").unlink()
    assert run() == {}
    assert set(os.listdir(text)) == names


def test_initial_weights_are_the_field_s_defaults(run: Run, tmp_path: Path) -> None:
    run()
    initial = Weights.read(os.fspath(tmp_path / "work" / "initial"))
    assert len(initial) == 15
    assert [initial[name] for name in ("LM0", "WordPenalty0", "Distortion0")] == [0.5, -1, 0.3]
    assert set(Weights.read(os.fspath(tmp_path / "work" / "weights"))) == set(initial)


def test_a_missing_package_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "PACKAGES", ("no_such_package",))
    assert demo.main(["--work-dir", os.fspath(tmp_path / "work")]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    problem = "no_such_package: not installed; the demo needs the extra `demo`"
    assert printed.err == f"python -m campanula.pipelines.demo: {problem}\n"


def test_a_flag_that_no_loop_has_is_named(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = os.fspath(tmp_path / "work")
    with pytest.raises(SystemExit, match="2"):
        demo.main(["--work-dir", folder, "-q", f"--tune={SMALL} --no-such-flag"])
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "--no-such-flag" in printed.err


def test_its_flags_are_those_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    prog = "python -m campanula.pipelines.demo"
    with pytest.raises(SystemExit, match="0"):
        demo.main(["--version"])
    assert capsys.readouterr().out == f"{prog} (campanula) {__version__}\n"
    with pytest.raises(SystemExit, match="2"):
        demo.main(["--job", "3"])
    problem = "unknown flag --job; did you mean --jobs?"
    assert capsys.readouterr().err == f"{prog}: {problem} (see {prog} --help)\n"
