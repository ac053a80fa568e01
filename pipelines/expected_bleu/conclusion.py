"""Writes the best system of a run: model, weights, translations, comparison with the baseline.

All files are written before the comparison is printed: a killed run has printed nothing.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from campanula.formats.atomic import output_folder
from campanula.pipelines.copying import copy
from campanula.pipelines.data_set import DataSet
from campanula.pipelines.expected_bleu import report
from campanula.pipelines.expected_bleu.model import BaseModel
from campanula.pipelines.expected_bleu.report import Line
from campanula.pipelines.expected_bleu.run_folder import MODEL, THETA
from campanula.pipelines.expected_bleu.steps import INVENTORY as NAMES
from campanula.pipelines.expected_bleu.steps import TrainingPoint
from campanula.pipelines.expected_bleu.systems import BASELINE, MertSystem, Systems
from campanula.pipelines.expected_bleu.training import Training
from campanula.pipelines.links import link
from campanula.pipelines.results import HISTORY, INVENTORY, WEIGHTS
from campanula.pipelines.tasks.stage_task import StageTask
from campanula.stages.command_line import bars


@dataclass(frozen=True, slots=True)
class TrainedSystem:
    """A trained system: tau and eta, the iterations t, the task of training, MERT's results."""

    point: TrainingPoint
    t: int
    task: StageTask
    system: MertSystem


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Writes the best system; dev and tests: data sets to translate; lines: of the history."""

    systems: Systems
    training: Training
    model: BaseModel
    dev: DataSet
    tests: tuple[DataSet, ...]
    lines: list[Line]

    def _path(self, name: str) -> str:
        return os.path.join(self.systems.settings.work_dir, name)

    def write(
        self, baseline: MertSystem, best: TrainedSystem, lists: StageTask, place: int
    ) -> None:
        """Write all files; place: index of the best system among the lines."""
        for test in self.tests:
            for line, system in ((0, baseline), (place, best.system)):
                self.lines[line].add(test.name, self.systems.measured(system, test))
        self.lines[place].keep()
        report.write(self._path(HISTORY), self.lines)  # the names of what is written next
        self._write_translations(best.system)
        for test in self.tests:
            self._compare(baseline, best.system, test)
        self._write_model(best, lists)
        copy(self.systems.best_weights(best.system).path, self._path(WEIGHTS))

    def print(self) -> None:
        """Print the comparison of the best system with the baseline, on each test set."""
        for test in self.tests:
            path = self._path(f"{test.name}.compare")
            with open(path, encoding="utf-8") as text, bars.lines_apart():
                sys.stdout.write(f"{test.name}\n{text.read()}")

    def _write_translations(self, best: MertSystem) -> None:
        """Write translations of dev and tests: NAME.out by the run best on dev, and one a run."""
        own = best.weights.index(self.systems.best_weights(best))
        for data in (self.dev, *self.tests):
            paths = self.systems.translated(best, data)
            for seed, path in enumerate(paths, self.systems.settings.mert.seed):
                copy(path, self._path(f"{data.name}.{seed}.out"))
            copy(paths[own], self._path(f"{data.name}.out"))

    def _compare(self, baseline: MertSystem, tuned: MertSystem, test: DataSet) -> None:
        """Write the comparison on a test set, with p-values, by `compare`."""
        systems = [
            f"{name}={','.join(self.systems.translated(system, test))}"
            for name, system in ((BASELINE, baseline), ("tuned", tuned))
        ]
        refs = [word for ref in test.refs for word in ("--ref", ref.path)]
        metric = self.systems.settings.metric.corpus_flags()
        flags = [*refs, *metric, "-q", "-o", self._path(f"{test.name}.compare")]
        self.systems.cache.run("compare", [*systems, *flags])

    def _write_model(self, best: TrainedSystem, lists: StageTask) -> None:
        """Write the folder of the best model, its theta, and a link to the inventory of theta."""
        folder = self._path(MODEL)
        output_folder(folder)
        tables = report.copied_tables(self.training.tables(lists, best.task, best.t), folder)
        self.model.tuned(folder, tables, self.training.names)
        theta = self.training.theta(best.task, best.t)
        if theta is not None:
            copy(theta.path, self._path(THETA))
            link(lists.call.path(NAMES), self._path(INVENTORY))
