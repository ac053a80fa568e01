"""The settings of a loop are the paper's unless given."""

from __future__ import annotations

from campanula.pipelines.convergence import Convergence
from campanula.pipelines.settings import Files, LoopSettings, RunSettings


def test_defaults_are_the_papers() -> None:
    settings = RunSettings("work", Files("dev", "s", ("r",)))
    assert settings.loop == LoopSettings(20, 500, False, "last", "each", 1, Convergence(0.0, 0, 0))
    assert (settings.tests, settings.weights, settings.initial) == ((), None, "default")
    assert (settings.replicates, settings.quiet) == (None, False)
