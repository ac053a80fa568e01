"""RAMPION: one `optimize` an iteration, which is the chain of CCCP steps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from campanula.stages import impute_hope, optimize
from tests.examples import random_lists, write_kbest
from tests.pipelines import one_iteration

WEIGHTS = "LM0 0.5\nWordPenalty0 -0.2\n"
FIXED = ["--solver", "ssd", "--center", "theta0"]


def test_what_an_iteration_runs(tmp_path: Path) -> None:
    assert one_iteration.settings(tmp_path, "rampion") == FIXED


def test_what_can_be_set(tmp_path: Path) -> None:
    more = ["--cccp-iterations", "4", "--epochs", "3", "--eta", "0.01", "--C", "2", "--alpha", "5"]
    assert one_iteration.settings(tmp_path, "rampion", *more) == [*FIXED, *more]


def run(folder: Path, name: str, *argv: str) -> str:
    """Run a stage; returns the path of what it makes."""
    path = os.fspath(folder / name)
    command = impute_hope if name.endswith(".hope") else optimize
    assert command.main([*argv, "-q", "-o", path]) == 0
    return path


def test_the_papers_settings_are_the_defaults(tmp_path: Path) -> None:
    records, _ = random_lists(3, n_lists=6, sparse=False)
    lists = write_kbest(tmp_path / "dev.kbest", records)
    (tmp_path / "w0").write_text(WEIGHTS)
    given = [lists, "--weights", os.fspath(tmp_path / "w0")]
    paper = ["--cccp-iterations", "10", "--epochs", "5", "--eta", "1e-4", "--C", "1"]
    paper += ["--alpha", "10", "--loss", "ramp3"]
    one = run(tmp_path, "one", *given, *FIXED[:2])
    two = run(tmp_path, "two", *given, *FIXED[:2], *paper)
    assert Path(one).read_bytes() == Path(two).read_bytes()


@pytest.mark.parametrize("loss", ["ramp3", "hinge"])
def test_one_run_is_the_chain_of_cccp_steps(tmp_path: Path, loss: str) -> None:
    """Hopes, then one inner problem, T' times, as Algorithm 1 has it."""
    records, _ = random_lists(3, n_lists=6, sparse=False)
    lists = write_kbest(tmp_path / "dev.kbest", records)
    (tmp_path / "w0").write_text(WEIGHTS)
    (tmp_path / "ref").write_text("".join(f"{record.text[0]}\n" for record in records))
    origin = os.fspath(tmp_path / "w0")
    cost = ["--alpha", "5", "--loss", loss, "--ref", os.fspath(tmp_path / "ref")]
    flags = ["--solver", "ssd", *cost, "--epochs", "3", "--eta", "0.01", "--center", origin]
    weights = origin
    for step in range(4):
        hope = run(tmp_path, f"{step}.hope", lists, "--weights", weights, *cost)
        given = [lists, "--weights", weights, "--hope", hope]
        weights = run(tmp_path, f"{step}.weights", *given, *flags)
    whole = [lists, "--weights", origin, "--cccp-iterations", "4"]
    one = run(tmp_path, "one", *whole, *flags)
    assert Path(one).read_bytes() == Path(weights).read_bytes()


def test_references_go_to_the_losses_that_ask_for_them(tmp_path: Path) -> None:
    assert "--ref" not in one_iteration.settings(tmp_path, "rampion")
    argv = one_iteration.settings(tmp_path, "rampion", "--loss", "hinge")
    assert argv[-2:] == ["--ref", os.fspath(tmp_path / "ref")]
