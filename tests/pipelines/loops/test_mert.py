"""MERT: line search on the corpus metric, once an iteration."""

from __future__ import annotations

from pathlib import Path

from tests.pipelines import one_iteration


def test_what_an_iteration_runs(tmp_path: Path) -> None:
    fixed = ["--loss", "cost", "--solver", "line-search", "--trust", "0.005"]
    fixed += ["--seed", "1"]
    assert one_iteration.settings(tmp_path, "mert") == fixed


def test_what_can_be_set(tmp_path: Path) -> None:
    more = ["--restarts", "5", "--trust", "0", "--bounds", "LM0", "0", "1"]
    plain = one_iteration.settings(tmp_path, "mert")
    assert one_iteration.settings(tmp_path, "mert", *more) == [*plain, *more]
