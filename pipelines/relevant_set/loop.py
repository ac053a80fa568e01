"""The loop of the relevant set: train on all sets so far, decode, add the outputs as a new set.

The tasks are made in steps.py; pipelines/loops/relevant_set.py has the algorithm.  Here the tasks
are built, one iteration after the other, and values go to the history.  The weights that are best
on dev, or the last ones, become those of the run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace

from campanula.pipelines import convergence, history, plot, translations
from campanula.pipelines.copying import copy
from campanula.pipelines.evaluation import evaluation_of
from campanula.pipelines.history import Iteration, Values
from campanula.pipelines.links import link
from campanula.pipelines.relevant_set import inventories
from campanula.pipelines.relevant_set.steps import RelevantSetStep, RelevantSetSteps
from campanula.pipelines.results import HISTORY, INVENTORY, WEIGHTS
from campanula.pipelines.scorer import SUMMARY
from campanula.pipelines.tasks import digest
from campanula.pipelines.tasks.laps import Laps
from campanula.pipelines.tasks.stage_task import Product, StageTask

PHASES = {
    "decode": "decode",
    "oracle-search": "search",
    "score-bleu": "score",
    "select-violating": "score",
}
"""Phase of a command; a command that is not here optimises."""


@dataclass(frozen=True, slots=True)
class RelevantSetLoop:
    """A run of the loop in a folder; `say` gets a line for every iteration.

    names: the first names of its inventory.
    """

    folder: str
    steps: RelevantSetSteps
    names: tuple[str, ...]
    say: Callable[[str], None]

    def run(self) -> Product:
        """Iterate, choose the final weights, write them with history and curve; return them."""
        steps, settings = self.steps, self.steps.settings
        laps = Laps(steps.cache, PHASES, "optimise")
        sets = self._begin()
        done: list[Iteration] = []
        made: list[RelevantSetStep] = []
        curve = plot.Curve(self.folder, steps.scorer.title)
        steps.cache.progress.expect(settings.iterations + 1 - settings.first)
        for number in range(settings.first, settings.iterations + 1):
            step = steps.step(number, sets)
            done.append(self._iterate(step, laps))
            made.append(step)
            sets = (*sets, step.added)
            steps.cache.progress.advance()
            self.say(done[-1].summary("trained"))
            history.write(self._path(HISTORY), done)
            curve.show(done)
        kept = self._conclude(made, done)
        curve.show(done)
        curve.draw()
        return kept

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def _begin(self) -> tuple[StageTask, ...]:
        """Make truth and first sets, in this order, and the inventory that grows from them."""
        steps = self.steps
        start = steps.start()
        own, grown = steps.decodings.inventory, steps.inventory
        if own is not None and steps.decodings.extends:
            inventories.begin(own, self.names)
        # one after the other: ids are given in the order of the tasks, the same in every run
        for task in start.tasks:
            if own is not None:
                inventories.mend(steps.cache, own, [task])
            steps.cache.build([task])
        if own is not None and grown is not None and own != grown:
            inventories.go_on(own, grown)
        return start.sets

    def _iterate(self, step: RelevantSetStep, laps: Laps) -> Iteration:
        """Build an iteration's tasks and return its entry, which the cache may have already."""
        cache, inventory = self.steps.cache, self.steps.inventory
        if inventory is not None:
            inventories.mend(cache, inventory, [step.scored, step.added])
        name = f"iteration-{digest.of(*(task.digest for task in [step.weights, *step.outputs]))}"
        record = os.path.join(cache.folder, f"{name}.json")
        if cache.whole(name, [record]) and step.scored.complete() and step.added.complete():
            return history.read(record)[0]
        cache.build([step.weights])
        cache.build(step.outputs)
        if self.steps.settings.trim:
            self._trim(step)
        entry = measured(step, self.steps.start().truth)
        entry = replace(entry, seconds=laps.lap([step.weights, *step.outputs]))
        history.write(record, [entry])
        cache.seal(name, [record])
        return entry

    def _trim(self, step: RelevantSetStep) -> None:
        """Remove decoded lists, whose scored copies stay."""
        for task in (step.scored, step.dev, *step.tests.values()):
            for lists in task.requires():
                if isinstance(lists, StageTask) and lists.call.work.command == "decode":
                    self.steps.cache.remove(lists.call.result, lists.call.made())

    def _conclude(self, made: list[RelevantSetStep], done: list[Iteration]) -> Product:
        """Choose the weights that are best on dev, or the last; write them, outputs, history."""
        steps, settings = self.steps, self.steps.settings
        values = [entry.dev for entry in done]
        place = len(done) - 1
        if settings.keep == "best":
            place = convergence.best(values, steps.scorer.higher_is_better)
        step, tuned = made[place], Values(done[place].dev, done[place].test, done[place].also)
        tests = step.tests
        if settings.test_at != "each":
            tests = {test.name: steps.output(test, step.weights) for test in steps.tests}
            tuned = self._tested(step, tests)
        stopped = f"{settings.iterations} iterations done"
        done[-1] = replace(done[-1], tuned=tuned, kept=step.number, stopped=stopped)
        history.write(self._path(HISTORY), done)
        outputs = {"dev": step.dev, **tests}
        steps.cache.build([step.weights, *outputs.values()])
        for name, task in outputs.items():
            translations.write(self._path(f"{name}.out"), task)
        copy(step.weights.path, self._path(WEIGHTS))
        self._link()
        self.say(f"stopped: {stopped}; kept: the weights of iteration {step.number}")
        files = f"{self._path(WEIGHTS)}, {plot.where(self.folder)}"
        self.say(f"first: {done[0].values}; tuned: {tuned}; {files}")
        return step.weights

    def _tested(self, step: RelevantSetStep, tests: dict[str, StageTask]) -> Values:
        """Values of dev and test sets under the kept weights, by all metrics."""
        steps = self.steps
        also = steps.others(step.dev, tests)
        steps.cache.build([*tests.values(), *(t for by in also.values() for t in by.values())])
        return Values(evaluation_of(step.dev).value, values_of(tests), values_by_metric(also))

    def _link(self) -> None:
        """Link to the inventory beside the weights, whose ids are the inventory's."""
        if self.steps.inventory is None:
            return
        link(self.steps.inventory.path, self._path(INVENTORY))


