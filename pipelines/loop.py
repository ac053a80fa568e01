"""The loop around every tuner: decode, score, perhaps merge with earlier lists, find new weights.

    for t = 0 .. T - 1:
        K_i = k best hypotheses of source i under theta_t      decode
        gains of K_i against the references                    score-bleu
        K_i = K_i and the earlier lists                        merge-kbest, with --merge
        stop if nothing is new, or nothing gained              pipelines/convergence.py
        theta_t+1 = new weights by the tuner from K_i, theta_t Tuner
        stop if theta_t+1 is theta_t

(Gimpel & Smith 2012, Algorithm 1, lines 2-4, 16 and 17.)  An iteration is two builds of Luigi
tasks: its decoding and scoring, then its weights.  Kept are the last weights or the best on dev.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from typing import Protocol

from campanula.formats.weights import Weights
from campanula.pipelines import convergence, evidence, history, plot, translations
from campanula.pipelines.copying import copy
from campanula.pipelines.data_set import DataSet
from campanula.pipelines.decoder import LoopDecoder
from campanula.pipelines.evaluation import count, evaluation_of, objective
from campanula.pipelines.history import Iteration, Values
from campanula.pipelines.remarks import of_data, of_tuning, warn
from campanula.pipelines.results import HISTORY, WEIGHTS
from campanula.pipelines.room import trim
from campanula.pipelines.scorer import LoopScorer
from campanula.pipelines.settings import SEEDS_A_RUN, RunSettings
from campanula.pipelines.tasks import digest
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.laps import Laps
from campanula.pipelines.tasks.stage_task import Leaf, Product, StageTask, stage

Building = Generator[Iterable[StageTask], None, None]  # yields tasks that must be built first


class Tuner(Protocol):
    """A tuner: makes the task that computes new weights from scored lists."""

    def task(
        self, cache: Cache, lists: Product, weights: Product, origin: Product, seed: int
    ) -> StageTask:
        """Task that makes new weights of scored lists and weights; origin is theta0."""
        ...


@dataclass(frozen=True, slots=True)
class LoopParts:
    """The decoder, the scorer and the tuner of a loop."""

    decoder: LoopDecoder
    scorer: LoopScorer
    tuner: Tuner


PHASES = {
    "decode": "decode",
    "decode-command": "decode",
    "export-weights": "decode",
    "import-nbest": "decode",
    "score-bleu": "score",
    "score-command": "score",
}
"""Phase of a command; the phase of any other command is `optimise`."""


@dataclass(frozen=True, slots=True)
class Step:
    """The tasks of one iteration, the weights it starts from, and the lists of the one before."""

    weights: Product
    scored: StageTask
    lists: StageTask
    tests: dict[str, StageTask]
    new: StageTask
    earlier: StageTask | None

    @property
    def measured(self) -> list[StageTask]:
        """Tasks that are built before the tuner runs: the rules to stop need their values."""
        return [self.scored, self.lists, *self.tests.values()]

    @property
    def merged(self) -> bool:
        """Whether the lists are merged with those of earlier iterations."""
        return self.lists is not self.scored


@dataclass(frozen=True, slots=True)
class LoopResult:
    """Result of a run: final weights, history, and the seconds of the last evaluation."""

    weights: Product
    history: list[Iteration]
    seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class KeptWeights:
    """Weights of iteration `kept`, values under them, tasks that were built for these values."""

    kept: int
    values: Values
    tasks: list[StageTask]
    outputs: dict[str, StageTask]


class Loop:
    """A tuning run: `finish(cache, [Loop(cache, settings, parts, say).run()])`.

    settings.weights must be given; `say` gets a line for every iteration, and some at the end;
    of_all: the curve of all replicates, where this run is one of them.
    """

    def __init__(
        self,
        cache: Cache,
        settings: RunSettings,
        parts: LoopParts,
        say: Callable[[str], None],
        of_all: plot.Curve | None = None,
    ) -> None:
        self._cache = cache
        self._folder = settings.work_dir
        self._settings = settings.loop
        self._shared = settings.replicates is not None  # other replicates may need the first lists
        self._parts = parts
        self._say = say
        self._dev = DataSet.of(cache, settings.dev)
        self._tests = [DataSet.of(cache, test) for test in settings.tests]
        self._initial = Leaf.of(cache, str(settings.weights))
        self._higher = parts.scorer.higher_is_better
        self._stop = replace(settings.loop.stop, higher=self._higher)
        self._laps = Laps(cache, PHASES, "optimise")
        self._done: list[Iteration] = []
        self._warn = partial(warn, cache, say)
        self._curve = plot.Curve(self._folder, parts.scorer.title, of_all)

    def run(self) -> Generator[Iterable[StageTask], None, LoopResult]:
        """Iterate, choose and evaluate the final weights, write weights, history and curve."""
        done = self._done
        theta: list[Product] = [self._initial]
        before: Step | None = None
        for step in self._steps():
            yield from self._iterate(step)
            if step.earlier is None:
                first = {"dev": step.scored, **step.tests}
                yield from evidence.before(self._cache, self._folder, first)
            self._cache.progress.advance()
            self._say(done[-1].summary("measured"))
            history.write(self._path(HISTORY), done)
            self._cache.progress.doing("curve")
            self._curve.show(done)
            if before is not None and self._settings.trim:
                trim(self._cache, [before.scored, before.lists], [step.scored])
            # replicates share the lists of the initial weights: none of them removes these
            before = None if step.earlier is None and self._shared else step
            if done[-1].objective is not None:
                theta.append(step.new)
            if done[-1].stopped:
                break
        # negative where the run stopped early: takes the iterations that are left off the total
        self._cache.progress.expect(len(done) - self._settings.iterations)
        last = yield from self._choose(theta)
        stopped = done[-1].stopped or f"{self._settings.iterations} iterations done"
        done[-1] = replace(done[-1], tuned=last.values, kept=last.kept, stopped=stopped)
        history.write(self._path(HISTORY), done)
        copy(theta[last.kept].path, self._path(WEIGHTS))
        for name, lists in last.outputs.items():
            translations.write(self._path(f"{name}.out"), lists)
        evidence.after(self._folder, theta, step.lists)
        self._conclude()
        return LoopResult(theta[last.kept], done, self._laps.lap(last.tasks))

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _steps(self) -> Iterator[Step]:
        """Yield the tasks of every iteration."""
        settings = self._settings
        weights: Product = self._initial
        lists: StageTask | None = None
        for t in range(settings.iterations):
            scored = self._scored(self._dev, weights, settings.k)
            earlier = lists
            lists = self._merged(earlier, scored)
            tests = self._tests if t == 0 or settings.test_at == "each" else []
            scored_tests = {test.name: self._scored(test, weights, 1) for test in tests}
            seed = SEEDS_A_RUN * settings.seed + t + 1
            new = self._parts.tuner.task(self._cache, lists, weights, self._initial, seed)
            yield Step(weights, scored, lists, scored_tests, new, earlier)
            weights = new

    def _scored(self, data: DataSet, weights: Product, k: int) -> StageTask:
        return data.scored(self._cache, self._parts.decoder, self._parts.scorer, weights, k)

    def _merged(self, earlier: StageTask | None, scored: StageTask) -> StageTask:
        if earlier is None or not self._settings.merge:
            return scored
        return stage(self._cache, "merge-kbest", earlier, scored, suffix=".kbest")

    def _iterate(self, step: Step) -> Building:
        """Build an iteration's tasks and append its entry, which the cache may have already."""
        digests = (task.digest for task in (*step.measured, step.new))
        # the rules to stop are in no task's digest, but decide what the entry says
        name = f"iteration-{digest.of(*digests, *astuple(self._stop))}"
        record = os.path.join(self._cache.folder, f"{name}.json")
        if self._cache.whole(name, [record]):
            entry = history.read(record)[0]
            # an entry with an objective promises weights; where those are gone, they are made again
            if entry.objective is None or step.new.complete():
                self._done.append(entry)
                return
        yield step.measured
        entry = self._measured(step, len(self._done))
        entry = replace(entry, stopped=self._stop.measured([*self._done, entry], step.merged))
        if entry.stopped is None:
            yield [step.new]
            entry = self._improved(step, entry)
        entry = replace(entry, seconds=self._laps.lap([*step.measured, step.new]))
        history.write(record, [entry])
        self._cache.seal(name, [record])
        if step.earlier is not None and step.merged:
            self._drop(step.earlier)
        self._done.append(entry)

    def _measured(self, step: Step, number: int) -> Iteration:
        """Entry of an iteration without its weights: dev and test values, sizes of the lists."""
        dev = evaluation_of(step.scored)
        # every iteration decodes the same texts: what is to be said of them is said once
        if not number:
            scored = {"dev": step.scored, **step.tests}
            for data in (self._dev, *self._tests):
                self._warn(of_data(data, scored[data.name]))
        lists, hypotheses = dev.lists, dev.hypotheses
        if step.merged:
            lists, hypotheses = count(step.lists.path)
        tests = {name: evaluation_of(task).value for name, task in step.tests.items()}
        return Iteration(number, dev.value, tests, None, lists, hypotheses, {})

    def _improved(self, step: Step, entry: Iteration) -> Iteration:
        """The entry with the objective of the new weights, and the reason to stop, if any."""
        before, after = (Weights.read(weights.path) for weights in (step.weights, step.new))
        stopped = self._stop.tuned(before, after)
        return replace(entry, objective=objective(step.new.path), stopped=stopped)

    def _drop(self, lists: StageTask) -> None:
        """Remove merged lists: the newer merged lists contain them."""
        if lists.call.work.command == "merge-kbest":
            self._cache.remove(lists.call.result, lists.call.made())

    def _choose(
        self, theta: Sequence[Product]
    ) -> Generator[Iterable[StageTask], None, KeptWeights]:
        """Choose the weights to keep, and evaluate dev and test sets under them."""
        values = [entry.dev for entry in self._done]
        tasks: list[StageTask] = []
        # no iteration has decoded with the last weights, unless the run stopped after measuring
        if len(theta) > len(values):
            tasks.append(self._scored(self._dev, theta[-1], 1))
            yield tasks
            values.append(evaluation_of(tasks[0]).value)
        best = convergence.best(values, self._higher)
        kept = best if self._settings.keep == "best" else len(theta) - 1
        tests = {test.name: self._scored(test, theta[kept], 1) for test in self._tests}
        # of the kept iteration there is a k-best list already, unless it was trimmed
        k = 1 if self._settings.trim else self._settings.k  # longer lists may be gone
        dev = tasks[0] if kept == len(self._done) else self._scored(self._dev, theta[kept], k)
        yield [dev, *tests.values()]
        of_tests = {name: evaluation_of(task).value for name, task in tests.items()}
        values_kept = Values(values[kept], of_tests)
        return KeptWeights(kept, values_kept, [*tasks, *tests.values()], {"dev": dev, **tests})

    def _conclude(self) -> None:
        """Draw the curve; print why the run stopped, the weights that it keeps, what they gain."""
        self._cache.progress.doing("curve")
        self._curve.show(self._done)
        self._curve.draw()
        last = self._done[-1]
        which = "" if last.kept else ", the initial ones"
        self._say(f"stopped: {last.stopped}; kept: the weights of iteration {last.kept}{which}")
        files = f"{self._path(WEIGHTS)}, {plot.where(self._folder)}"
        if last.tuned is not None:
            self._warn(of_tuning(self._parts.scorer, self._done[0].values, last.tuned))
        self._say(f"before: {self._done[0].values}; tuned: {last.tuned}; {files}")
