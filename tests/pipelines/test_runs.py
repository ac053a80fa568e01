"""Whole runs of the loops on a small pool and a tiny model: gains, reasons, replicates, kills."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campanula.formats.weights import Weights
from campanula.pipelines import evidence, runs, tune
from campanula.pipelines.loop import LoopResult
from campanula.pipelines.tasks.stage_task import Leaf
from tests.pipelines import pool_decoder, tiny
from tests.pipelines.test_external_decoder import cdec
from tests.pipelines.test_tune import COMMAND, DIE, results, start
from tests.plain import json_lines

LOOPS = {
    "mert": ["mert"],
    "pro": ["pro"],
    "mira": ["mira"],
    "risk": ["risk", "--doublings", "2", "--C", "0.01"],
    "soft-ramp3": ["loss", "--loss", "soft-ramp3", "--solver", "adagrad", "--eta", "0.05"],
    "hinge": ["loss", "--loss", "hinge", "--solver", "ssd"],
}
Tune = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def pool(tmp_path: Path) -> Tune:
    """Run a loop on the pool; returns its history."""
    data = [*pool_decoder.write(tmp_path), *cdec(tmp_path), "-q"]

    def run(*flags: str, work: str = "work") -> list[dict[str, Any]]:
        folder = tmp_path / work
        loop, *more = flags
        anywhere = ["--trust", "0"] if loop == "mert" else []  # 25 sentences have a small region
        more = [*data, *anywhere, *more, "--work-dir", os.fspath(folder)]
        assert tune.main([loop, *more]) == 0
        return json_lines(folder / "history.jsonl")

    return run


@pytest.mark.parametrize("loop", LOOPS)
def test_dev_gains_or_the_run_says_why_it_stops(pool: Tune, loop: str) -> None:
    lines = pool(*LOOPS[loop])
    before, tuned = lines[0]["dev"], lines[-1]["tuned"]
    assert lines[-1]["stopped"]
    assert tuned["dev"] == max(tuned["dev"], *(line["dev"] for line in lines))
    if loop != "hinge":  # the references are in no list: every sentence is skipped
        assert tuned["dev"] > before + 5
    sizes = [line["hypotheses"] for line in lines]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--iterations", "1"], "1 iterations done"),
        (["--weights-tolerance", "1e9"], "no weight changed by 1e+09 or more"),
        (["--new-hypotheses", "100000"], "new hypotheses in the merged lists, fewer than 100000"),
        (
            ["--patience", "1", "--new-hypotheses", "0", "--weights-tolerance", "0"],
            "has not gained",
        ),
    ],
)
def test_reasons(pool: Tune, flags: list[str], words: str) -> None:
    assert words in str(pool("mert", *flags)[-1]["stopped"])


def test_the_best_or_the_last_are_kept(pool: Tune, tmp_path: Path) -> None:
    flags = ["--patience", "2", "--new-hypotheses", "0", "--weights-tolerance", "0"]
    best, last = (pool("mert", *flags, "--keep", keep, work=keep) for keep in ("best", "last"))
    devs = [line["dev"] for line in best]
    assert best[-1]["kept"] == devs.index(max(devs))
    assert best[-1]["tuned"]["dev"] == max(devs)
    assert last[-1]["kept"] == len(last) - 1  # it stopped before it looked for new weights
    assert last[-1]["tuned"]["dev"] == devs[-1]


def test_an_error_rate_falls(pool: Tune) -> None:
    lines = pool("mert", "--metric", "wer")
    assert lines[-1]["tuned"]["dev"] < lines[0]["dev"] - 5
    assert lines[-1]["tuned"]["dev"] == min(line["dev"] for line in lines)


@pytest.mark.parametrize("metric", ["ter", "chrf", "chrf++"])
def test_other_metrics(pool: Tune, metric: str) -> None:
    lines = pool("mert", "--metric", metric, "--iterations", "2")
    better = lines[-1]["tuned"]["dev"] - lines[0]["dev"]
    assert (better > 1) if metric != "ter" else (better < -1)


def test_mira_goes_by_bleu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = [*tiny_flags(tmp_path), "--metric", "wer", "--work-dir", os.fspath(tmp_path / "work")]
    assert tune.main(["mira", *flags]) == 2
    assert tune.main(["loss", "--solver", "batch-mira", *flags]) == 2
    assert "batch-mira goes by BLEU" in capsys.readouterr().err
    assert not (tmp_path / "work").exists()


def test_old_merged_lists_go(pool: Tune, tmp_path: Path) -> None:
    lines = pool("mert", "--new-hypotheses", "0", "--weights-tolerance", "0", "--iterations", "4")
    assert len(lines) == 4
    assert len(list((tmp_path / "work" / "cache").glob("merge-kbest-*.kbest"))) == 1


def tiny_flags(folder: Path, *more: str) -> list[str]:
    return [*tiny.write(folder), "-q", *more]


@pytest.mark.parametrize("loop", ["mert", "pro", "mira", "risk"])
def test_jobs_do_not_matter(tmp_path: Path, loop: str) -> None:
    found = []
    for jobs in ("1", "2"):
        work = tmp_path / jobs
        flags = tiny_flags(tmp_path, "--jobs", jobs, "--work-dir", os.fspath(work))
        assert tune.main([LOOPS[loop][0], *flags, *LOOPS[loop][1:]]) == 0
        found.append(results(work))
    assert found[0] == found[1]


@pytest.mark.parametrize("loop", ["mert", "risk"])
def test_a_killed_run_ends_in_the_same_bytes(tmp_path: Path, loop: str) -> None:
    name, *rest = LOOPS[loop]
    flags = [name, *tiny_flags(tmp_path), *rest]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert tune.main([*flags, "--work-dir", os.fspath(whole)]) == 0
    again = [*flags, "--work-dir", os.fspath(killed)]
    for count, when in (("2", "before"), ("5", "after"), ("3", "before")):
        process = start(DIE, count, when, *again)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    assert tune.main(again) == 0
    assert results(killed) == results(whole)


def test_killed_while_another_program_decodes(tmp_path: Path) -> None:
    flags = ["mert", *pool_decoder.write(tmp_path), "-q"]
    go = tmp_path / "go"
    line = f"{sys.executable} {pool_decoder.SELF} cdec -c {tmp_path / 'pool.ini'} -w {{weights}}"
    line += f" -k {{k}} < {{source}} > {{nbest}}; while [ ! -e {go} ]; do sleep 0.05; done"
    flags += ["--decode-command", line, "--shell", "--work-dir", os.fspath(tmp_path / "work")]
    process = start(
        "import sys; from campanula.pipelines.tune import main; sys.exit(main())", *flags
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.communicate(timeout=3)
    process.kill()
    process.communicate()
    assert list((tmp_path / "work" / "cache").glob("*.kbest")) == []
    go.touch()
    assert tune.main(flags) == 0
    other = [*flags[:-1], os.fspath(tmp_path / "other")]
    assert tune.main(other) == 0
    assert results(tmp_path / "work") == results(tmp_path / "other")


def test_replicates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    test = ["--test", "again", os.fspath(tmp_path / "dev.de"), os.fspath(tmp_path / "dev.en0")]
    flags = ["mert", *tiny_flags(tmp_path, *test), "--replicates", "3", "--seed", "4"]
    flags += ["--initial", "random"]
    found = []
    for work in (tmp_path / "one", tmp_path / "two"):
        assert tune.main([*flags, "--work-dir", os.fspath(work)]) == 0
        lines = (work / "replicates.jsonl").read_text().splitlines()
        weights = [(work / f"replicate-{seed}" / "weights").read_bytes() for seed in (4, 5, 6)]
        found.append((lines, weights, (work / "weights").read_bytes(), capsys.readouterr().out))
    assert found[0] == found[1]
    lines, weights, chosen, table = found[0]
    replicates = [json.loads(line) for line in lines]
    assert [line["seed"] for line in replicates] == [4, 5, 6]
    assert set(replicates[0]["tuned"]) == {"dev", "again"}
    devs = [line["tuned"]["dev"] for line in replicates]
    assert chosen == weights[devs.index(max(devs))]
    starts = [
        Weights.read(os.fspath(tmp_path / "one" / f"replicate-{s}" / "initial")) for s in (4, 5)
    ]
    assert dict(starts[0]) != dict(starts[1])
    assert [row.split()[0] for row in table.splitlines()] == ["BLEU,", "data", "dev", "again"]


@pytest.mark.parametrize("flags", [["--initial", "random"], []], ids=["random", "same"])
def test_replicates_side_by_side_end_in_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str]
) -> None:
    test = ["--test", "again", os.fspath(tmp_path / "dev.de"), os.fspath(tmp_path / "dev.en0")]
    flags = ["mert", *tiny_flags(tmp_path, *test), "--replicates", "3", *flags]
    found = []
    for workers in ("1", "2"):
        work = tmp_path / workers
        assert tune.main([*flags, "--workers", workers, "--work-dir", os.fspath(work)]) == 0
        found.append((contents(work), capsys.readouterr()))
    assert found[0] == found[1]
    assert {"weights", "replicates.jsonl", "replicate-3/weights"} <= set(found[0][0])


def contents(work: Path) -> dict[str, object]:
    """All files of a run; histories without the seconds, and without the seals of these."""
    found: dict[str, object] = {}
    for path in work.rglob("*"):
        name = path.relative_to(work).as_posix()
        if path.match("iteration-*.seal") or path.name == "run.json":  # which has the folder
            continue
        if path.name == "history.jsonl" or path.name.startswith("iteration-"):
            lines = map(json.loads, path.read_text().splitlines())
            found[name] = [{**line, "seconds": None} for line in lines]
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


@pytest.mark.slow
def test_killed_with_workers_a_run_ends_in_the_same_bytes(tmp_path: Path) -> None:
    flags = ["mert", *tiny_flags(tmp_path), "--replicates", "2"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert tune.main([*flags, "--work-dir", os.fspath(whole)]) == 0
    again = [*flags, "--workers", "2", "--work-dir", os.fspath(killed)]
    for moment in (1.5, 2.5):
        process = start(COMMAND, *again)
        try:
            process.communicate(timeout=moment)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
    assert tune.main(again) == 0
    assert contents(killed) == contents(whole)


def test_a_failure_with_workers_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = pool_decoder.write(tmp_path)
    line = "sh -c 'echo no model >&2; exit 3' {source} {weights}"
    test = ["--test", "again", os.fspath(tmp_path / "dev.de"), os.fspath(tmp_path / "dev.en")]
    flags = ["mert", *data, *test, "--decode-command", line, "--workers", "3"]
    flags += ["--replicates", "3", "--initial", "random", "-q"]
    assert tune.main([*flags, "--work-dir", os.fspath(tmp_path / "work")]) == 1
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert err.startswith("tune: decode command: sh -c ")
    assert "ended with exit status 3; it said: no model" in err


def test_a_replicate_is_the_run_with_its_seed(tmp_path: Path) -> None:
    flags = ["mert", *tiny_flags(tmp_path)]
    many = [*flags, "--replicates", "2", "--work-dir", os.fspath(tmp_path / "many")]
    assert tune.main(many) == 0
    one = [*flags, "--seed", "2", "--work-dir", os.fspath(tmp_path / "one")]
    assert tune.main(one) == 0
    found = tmp_path / "many" / "replicate-2" / "weights"
    assert found.read_bytes() == (tmp_path / "one" / "weights").read_bytes()


EVIDENCE = {evidence.BEFORE, evidence.THETA, evidence.LISTS}
"""What a run leaves for its report; with replicates each of them does."""


def test_results_of_an_earlier_run_do_not_pass_for_this_ones(tmp_path: Path) -> None:
    work = tmp_path / "work"
    flags = ["mert", *tiny.write(tmp_path), "--iterations", "1", "--work-dir", os.fspath(work)]
    data = [os.fspath(tmp_path / "dev.de"), os.fspath(tmp_path / "dev.en0")]

    def left(*more: str) -> set[str]:
        assert tune.main([*flags, *more]) == 0
        names = {path.name for path in work.iterdir()}
        return {name for name in names if not name.startswith(("cache", "curve.", "earlier-"))}

    alone = {"weights", "history.jsonl", "dev.out", "run.json", *EVIDENCE}
    assert left("--test", "x", *data, "--test", "y", *data) == alone | {"x.out", "y.out"}
    (work / "nohup.out").write_text("mine")
    mine = {"nohup.out"}
    assert left("--test", "y", *data) == alone | mine | {"y.out"}
    assert (work / "earlier-1" / "x.out").exists()
    assert "nohup.out" not in (work / "run.json").read_text()
    runs_of = {"replicate-1", "replicate-2"}
    several = {"weights", "replicates.jsonl", "run.json", "dev.out"} | runs_of
    assert left("--replicates", "2", "--test", "y", *data) == several | mine | {"y.out"}
    assert (work / "replicate-1" / "y.out").exists()
    assert left("--replicates", "2") == several | mine
    assert not list(work.glob("replicate-*/y.out"))
    assert left() == alone | mine


@pytest.mark.parametrize("name", ["dev.out", "x.out", "weights"])
def test_a_folder_in_the_place_of_a_result_is_one_line_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    data = [os.fspath(tmp_path / "dev.de"), os.fspath(tmp_path / "dev.en0")]
    flags = ["mert", *tiny_flags(tmp_path, "--test", "x", *data)]
    place = tmp_path / "work" / name
    place.mkdir(parents=True)
    assert tune.main([*flags, "--work-dir", os.fspath(tmp_path / "work")]) == 1
    assert capsys.readouterr().err == f"tune: {place}: cannot be written: Is a directory\n"
    assert os.listdir(tmp_path / "work") == [name]


@pytest.mark.parametrize(
    "flags",
    [
        ["mert", "--freeze", "LM1"],
        ["mira", "--features", "word-pair", "--only", "uni_*"],
        ["loss", "--loss", "bayes-risk", "--solver", "lbfgs", "--bounds", "LM", "0", "1"],
    ],
    ids=" ".join,
)
def test_a_pattern_that_nothing_can_match_is_refused_before_any_work(
    tmp_path: Path, flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    argv = [flags[0], *tiny_flags(tmp_path), *flags[1:], "--work-dir", os.fspath(work)]
    assert tune.main(argv) == 2
    assert "no feature matches" in capsys.readouterr().err
    assert not work.exists()


def test_table() -> None:
    result = LoopResult(Leaf("weights", "w"), [], {})
    values = [
        runs.Replicate(seed, result, {"dev": 30.0}, {"dev": tuned})
        for seed, tuned in ((1, 31.0), (2, 33.0))
    ]
    rows = list(runs.table(values, "bleu"))
    assert rows[-1].split() == ["dev", "30.00", "32.00", "1.41", "31.00", "33.00"]
    alone = list(runs.table(values[:1], "bleu"))
    assert alone[-1].split() == ["dev", "30.00", "31.00", "-", "31.00", "31.00"]


@pytest.mark.parametrize(
    "flags",
    [
        ["loss", "--loss", "ramp3", "--solver", "lbfgs", "--L1", "1"],
        ["loss", "--solver", "batch-mira", "--loss", "ramp3"],
        ["loss", "--loss", "hinge", "--solver", "lbfgs"],
    ],
    ids=" ".join,
)
def test_what_does_not_go_together_is_refused_before_any_work(
    tmp_path: Path, flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    argv = [flags[0], *tiny_flags(tmp_path), *flags[1:], "--work-dir", os.fspath(work)]
    assert tune.main(argv) == 2
    assert "optimize" in capsys.readouterr().err
    assert not work.exists()
