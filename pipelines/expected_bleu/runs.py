"""Runs of maximum expected BLEU training in their folder (Wuebker et al. 2015, Figure 1).

What a run leaves in its folder:

    baseline/                   the runs of MERT of the baseline
    rprop-tau1e-4-t10/          those of each system that was trained, and model/ of its tables
    training.jsonl              expected BLEU by tau, eta and iteration
    history.jsonl               systems, a line each (report.py)
    seconds.jsonl               what the commands of each step took, by phase
    model/, weights             the best system, and the weights of its run that is best on dev
    theta, features             its theta_t, and the inventory of its names
    NAME.out, NAME.compare      translations of a text, and how likely differences are by chance
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from campanula.formats.text.parts import TextLines
from campanula.formats.weights import Weights
from campanula.pipelines import convergence
from campanula.pipelines.data_set import DataSet
from campanula.pipelines.expected_bleu import report, run_folder, splitting
from campanula.pipelines.expected_bleu.conclusion import Conclusion, TrainedSystem
from campanula.pipelines.expected_bleu.flags import GROWTH
from campanula.pipelines.expected_bleu.model import BaseModel, LearnedTables
from campanula.pipelines.expected_bleu.report import Line, Times
from campanula.pipelines.expected_bleu.run_folder import MODEL, SECONDS, TRAINING
from campanula.pipelines.expected_bleu.settings import ExpectedBleuSettings
from campanula.pipelines.expected_bleu.splitting import SplitText
from campanula.pipelines.expected_bleu.steps import (
    BLOCK,
    BleuTrainingText,
    ExpectedBleuSteps,
    TrainingPoint,
)
from campanula.pipelines.expected_bleu.systems import BASELINE, MertSystem, Systems, start_of
from campanula.pipelines.expected_bleu.training import Training, reached, training_of
from campanula.pipelines.expected_bleu.training_check import refuse_misfits
from campanula.pipelines.history import seconds_shown
from campanula.pipelines.loops.optimizing import check_flags
from campanula.pipelines.results import HISTORY, WEIGHTS
from campanula.pipelines.runs import speaker
from campanula.pipelines.settings import Files
from campanula.pipelines.tasks.building import Workers
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.laps import Laps
from campanula.pipelines.tasks.progress import Progress
from campanula.pipelines.tasks.stage_task import Leaf, Product, StageTask, task_of
from campanula.stages.command import UsageError
from campanula.stages.condensing.columns import LearnedColumns, columns_of
from campanula.stages.decoding.sparse.flags import templates_of_flags

PHASES = {"decode": "decode", "score-bleu": "score", "condense-features": "condense"}
"""Phase of a command; a command that is not here optimises."""


def tune(settings: ExpectedBleuSettings, workers: Workers) -> None:
    """Run in the folder of the settings."""
    workers.check()
    columns = columns_of(templates_of_flags(settings.lists.features), settings.training.together)
    if settings.training.solver == GROWTH and BLOCK not in columns.templates:
        raise UsageError("--solver growth goes by blocks: expected wuebker-a in --features")
    base = BaseModel.of_flags(settings.decoder)
    run_folder.refuse_places(settings)
    # runs with other solvers or settings may share a cache, whose lists are decoded once
    folder = settings.share or os.path.join(settings.work_dir, "cache")
    with (
        Progress("expected-bleu", settings.quiet) as progress,
        Cache(folder, workers, progress) as cache,
    ):
        run = Run.of(cache, settings, base, columns)
        # before the folder is begun, which moves aside the results of another run
        run.check()
        with run_folder.folder_of(settings).begun(cache):
            run.run()


@dataclass(frozen=True, slots=True)
class Run:
    """A run: its tasks, its systems, and the texts they are tried on."""

    cache: Cache
    settings: ExpectedBleuSettings
    steps: ExpectedBleuSteps
    training: Training
    systems: Systems
    dev: DataSet
    selection: DataSet
    tests: tuple[DataSet, ...]
    laps: Laps
    say: Callable[[str], None]
    times: Times

    @classmethod
    def of(
        cls, cache: Cache, settings: ExpectedBleuSettings, base: BaseModel, columns: LearnedColumns
    ) -> Run:
        """The run of some settings; raises DataError for texts of unequal length."""
        say = speaker(settings.quiet)
        steps = ExpectedBleuSteps(cache, settings, training_text(cache, settings), base, columns)
        dev = DataSet.of(cache, settings.dev)
        chosen_by = settings.selection
        return cls(
            cache,
            settings,
            steps,
            training_of(steps),
            Systems(cache, settings, say),
            dev,
            dev if chosen_by is None else DataSet.of(cache, chosen_by),
            tuple(DataSet.of(cache, test) for test in settings.tests),
            Laps(cache, PHASES, "optimise"),
            say,
            Times.at(os.path.join(settings.work_dir, SECONDS)),
        )

    def check(self) -> None:
        """Check before any work: flags of `optimize`, weights, the training text and its flags.

        Raises UsageError, DataError, or StageFailed where `optimize --check` refuses the flags.
        """
        settings = self.settings
        lists = settings.lists
        refuse_misfits(settings.train, lists.given, lists.whole, self.steps.model.files)
        for point in self.points():
            if (flags := self.training.check(point)) is not None:
                check_flags(self.cache, flags)
        check_flags(self.cache, self.systems.tuner.check())
        if settings.weights is not None:
            Weights.read(settings.weights)

    def points(self) -> Iterator[TrainingPoint]:
        """Yield every pair of tau and eta."""
        training = self.settings.training
        for tau, eta in product(training.tau, training.eta or (None,)):
            yield TrainingPoint(tau, eta)

    def _path(self, name: str) -> str:
        return os.path.join(self.settings.work_dir, name)

    def run(self) -> None:
        """Run all steps, and write the best system."""
        base = self.steps.model
        baseline = self._measured(self.systems.tuned(BASELINE, base.given, self.settings.weights))
        weights = self.systems.best_weights(baseline)
        self._time(BASELINE)
        lines = [Line(BASELINE, baseline.values)]
        report.write(self._path(HISTORY), lines)
        lists = self._lists(weights)
        trained: list[TrainedSystem] = []
        for made in self._trained(lists, weights):
            trained.append(made)
            lines.append(self._line(made, weights))
            report.write(self._path(HISTORY), lines)
            self.say(str(lines[-1]))
        means = [made.system.mean(self.selection.name) for made in trained]
        best = convergence.best(means, self.systems.scorer.higher_is_better)
        conclusion = Conclusion(self.systems, self.training, base, self.dev, self.tests, lines)
        # + 1: the first line is the baseline's
        conclusion.write(baseline, trained[best], lists, best + 1)
        self.say(f"kept: {lines[best + 1]}; {self._path(MODEL)}, {self._path(WEIGHTS)}")
        conclusion.print()

    def _measured(self, system: MertSystem) -> MertSystem:
        if self.selection is self.dev:
            return system
        return self.systems.measured(system, self.selection)

    def _lists(self, weights: Product) -> StageTask:
        """Make the scored lists of the training text; the task of those without gains."""
        lists = self.steps.lists(weights)
        self.say(f"lists of the training text: {self.settings.lists.k}-best")
        self.cache.build([self.steps.scored(lists)])
        self._time("lists")
        return lists

    def _trained(self, lists: StageTask, weights: Product) -> Iterator[TrainedSystem]:
        """Train, condense and run MERT, at each point and for each t."""
        training = self.training
        solver = self.settings.training.solver
        curves: list[tuple[TrainingPoint, str]] = []
        for point in self.points():
            task = training.trained(lists, weights, point)
            curve = training.curve(task, weights, point)
            # the curve needs the training, which is built with it
            self.cache.build([curve])
            curves.append((point, curve.path))
            report.write_curves(self._path(TRAINING), solver, curves)
            # a training that ended early has no later weights; several t may then be one
            at = sorted({min(t, reached(task)) for t in self.settings.mert.at})
            self.cache.build([made for t in at for made in training.condensed(lists, task, t)])
            self._time(f"{solver}, {point}")
            for t in at:
                name = system_name(solver, point, t)
                tables = training.tables(lists, task, t)
                yield TrainedSystem(point, t, task, self._tuned(name, tables, weights))
                self._time(name)

    def _tuned(self, name: str, tables: LearnedTables, weights: Product) -> MertSystem:
        """Run MERT with learned tables, from lambda."""
        names = self.training.names
        flags = self.steps.model.tuned(self._path(os.path.join(name, "model")), tables, names)
        start = start_of(self._path(os.path.join(name, "initial")), weights, names)
        return self._measured(self.systems.tuned(name, flags, start))

    def _line(self, made: TrainedSystem, weights: Product) -> Line:
        curve = report.read_curve(self.training.curve(made.task, weights, made.point).path)
        point = {"tau": made.point.tau, "eta": made.point.eta, **curve[made.t - 1]}
        return Line(self.settings.training.solver, made.system.values, point)

    def _time(self, step: str) -> None:
        """Note and print the seconds of the step that ends here."""
        seconds = self.laps.lap()
        self.times.note(step, seconds)
        spent = {phase: value for phase, value in seconds.items() if value}
        self.say(f"{step}: {seconds_shown(spent) or 'there already'}")


def system_name(solver: str, point: TrainingPoint, t: int) -> str:
    """Name of the folder of a system."""
    eta = "" if point.eta is None else f"-eta{point.eta}"
    return f"{solver}-tau{point.tau}{eta}-t{t}"


def training_text(cache: Cache, settings: ExpectedBleuSettings) -> BleuTrainingText:
    """The training text; texts in one file each are cut into the files of texts in parts."""
    train = settings.train
    data = DataSet.of(cache, Files("train", train.source, (train.target,)))
    texts = [data.source, *data.refs]
    texts += [] if train.alignment is None else [Leaf.of(cache, train.alignment)]
    n = settings.lists.shards
    if n == 1 or any(os.path.isdir(text.path) for text in texts):
        given: list[Product] = [*texts]
        in_parts = os.path.isdir(train.source)
    else:
        n_lines = sum(1 for _ in TextLines(train.source))
        task = task_of(cache, SplitText(tuple(texts), splitting.sizes(n_lines, n)))
        given = [task.made(suffix) for suffix in task.call.work.suffixes]
        in_parts = True
    return BleuTrainingText(given[0], given[1], given[2] if len(given) > 2 else None, in_parts)
