"""The loop around every tuner: decode, score, perhaps merge with earlier lists, find new weights.

    for t = 1 .. T:
        K_i = k best hypotheses of source i under theta        decode
        gains of K_i against the references                    score-bleu
        K_i = K_i and the earlier lists                        merge-kbest, with --merge
        stop if nothing is new, or nothing gained              pipelines/convergence.py
        theta = what the tuner makes of K_i and theta          Tuner
        stop if theta is what it was

(Gimpel & Smith 2012, Algorithm 1, lines 2-4, 16 and 17.)  Each step is a Luigi task; an iteration
is two builds: of what it measures, and of its weights.  The last weights are kept, or those that
were best on dev, theta0 among them.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace

from campanula.formats.files import Output
from campanula.formats.weights import Weights
from campanula.pipelines import convergence, digest, history, plot
from campanula.pipelines.cache import Cache
from campanula.pipelines.convergence import Convergence
from campanula.pipelines.data_set import SUMMARY, DataSet
from campanula.pipelines.decoder import Decoder
from campanula.pipelines.evaluation import Evaluation, count, evaluate
from campanula.pipelines.history import Iteration, Values
from campanula.pipelines.laps import Laps
from campanula.pipelines.stage_task import Leaf, Product, StageTask, stage
from campanula.stages import command
from campanula.stages.metrics.table import metric_named

Tuner = Callable[[Cache, argparse.Namespace, Product, Product, Product], StageTask]
"""Task that makes new weights of: cache, settings, scored lists, weights, and theta0."""

PHASES = {
    "decode": "decode",
    "decode-command": "decode",
    "export-weights": "decode",
    "import-nbest": "decode",
    "score-bleu": "score",
}
"""Phase of a command; a command that is not here optimises."""

SEEDS = 1000  # iteration t of the run with seed s draws with 1000 s + t


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
        """What must be there before new weights are looked for."""
        return [self.scored, self.lists, *self.tests.values()]

    @property
    def merged(self) -> bool:
        """Whether the lists are more than this iteration's own."""
        return self.lists is not self.scored


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a run comes to: final weights, history, and the seconds of the last evaluation."""

    weights: Product
    history: list[Iteration]
    seconds: dict[str, float]


class Loop:
    """A tuning run: `Loop(cache, args, decoder, tuner).run()`."""

    def __init__(
        self, cache: Cache, args: argparse.Namespace, decoder: Decoder, tuner: Tuner
    ) -> None:
        self._cache, self._args, self._decoder, self._tuner = cache, args, decoder, tuner
        self._dev = DataSet.of(cache, "dev", args.source, args.ref)
        self._tests = [DataSet.of(cache, test[0], test[1], test[2:]) for test in args.test]
        self._initial = Leaf.of(cache, args.weights)
        self._higher = metric_named(args.metric).higher_is_better
        self._stop = Convergence(
            args.weights_tolerance, args.new_hypotheses, args.patience, self._higher
        )
        self._laps = Laps(cache, PHASES, "optimise")

    def run(self) -> Tuned:
        """Iterate, choose weights and evaluate them, write weights, history and curve."""
        done: list[Iteration] = []
        theta: list[Product] = [self._initial]
        for step in self._steps():
            done.append(self._iterate(step, done))
            self._report(done[-1])
            history.write(self._path("history.jsonl"), done)
            if done[-1].objective is not None:
                theta.append(step.new)
            if done[-1].stopped:
                break
        kept, tuned = self._choose(theta, done)
        stopped = done[-1].stopped or f"{self._args.iterations} iterations done"
        done[-1] = replace(done[-1], tuned=tuned, kept=kept, stopped=stopped)
        history.write(self._path("history.jsonl"), done)
        with open(theta[kept].path, "rb") as weights, Output(self._path("weights")) as out:
            out.write(weights.read())
        self._conclude(done)
        return Tuned(theta[kept], done, self._laps.lap())

    def _path(self, name: str) -> str:
        return os.path.join(self._args.work_dir, name)

    def _steps(self) -> Iterator[Step]:
        """Yield the tasks of every iteration."""
        weights: Product = self._initial
        lists: StageTask | None = None
        for t in range(self._args.iterations):
            scored = self._scored(self._dev, weights, self._args.k)
            earlier, lists = lists, self._merged(lists, scored)
            each = t == 0 or self._args.test_at == "each"
            tests = self._tests if each else []
            scored_tests = {test.name: self._scored(test, weights, 1) for test in tests}
            args = argparse.Namespace(**vars(self._args))
            args.seed = SEEDS * self._args.seed + t + 1
            new = self._tuner(self._cache, args, lists, weights, self._initial)
            yield Step(weights, scored, lists, scored_tests, new, earlier)
            weights = new

    def _scored(self, data: DataSet, weights: Product, k: int) -> StageTask:
        return data.scored(self._cache, self._decoder, weights, k, self._args)

    def _merged(self, earlier: StageTask | None, scored: StageTask) -> StageTask:
        if earlier is None or not self._args.merge:
            return scored
        return stage(self._cache, "merge-kbest", earlier, scored, suffix=".kbest")

    def _iterate(self, step: Step, done: Sequence[Iteration]) -> Iteration:
        """Build an iteration's tasks and say what came out; what is known already is kept."""
        tasks = [task.digest for task in (*step.measured, step.new)]
        name = digest.of("iteration", *tasks, *astuple(self._stop))
        record = os.path.join(self._cache.folder, f"iteration-{name}.json")
        if os.path.exists(record):
            entry = history.read(record)[0]
            if entry.objective is None or step.new.complete():
                return entry
        entry = self._measure(step, len(done) + 1)
        entry = replace(entry, stopped=self._stop.measured([*done, entry], step.merged))
        if entry.stopped is None:
            entry = self._improve(step, entry)
        entry = replace(entry, seconds=self._laps.lap())
        history.write(record, [entry])
        if step.earlier is not None and step.merged:
            self._drop(step.earlier)
        return entry

    def _measure(self, step: Step, number: int) -> Iteration:
        """Decode and score dev and test sets, and count the lists."""
        self._cache.build(step.measured)
        dev = value_of(step.scored)
        lists, hypotheses = dev.lists, dev.hypotheses
        if step.merged:
            lists, hypotheses = count(step.lists.path)
        tests = {name: value_of(task).value for name, task in step.tests.items()}
        return Iteration(number, dev.value, tests, None, lists, hypotheses, {})

    def _improve(self, step: Step, entry: Iteration) -> Iteration:
        """Find new weights; says whether they are new."""
        self._cache.build([step.new])
        before, after = (Weights.read(weights.path) for weights in (step.weights, step.new))
        stopped = self._stop.tuned(before, after)
        return replace(entry, objective=objective(step.new.path), stopped=stopped)

    def _drop(self, lists: StageTask) -> None:
        """Remove merged lists that are within newer ones."""
        if lists.call.command == "merge-kbest" and lists.complete():
            os.unlink(lists.path)

    def _choose(self, theta: Sequence[Product], done: Sequence[Iteration]) -> tuple[int, Values]:
        """Which weights to keep, and corpus metrics under them; the last may not be known yet."""
        values = [entry.dev for entry in done]
        if len(theta) > len(done):
            dev = self._scored(self._dev, theta[-1], 1)
            self._cache.build([dev])
            values.append(value_of(dev).value)
        last = len(theta) - 1
        best = convergence.best(values, self._higher)
        kept = best if self._args.keep == "best" else last
        tests = {test.name: self._scored(test, theta[kept], 1) for test in self._tests}
        self._cache.build(tests.values())
        found = {name: value_of(task).value for name, task in tests.items()}
        return kept, Values(values[kept], found)

    def _report(self, entry: Iteration) -> None:
        counts = f"objective {entry.objective:.6g}" if entry.objective is not None else "measured"
        counts += f" on {entry.hypotheses} hypotheses"
        seconds = ", ".join(f"{phase} {value:.1f} s" for phase, value in entry.seconds.items())
        line = f"iteration {entry.iteration}: {entry.values}; {counts}; {seconds}"
        command.say(self._args, line)

    def _conclude(self, done: Sequence[Iteration]) -> None:
        """Draw the curve, and say why the run stopped, what it keeps, what tuning has changed."""
        curve = plot.draw(self._path("curve.png"), done, self._args.metric.upper())
        last = done[-1]
        kept = f"iteration {last.kept}" if last.kept else "the beginning"
        command.say(self._args, f"stopped: {last.stopped}; kept: the weights of {kept}")
        files = f"{self._path('weights')}, {curve or 'no curve (extra `plot`)'}"
        command.say(self._args, f"before: {done[0].values}; tuned: {last.tuned}; {files}")


def value_of(scored: StageTask) -> Evaluation:
    """What a scored data set comes to."""
    return evaluate(scored.made(SUMMARY).path)


def objective(path: str) -> float | None:
    """The objective that a weights file states in a comment, `# objective:value`."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# objective:"):
                return float(line.partition(":")[2])
    return None