def measured(step: RelevantSetStep, truth: StageTask | None) -> Iteration:
    """Entry of an iteration for the history.

    The summary of `optimize` counts the hypotheses of the truth, too, which are in no set.
    """
    trained = read_summary(step.weights)
    truths = 0 if truth is None else read_summary(truth)["hypotheses"]
    return Iteration(
        step.number,
        evaluation_of(step.dev).value,
        values_of(step.tests),
        trained["objective"],
        int(trained["sentences"]),
        int(trained["hypotheses"] - truths),
        {},
        train=train_value(step.scored),
        also=values_by_metric(step.also) or None,
        new=int(trained["new"]),
    )


def read_summary(task: StageTask) -> dict[str, float]:
    """The JSON summary of a task: numbers by name."""
    with open(task.made(SUMMARY).path, encoding="utf-8") as file:
        summary: dict[str, float] = json.load(file)
    return summary


def train_value(scored: StageTask) -> float:
    """Mean sentence gain of the training outputs, without brevity penalty where there is one."""
    summary = read_summary(scored)
    return summary.get("gain_without_brevity_penalty", summary["gain"])


def values_of(tasks: dict[str, StageTask]) -> dict[str, float]:
    """Corpus metric of scored data sets, by name."""
    return {name: evaluation_of(task).value for name, task in tasks.items()}


def values_by_metric(also: dict[str, dict[str, StageTask]]) -> dict[str, dict[str, float]]:
    """Corpus values by metric, then by data set."""
    return {metric: values_of(tasks) for metric, tasks in also.items()}
