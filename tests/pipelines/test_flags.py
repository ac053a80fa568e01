"""Flags of every loop."""

from __future__ import annotations

import argparse

import pytest

from campanula.pipelines import flags, tune

NEEDED = ["--source", "s", "--ref", "r", "--weights", "w", "--work-dir", "d"]


def parse(*argv: str) -> argparse.Namespace:
    p = argparse.ArgumentParser()
    flags.add_flags(p)
    return p.parse_args([*NEEDED, *argv])


def test_the_papers_settings_are_the_defaults() -> None:
    args = parse()
    assert (args.iterations, args.k, args.merge, args.test_at) == (20, 500, False, "each")
    assert (args.keep, args.patience, args.new_hypotheses) == ("last", 0, 0)
    assert args.weights_tolerance == 0.0


def test_references_and_test_sets_repeat() -> None:
    args = parse("--ref", "r2", "--test", "a", "s", "r", "--test", "b", "s", "r", "r2")
    assert args.ref == ["r", "r2"]
    assert args.test == [["a", "s", "r"], ["b", "s", "r", "r2"]]


IMPOSSIBLE = [["--iterations", "0"], ["-k", "-1"], ["--metric", "x"], ["--workers", "0"]]
IMPOSSIBLE += [["--gain-range", "1"], ["--score-timeout", "-1"]]


@pytest.mark.parametrize("argv", IMPOSSIBLE, ids=" ".join)
def test_impossible_settings_are_refused(argv: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(*argv)


def test_metrics_of_a_loop_compare_texts(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("--metric", "chrf++").metric == "chrf++"
    for name, problem in (("gain-column", "compares no texts"), ("chfr", "did you mean chrf")):
        with pytest.raises(SystemExit, match="2"):
            parse("--metric", name)
        assert problem in capsys.readouterr().err


@pytest.mark.parametrize("loop", ["mert", "pro", "mira", "risk", "loss"])
def test_the_other_loops_merge_and_run_to_convergence(loop: str) -> None:
    args = tune.parser().parse_args([loop, *NEEDED])
    assert (args.merge, args.keep, args.new_hypotheses) == (True, "best", 1)
    assert args.weights_tolerance == 1e-5
    known = {"mert": (25, 100), "pro": (30, 1500), "mira": (25, 100), "risk": (25, 100)}
    known["loss"] = (20, 100)
    assert (args.iterations, args.k) == known[loop]
    last = tune.parser().parse_args([loop, *NEEDED, "--no-merge", "--keep", "last"])
    assert (last.merge, last.keep) == (False, "last")
