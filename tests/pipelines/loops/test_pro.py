"""PRO: a pairwise classifier, regularised toward zero."""

from __future__ import annotations

from pathlib import Path

from tests.pipelines import one_iteration


def test_what_an_iteration_runs(tmp_path: Path) -> None:
    fixed = ["--loss", "pairwise", "--solver", "lbfgs", "--stream", "--seed", "1"]
    fixed += ["--center", "0"]
    assert one_iteration.settings(tmp_path, "pro") == fixed


def test_what_can_be_set(tmp_path: Path) -> None:
    more = ["--C", "0.5", "--pairs-kept", "9"]
    plain = one_iteration.settings(tmp_path, "pro")
    assert one_iteration.settings(tmp_path, "pro", *more) == [*plain, *more]
