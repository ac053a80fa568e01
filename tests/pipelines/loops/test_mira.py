"""MIRA: batch MIRA, once an iteration."""

from __future__ import annotations

from pathlib import Path

from tests.pipelines import one_iteration


def test_what_an_iteration_runs(tmp_path: Path) -> None:
    fixed = ["--solver", "batch-mira", "--seed", "1"]
    assert one_iteration.settings(tmp_path, "mira") == fixed


def test_what_can_be_set(tmp_path: Path) -> None:
    more = ["--epochs", "3", "--freeze", "LM0"]
    plain = one_iteration.settings(tmp_path, "mira")
    assert one_iteration.settings(tmp_path, "mira", *more) == [*plain, *more]
