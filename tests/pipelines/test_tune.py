"""The command: exit codes, one line for a failure, and runs that are killed and started again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from campanula.pipelines import history, plot, tune
from tests.pipelines import tiny
from tests.plain import json_lines

SMALL = ["--iterations", "3", "--cccp-iterations", "2", "--epochs", "2", "--eta", "0.05"]
COMMAND = "import sys; from campanula.pipelines.tune import main; sys.exit(main())"

# Kills itself with SIGKILL before the n-th rename of a finished file, or after it.
DIE = """
import os, signal, sys
from campanula.pipelines.tune import main
rename, left, after = os.replace, int(sys.argv.pop(1)), sys.argv.pop(1) == "after"
def replace(old, new):
    global left
    left -= 1
    if left > 0 or after:
        rename(old, new)
    if left <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
os.replace = replace
sys.exit(main())
"""


def start(code: str, *argv: str) -> subprocess.Popen[bytes]:
    root = os.fspath(Path(tune.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": root}
    run = [sys.executable, "-c", code, *argv]
    return subprocess.Popen(run, stderr=subprocess.PIPE, env=environment)


def results(work: Path) -> tuple[bytes, list[dict[str, object]]]:
    """Weights, and the history without the seconds."""
    history = [{**line, "seconds": None} for line in json_lines(work / "history.jsonl")]
    assert not [name for name in os.listdir(work / "cache") if name.endswith(".tmp")]
    return (work / "weights").read_bytes(), history


@pytest.mark.slow
def test_a_killed_run_ends_in_the_same_bytes(tmp_path: Path) -> None:
    """Killed around renames, then at random moments; finished with another number of jobs."""
    flags = ["rampion", *tiny.write(tmp_path), *SMALL, "-q"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert tune.main([*flags, "--work-dir", os.fspath(whole)]) == 0
    again = [*flags, "--work-dir", os.fspath(killed), "--jobs"]
    for count, when, jobs in (("1", "before", "1"), ("5", "after", "2"), ("4", "before", "2")):
        process = start(DIE, count, when, *again, jobs)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert not (killed / "weights").exists()
    moments = random.Random(1)
    for _ in range(2):
        process = start(COMMAND, *again, "2")
        try:
            process.communicate(timeout=0.5 + 2 * moments.random())
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
    assert tune.main([*again, "1"]) == 0
    assert results(killed) == results(whole)


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        (("w0", "LM0 0.5", "LM0 x"), 1, "decode: {}/w0: line 1"),
        (("w0", "LM0 0.5", "LMX 0.5"), 1, "LMX"),
        (("dev.en1", "a dog\n", ""), 1, "tune: {}/dev.en1: expected 4 lines as in {}/dev.de"),
        (("phrase-table", "der |||", "der"), 1, "decode: {}/phrase-table: line 1"),
    ],
)
def test_bad_data_is_one_line_and_1(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: tuple[str, str, str],
    status: int,
    words: str,
) -> None:
    flags = tiny.write(tmp_path)
    name, old, new = change
    text = (tmp_path / name).read_text(encoding="utf-8")
    (tmp_path / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    work = tmp_path / "work"
    assert tune.main(["rampion", *flags, *SMALL, "--work-dir", os.fspath(work)]) == status
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert words.replace("{}", os.fspath(tmp_path)) in err
    assert not (work / "weights").exists()
    assert not (work / "history.jsonl").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--test", "name", "source"], "tune rampion: --test"),
        (["-o", "x"], "tune rampion: -o is no flag of a loop"),
        (["--gain-range", "0", "1"], "(see tune rampion --help)"),
    ],
)
def test_flags_that_do_not_fit_are_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    flags = tiny.write(tmp_path)
    work = os.fspath(tmp_path / "work")
    assert tune.main(["rampion", *flags, *SMALL, "--work-dir", work, *more]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--iteration", "3"], "tune mert: unknown flag --iteration; did you mean --iterations?"),
        (["--phrase-tabel", "x"], "tune mert: unknown flag --phrase-tabel; did you mean --phrase-"),
        (["--zzz", "stray", "--iterations", "2"], "tune mert: unknown flag --zzz (see"),
        (
            ["--beam", "0"],
            "tune mert: argument --beam/--pop-limit: expected an integer",
        ),
        (["--restarts", "x"], "tune mert: argument --restarts: expected an integer"),
        (["--decay", "-1"], "tune mert: unknown flag --decay"),
        (["stray", "--beam", "5"], "tune mert: unexpected arguments: stray"),
        (["--beam", "5", "--", "stray"], "tune mert: unexpected arguments: stray"),
        (["-"], "tune mert: unexpected arguments: -"),
    ],
)
def test_a_flag_of_nobody_is_blamed_on_the_loop_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    work = tmp_path / "work"
    with pytest.raises(SystemExit, match="2"):
        tune.main(["mert", *tiny.write(tmp_path), "--work-dir", os.fspath(work), *words])
    assert message in capsys.readouterr().err
    assert not work.exists()


def test_a_missing_flag_is_named_beside_flags_of_the_decoder(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        tune.main(["mert", "--phrase-table", "x", "--ref", "r", "--work-dir", "d"])
    assert capsys.readouterr().err.startswith(
        "tune mert: the following arguments are required: --source"
    )


def test_names_of_test_sets_differ(tmp_path: Path) -> None:
    flags = tiny.write(tmp_path)
    test = ["--test", "dev", *([os.fspath(tmp_path / "dev.de")] * 2)]
    work = os.fspath(tmp_path / "work")
    assert tune.main(["rampion", *flags, "--work-dir", work, *test]) == 2


def test_the_help_of_a_loop_is_about_it(capsys: pytest.CaptureFixture[str]) -> None:
    for loop in tune.LOOPS:
        with pytest.raises(SystemExit, match="0"):
            tune.main([loop, "--help"])
        assert f"example:\n  tune {loop} --source" in capsys.readouterr().out


def test_no_loop_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        tune.main([])
    assert "LOOP" in capsys.readouterr().err


def test_interrupted_is_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from campanula.stages import score_bleu

    def interrupted(argv: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(score_bleu, "main", interrupted)
    flags = ["rampion", *tiny.write(tmp_path), "--work-dir", os.fspath(tmp_path / "work")]
    assert tune.main(flags) == 130


def test_missing_weights_are_allowed_in_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["rampion", *tiny.write(tmp_path), *SMALL, "--work-dir", os.fspath(tmp_path / "work")]
    lines = (tmp_path / "w0").read_text().splitlines(keepends=True)
    (tmp_path / "w0").write_text("".join(line for line in lines if "LM0" not in line))
    assert tune.main(flags) == 1
    assert "feature 'LM0': expected a weight, found none" in capsys.readouterr().err
    assert tune.main([*flags, "--allow-missing"]) == 0
    assert "LM0" in (tmp_path / "work" / "weights").read_text()


def test_each_iteration_is_a_line_on_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["rampion", *tiny.write(tmp_path), *SMALL, "--work-dir", os.fspath(tmp_path / "work")]
    assert tune.main(flags) == 0
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == [f"iteration {i}" for i in (0, 1, 2)]
    assert lines[3] == "stopped: 3 iterations done; kept: the weights of iteration 3"
    assert lines[4].startswith("before: dev ")


def test_log_history_and_curve_count_iterations_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    flags = ["rampion", *tiny.write(tmp_path), *SMALL, "--keep", "best"]
    assert tune.main([*flags, "--work-dir", os.fspath(work)]) == 0
    lines = capsys.readouterr().err.splitlines()
    entries = history.read(os.fspath(work / "history.jsonl"))
    for line, entry in zip(lines, entries, strict=False):
        assert line.startswith(f"iteration {entry.iteration}: dev {entry.dev:.2f}")
    kept, tuned = entries[-1].kept, entries[-1].tuned
    assert kept is not None
    assert tuned is not None
    curve = dict(plot.points(entries)["dev"])
    assert curve == {entry.iteration: entry.dev for entry in entries} | {kept: tuned.dev}
    assert max(curve.values()) == curve[kept]
    assert f"kept: the weights of iteration {kept}" in lines[len(entries)]
