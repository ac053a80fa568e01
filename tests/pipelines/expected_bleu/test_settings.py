"""Settings of maximum expected BLEU training."""

from __future__ import annotations

from campanula.pipelines.expected_bleu.flags import SOLVERS
from campanula.pipelines.expected_bleu.settings import (
    ROUNDS,
    ListSettings,
    MertSettings,
    TrainingSettings,
)
from campanula.stages.tuning.solvers.table import SOLVERS as OURS


def test_the_papers_settings_are_the_defaults() -> None:
    assert ListSettings(("wuebker-a",)).k == 100
    assert (TrainingSettings().solver, TrainingSettings().iterations) == ("rprop", 40)
    assert (MertSettings().replicates, MertSettings().at) == (3, (10, 20, 30, 40))


def test_what_optimize_calls_the_iterations_of_its_solvers() -> None:
    for solver, flag in ROUNDS.items():
        assert flag.removeprefix("--") in OURS[solver].reads
    assert set(SOLVERS) - set(ROUNDS) == {"growth"}
