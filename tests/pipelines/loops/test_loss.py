"""Any loss and solver, regularised toward where the run started."""

from __future__ import annotations

from pathlib import Path

from tests.pipelines import one_iteration


def test_what_an_iteration_runs(tmp_path: Path) -> None:
    fixed = ["--seed", "1", "--center", "theta0"]
    assert one_iteration.settings(tmp_path, "loss") == fixed


def test_what_can_be_set(tmp_path: Path) -> None:
    more = ["--loss", "ramp2", "--solver", "sgd", "--eta", "0.1"]
    plain = one_iteration.settings(tmp_path, "loss")
    assert one_iteration.settings(tmp_path, "loss", *more) == [*plain, *more]


def test_losses_of_relevant_sets_have_no_center(tmp_path: Path) -> None:
    """The lists so far are a relevant set, too."""
    more = ["--loss", "costmargin", "--update", "eq7", "--no-shuffle"]
    assert one_iteration.settings(tmp_path, "loss", *more) == ["--seed", "1", *more]
