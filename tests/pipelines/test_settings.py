"""The settings of a loop are the paper's unless given."""

from __future__ import annotations

import pytest

from campanula.pipelines.convergence import Convergence
from campanula.pipelines.settings import Files, LoopSettings, RunSettings, refuse_taken_names
from campanula.stages.command import UsageError


def test_defaults_are_the_papers() -> None:
    settings = RunSettings("work", Files("dev", "s", ("r",)))
    assert settings.loop == LoopSettings(20, 500, False, "last", "each", 1, Convergence(0.0, 0, 0))
    assert (settings.tests, settings.weights, settings.initial) == ((), None, "default")
    assert (settings.replicates, settings.quiet) == (None, False)


def test_names_of_test_sets_are_new() -> None:
    one, two = (Files(name, "s", ("r",)) for name in ("one", "two"))
    refuse_taken_names([one, two], ["dev"])
    for tests, taken in (([one, one], ["dev"]), ([one, two], ["dev", "two"])):
        with pytest.raises(UsageError, match="a new name each time, and not `dev`"):
            refuse_taken_names(tests, taken)
