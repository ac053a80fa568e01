"""Annealing: the flags of every step, and where it starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from campanula.pipelines import from_flags, tune
from campanula.pipelines.loops.annealing_flags import AnnealedRecipe, AnnealedTuner
from campanula.stages.command import UsageError
from tests.pipelines.arguments import argv_of
from tests.pipelines.one_iteration import chain

FIXED = ["--loss", "bayes-risk", "--solver", "lbfgs", "--center", "0"]


@pytest.fixture
def tuner_of(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The tuner of the loop, from its flags."""
    caught: list[AnnealedRecipe] = []
    monkeypatch.setattr(from_flags, "tune", lambda _, recipe: caught.append(recipe))

    def of(*more: str) -> AnnealedTuner:
        needed = ["--source", "s", "--ref", "r", "--weights", "w", "--work-dir", "d"]
        args = tune.parser().parse_args(["risk", *needed, *more])
        tune.LOOPS["risk"].RECIPE.tune(args)
        return caught[-1].tuner(from_flags.optimize_flags(args))

    return of


def test_a_step_starts_where_the_one_before_ended(tmp_path: Path, tuner_of: Any) -> None:
    tasks = chain(tmp_path, tuner_of())
    starts = [argv_of(task)[2] for task in tasks]
    assert starts == [os.fspath(tmp_path / "weights"), *(task.path for task in tasks[:-1])]
    assert len(tasks) == 5


def test_what_can_be_set(tmp_path: Path, tuner_of: Any) -> None:
    flags = ["--C", "3", "--alpha", "2", "--C", "0.5"]
    tasks = chain(tmp_path, tuner_of("--doublings", "1", *flags))
    expected = [[*FIXED, *flags, "--C", s] for s in ("2.0", "0.5")]
    assert [argv_of(task)[3:-5] for task in tasks] == expected


def test_without_doublings_it_is_one_optimize(tmp_path: Path, tuner_of: Any) -> None:
    tuner = tuner_of("--doublings", "0", "--C", "0")
    assert [argv_of(task)[3:-5] for task in chain(tmp_path, tuner)] == [
        [*FIXED, "--C", "0", "--C", "0.0"]
    ]
    assert tuner.check() == [*FIXED, "--C", "0"]


def test_without_C_there_is_nothing_to_anneal(tuner_of: Any) -> None:
    with pytest.raises(UsageError, match="expected --doublings 0"):
        tuner_of("--C", "0").check()
