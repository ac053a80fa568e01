"""Ways to train: their tasks, and what changes the digests of these."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from campanula.formats.errors import DataError
from campanula.pipelines.expected_bleu.settings import MertSettings, TrainingSettings
from campanula.pipelines.expected_bleu.steps import ExpectedBleuSteps, TrainingPoint
from campanula.pipelines.expected_bleu.training import (
    GradientTraining,
    GrowthTraining,
    Training,
    reached,
    training_of,
)
from campanula.pipelines.tasks.stage_task import Leaf, StageTask
from tests.pipelines.arguments import argv_of
from tests.pipelines.expected_bleu.test_steps import LAMBDA, steps_in

POINT = TrainingPoint("1e-4", None)


def trained(steps: ExpectedBleuSteps, point: TrainingPoint = POINT) -> StageTask:
    return training_of(steps).trained(steps.lists(LAMBDA), LAMBDA, point)


def test_theta_begins_at_zero_beside_lambda_which_stays(tmp_path: Path) -> None:
    steps = steps_in(tmp_path, training=TrainingSettings(optimize=("--min-count", "2")))
    task = trained(steps)
    argv = argv_of(task)
    expected = ["--loss", "expected-bleu", "--solver", "rprop", "--iterations", "40"]
    assert argv[1:7] == expected
    assert argv[7:13] == ["--tau", "1e-4", "--tolerance", "0", "--min-count", "2"]
    frozen = [name for flag, name in pairwise(argv) if flag == "--freeze"]
    assert tuple(frozen) == steps.model.features
    needed = [one for one in task.requires() if isinstance(one, StageTask)]
    [start] = [one for one in needed if one.call.work.command == "import-weights"]
    assert argv_of(start)[0] == "w"


def test_epochs_on_all_lists_are_the_iterations_of_sgd(tmp_path: Path) -> None:
    steps = steps_in(tmp_path, training=TrainingSettings("sgd", 5))
    argv = argv_of(trained(steps, TrainingPoint("0", "10")))
    assert argv[3:11] == ["--solver", "sgd", "--epochs", "5", "--tau", "0", "--eta", "10"]


def test_one_more_t_redoes_no_training(tmp_path: Path) -> None:
    steps = steps_in(tmp_path)
    digest = trained(steps).digest
    assert trained(steps_in(tmp_path, mert=MertSettings(at=(1,)))).digest == digest
    together = TrainingSettings(together=("a,b",))
    assert trained(steps_in(tmp_path, training=together)).digest == digest
    assert trained(steps, TrainingPoint("0", None)).digest != digest


def test_tables_of_an_iteration(tmp_path: Path) -> None:
    steps = steps_in(tmp_path, training=TrainingSettings(together=("a,b",)))
    training, lists, task = training_of(steps), steps.lists(LAMBDA), trained(steps)
    assert isinstance(training, GradientTraining)
    assert training.names == ["TranslationModel0_4"]
    [condensed] = training.condensed(lists, task, 7)
    argv = argv_of(condensed)
    assert argv[0].endswith(".each/theta.7")
    assert argv[0] == training.theta(task, 7).path
    assert argv[argv.index("--together") + 1] == "a,b"
    assert training.tables(lists, task, 7).phrase_table == condensed.path
    [other] = training.condensed(lists, task, 8)
    assert other.digest != condensed.digest


def test_growth_makes_tables_and_no_features(tmp_path: Path) -> None:
    steps = steps_in(tmp_path, training=TrainingSettings("growth", 5))
    training, lists, task = training_of(steps), steps.lists(LAMBDA), trained(steps)
    assert isinstance(training, GrowthTraining)
    assert training.names == []
    way: Training = training
    assert (way.check(POINT), way.theta(task, 3)) == (None, None)
    assert training.condensed(lists, task, 3) == []
    table = training.tables(lists, task, 3)
    assert os.path.basename(table.phrase_table) == "phrase-table.3.gz"
    argv = argv_of(task)
    assert argv[argv.index("--iterations") + 1] == "5"
    assert argv[argv.index("--weights") + 1] == "w"


def test_how_far_a_training_got(tmp_path: Path) -> None:
    task = trained(steps_in(tmp_path))
    folder = Path(task.call.path(".each"))
    folder.mkdir(parents=True)
    with pytest.raises(DataError, match="expected updates, found none"):
        reached(task)
    (folder / "theta.1").touch()
    assert reached(task) == 1


def test_a_curve_knows_what_is_fixed(tmp_path: Path) -> None:
    steps = steps_in(tmp_path)
    curve = training_of(steps).curve(trained(steps), LAMBDA, POINT)
    assert curve.call.work.command == "expected-bleu"
    other = training_of(steps).curve(trained(steps), Leaf("w", "x"), POINT)
    assert curve.digest != other.digest
