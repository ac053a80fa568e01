"""Training of the features, and the tables made of them; a class for each way to train.

gradient    theta from 0 by `optimize --loss expected-bleu`, lambda fixed, a folder of
theta_1 .. theta_T; tables by `condense-features`, columns of which weigh 1 at first
growth      both phrase channels of the table from the count model by `growth-transform`, a
folder of tables; no feature is new          (He and Deng 2012; W15 4.1)
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol

from campanula.formats.errors import DataError
from campanula.pipelines.expected_bleu.curve import CurveWork
from campanula.pipelines.expected_bleu.flags import GROWTH, RPROP
from campanula.pipelines.expected_bleu.model import LearnedTables
from campanula.pipelines.expected_bleu.settings import ROUNDS
from campanula.pipelines.expected_bleu.steps import (
    INVENTORY,
    ExpectedBleuSteps,
    FreshRun,
    TrainingPoint,
)
from campanula.pipelines.scorer import SUMMARY
from campanula.pipelines.tasks import digest
from campanula.pipelines.tasks.stage_task import (
    Argument,
    Leaf,
    Making,
    Product,
    StageRun,
    StageTask,
    TaskOutput,
    stage,
    task_of,
)

WEIGHTS, EACH = ".weights", ".each"
TABLE, ORIENTATIONS = ".table.gz", ".orientations.gz"


class Training(Protocol):
    """A way to train."""

    @property
    def names(self) -> list[str]:
        """Names of the dense features that the learned tables add."""
        ...

    def check(self, point: TrainingPoint) -> list[str] | None:
        """Flags of `optimize` for `--check`; None where another command trains."""
        ...

    def trained(self, lists: StageTask, weights: Product, point: TrainingPoint) -> StageTask:
        """Task that trains on scored lists; its folder EACH has the result of each iteration."""
        ...

    def curve(self, trained: StageTask, weights: Product, point: TrainingPoint) -> StageTask:
        """Task that works out expected BLEU after every iteration."""
        ...

    def condensed(self, lists: StageTask, trained: StageTask, t: int) -> list[StageTask]:
        """Tasks that make the tables of iteration t, if they are not there yet."""
        ...

    def tables(self, lists: StageTask, trained: StageTask, t: int) -> LearnedTables:
        """The tables of iteration t."""
        ...

    def theta(self, trained: StageTask, t: int) -> Product | None:
        """The weights theta_t, if there are any."""
        ...


def training_of(steps: ExpectedBleuSteps) -> Training:
    """The way to train that the settings ask for."""
    if steps.settings.training.solver == GROWTH:
        return GrowthTraining(steps)
    return GradientTraining(steps)


def reached(trained: StageTask) -> int:
    """Number of iterations that a training made; raises DataError for none."""
    folder = trained.call.path(EACH)
    # counted, since training may end before the iterations that were asked for
    n = len(os.listdir(folder))
    if not n:
        problem = (
            "expected updates, found none: in every list all gains, or all features, are alike"
        )
        raise DataError(folder, None, problem)
    return n


@dataclass(frozen=True, slots=True)
class GradientTraining:
    """Training by RPROP, SGD or AdaGrad, with the gradient of all lists at once."""

    steps: ExpectedBleuSteps

    @property
    def names(self) -> list[str]:
        """Names of the new columns of the phrase table, and of the scores of a reordering table."""
        return self.steps.model.learned_names(self.steps.columns)

    def check(self, point: TrainingPoint) -> list[str]:
        """Flags of `optimize` that say how to train; T updates are made, however small."""
        training = self.steps.settings.training
        flags = ["--loss", "expected-bleu", "--solver", training.solver]
        flags += [ROUNDS[training.solver], str(training.iterations), "--tau", point.tau]
        flags += [] if point.eta is None else ["--eta", point.eta]
        flags += ["--tolerance", "0"] if training.solver == RPROP else []
        return [*flags, *training.optimize]

    def trained(self, lists: StageTask, weights: Product, point: TrainingPoint) -> StageTask:
        """Task of theta_T, theta_1 .. theta_T and the objective of each."""
        steps = self.steps
        own: list[Argument] = [steps.scored(lists), *self.check(point)]
        names = ("--inventory", lists.made(INVENTORY))
        start = stage(steps.cache, "import-weights", weights, *names, suffix=WEIGHTS)
        own += ["--weights", start, *names]
        # training moves sparse weights alone: lambda is that of the baseline (steps 4 and 5)
        own += [word for name in steps.model.features for word in ("--freeze", name)]
        own += ["-o", Making(WEIGHTS), "--save-each", Making(EACH), "--summary", Making(SUMMARY)]
        return task_of(steps.cache, FreshRun("optimize", tuple(own), steps.free))

    def curve(self, trained: StageTask, weights: Product, point: TrainingPoint) -> StageTask:
        """Task that works out expected BLEU after every iteration."""
        given = (trained.made(SUMMARY), trained.made(EACH), weights)
        return task_of(self.steps.cache, CurveWork(*given, self.steps.model.features, point.tau))

    def theta(self, trained: StageTask, t: int) -> Product:
        """The weights theta_t."""
        return _of_folder(trained, f"theta.{t}")

    def condensed(self, lists: StageTask, trained: StageTask, t: int) -> list[StageTask]:
        """The task that makes tables with theta_t."""
        return [self._condensed(lists, trained, t)]

    def _condensed(self, lists: StageTask, trained: StageTask, t: int) -> StageTask:
        steps, settings = self.steps, self.steps.settings
        table = Leaf.of(steps.cache, steps.model.files.phrase_table)
        own: list[Argument] = [self.theta(trained, t), "--inventory", lists.made(INVENTORY)]
        own += ["--phrase-table", table, "--features", ",".join(settings.lists.features)]
        own += [word for group in settings.training.together for word in ("--together", group)]
        own += ["-o", Making(TABLE)]
        if steps.columns.oriented is not None:
            own += ["--orientation-table", Making(ORIENTATIONS)]
        free = tuple(steps.decoder.cache_flags)
        return task_of(steps.cache, StageRun("condense-features", tuple(own), free))

    def tables(self, lists: StageTask, trained: StageTask, t: int) -> LearnedTables:
        """The phrase table, and that of orientations if there is one."""
        path = self._condensed(lists, trained, t).call.path
        oriented = self.steps.columns.oriented
        if oriented is None:
            return LearnedTables(path(TABLE))
        return LearnedTables(path(TABLE), path(ORIENTATIONS), oriented.orientation)


@dataclass(frozen=True, slots=True)
class GrowthTraining:
    """Training by growth transformation of the phrase table, which changes scores 0 and 2."""

    steps: ExpectedBleuSteps

    @property
    def names(self) -> list[str]:
        """No names: the table keeps its columns."""
        return []

    def check(self, point: TrainingPoint) -> None:
        """None: all flags of `growth-transform` go together."""

    def trained(self, lists: StageTask, weights: Product, point: TrainingPoint) -> StageTask:
        """Task of the table after T steps, one after each, and the objective of each."""
        steps, settings = self.steps, self.steps.settings
        table = Leaf.of(steps.cache, steps.model.files.phrase_table)
        own: list[Argument] = [steps.scored(lists), "--phrase-table", table]
        own += ["--weights", weights, "--allow-missing", "--inventory", lists.made(INVENTORY)]
        own += ["--iterations", str(settings.training.iterations), "--tau", point.tau]
        own += ["-o", Making(TABLE), "--save-each", Making(EACH), "--summary", Making(SUMMARY)]
        free = tuple(steps.decoder.free)
        return task_of(steps.cache, FreshRun("growth-transform", tuple(own), free))

    def curve(self, trained: StageTask, weights: Product, point: TrainingPoint) -> StageTask:
        """Task that works out expected BLEU after every iteration."""
        given = (trained.made(SUMMARY), trained.made(EACH), weights)
        return task_of(self.steps.cache, CurveWork(*given, (), None))

    def theta(self, trained: StageTask, t: int) -> None:
        """None: the result of training is the table."""

    def condensed(self, lists: StageTask, trained: StageTask, t: int) -> list[StageTask]:
        """No tasks: the tables are the result of training."""
        return []

    def tables(self, lists: StageTask, trained: StageTask, t: int) -> LearnedTables:
        """The phrase table."""
        return LearnedTables(_of_folder(trained, f"phrase-table.{t}.gz").path)


def _of_folder(trained: StageTask, name: str) -> TaskOutput:
    """A file of the folder that a task of training makes."""
    path = os.path.join(trained.call.path(EACH), name)
    return TaskOutput(trained, path, digest.of(trained.digest, EACH, name))
