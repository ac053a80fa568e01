"""The loop around every tuner: decode, score, perhaps merge with earlier lists, find new weights.

    for t = 1 .. T:
        K_i = k best hypotheses of source i under theta        decode
        gains of K_i against the references                    score-bleu
        K_i = K_i and the earlier lists                        merge-kbest, with --merge
        theta = what the tuner makes of K_i and theta          Tuner

(Gimpel & Smith 2012, Algorithm 1, lines 2-4, 16 and 17.)  Each step is a Luigi task; an iteration
is one build of the tasks that its weights and its test values need.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from formats import shelf
from formats.files import Output
from pipelines import digest, history, plot
from pipelines.cache import Cache, remove_temporary
from pipelines.data_set import DataSet
from pipelines.decoder import Decoder, EmbeddedDecoder
from pipelines.evaluation import evaluate
from pipelines.history import Iteration, Values
from pipelines.laps import Laps
from pipelines.stage_task import Leaf, Product, StageTask, stage
from stages import command

Tuner = Callable[[Cache, argparse.Namespace, Product, Product, Product], StageTask]
"""Task that makes new weights of: cache, settings, scored lists, weights, and theta0."""

PHASES = {"decode": "decode", "score-bleu": "score"}  # every other command optimises


@dataclass(frozen=True, slots=True)
class Step:
    """The tasks of one iteration: scored lists, lists to tune on, new weights, scored test sets."""

    scored: StageTask
    lists: StageTask
    weights: StageTask
    tests: dict[str, StageTask]

    @property
    def tasks(self) -> list[StageTask]:
        """What must be there for the iteration to be done."""
        return [self.weights, *self.tests.values()]


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a run comes to: final weights, history, and the seconds of the last evaluation."""

    weights: StageTask
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
        self._laps = Laps(cache, PHASES, "optimise")

    def run(self) -> Tuned:
        """Iterate, evaluate the final weights, write weights, history and curve."""
        done: list[Iteration] = []
        for step in self._steps():
            done.append(self._iterate(len(done) + 1, step))
            self._report(done[-1])
            history.write(self._path("history.jsonl"), done)
        tuned = self._evaluate_tuned(step.weights)
        done[-1] = replace(done[-1], tuned=tuned)
        history.write(self._path("history.jsonl"), done)
        with open(step.weights.path, "rb") as weights, Output(self._path("weights")) as out:
            out.write(weights.read())
        self._conclude(done)
        return Tuned(step.weights, done, self._laps.lap())

    def _path(self, name: str) -> str:
        return os.path.join(self._args.work_dir, name)

    def _steps(self) -> Iterator[Step]:
        """Yield the tasks of every iteration."""
        weights: Product = self._initial
        lists: StageTask | None = None
        for t in range(self._args.iterations):
            scored = self._scored(self._dev, weights, self._args.k)
            lists = self._merged(lists, scored)
            tests = self._tests if t == 0 or self._args.test_at == "each" else []
            scored_tests = {test.name: self._scored(test, weights, 1) for test in tests}
            new = self._tuner(self._cache, self._args, lists, weights, self._initial)
            yield Step(scored, lists, new, scored_tests)
            weights = new

    def _scored(self, data: DataSet, weights: Product, k: int) -> StageTask:
        return data.scored(self._cache, self._decoder, weights, k, self._args)

    def _merged(self, earlier: StageTask | None, scored: StageTask) -> StageTask:
        if earlier is None or not self._args.merge:
            return scored
        return stage(self._cache, "merge-kbest", earlier, scored, suffix=".kbest")

    def _iterate(self, number: int, step: Step) -> Iteration:
        """Build an iteration's tasks and say what came out; what is known already is kept."""
        named = (step.scored, step.lists, *step.tasks)
        name = digest.of("iteration", *(task.digest for task in named))
        record = os.path.join(self._cache.folder, f"iteration-{name}.json")
        if step.weights.complete() and os.path.exists(record):
            return history.read(record)[0]
        with shelf.holding(step.lists.path):
            self._cache.build(step.tasks)
        dev = evaluate(step.scored.path)
        lists = dev if step.lists is step.scored else evaluate(step.lists.path)
        entry = Iteration(
            iteration=number,
            dev=dev.value,
            test={name: evaluate(task.path).value for name, task in step.tests.items()},
            objective=objective(step.weights.path),
            lists=lists.lists,
            hypotheses=lists.hypotheses,
            seconds=self._laps.lap(),
        )
        history.write(record, [entry])
        return entry

    def _evaluate_tuned(self, weights: StageTask) -> Values:
        """Corpus metric of dev and test sets under the final weights."""
        dev = self._scored(self._dev, weights, 1)
        tests = {test.name: self._scored(test, weights, 1) for test in self._tests}
        self._cache.build([dev, *tests.values()])
        found = {name: evaluate(task.path).value for name, task in tests.items()}
        return Values(evaluate(dev.path).value, found)

    def _report(self, entry: Iteration) -> None:
        counts = f"objective {entry.objective:.6g}" if entry.objective is not None else "tuned"
        counts += f" on {entry.hypotheses} hypotheses"
        seconds = ", ".join(f"{phase} {value:.1f} s" for phase, value in entry.seconds.items())
        line = f"iteration {entry.iteration}: {entry.values}; {counts}; {seconds}"
        command.say(self._args, line)

    def _conclude(self, done: Sequence[Iteration]) -> None:
        """Draw the curve, and say what tuning has changed."""
        curve = plot.draw(self._path("curve.png"), done)
        where = f"{self._path('weights')}, {curve or 'no curve (extra `plot`)'}"
        command.say(self._args, f"before: {done[0].values}; tuned: {done[-1].tuned}; {where}")


def objective(path: str) -> float | None:
    """The objective that a weights file states in a comment, `# objective:value`."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# objective:"):
                return float(line.partition(":")[2])
    return None


def tune(args: argparse.Namespace, tuner: Tuner) -> None:
    """Run a loop in its folder."""
    check(args)
    decoder = EmbeddedDecoder(args.decoder_flags, args.jobs)
    with Cache(os.path.join(args.work_dir, "cache")) as cache:
        remove_temporary(args.work_dir)
        Loop(cache, args, decoder, tuner).run()


def check(args: argparse.Namespace) -> None:
    """Raise UsageError for test sets that are not as they should be."""
    names = [test[0] for test in args.test]
    for test in args.test:
        if len(test) < 3:
            raise command.UsageError("--test takes a name, a source, and at least one reference")
    if len({"dev", *names}) <= len(names):
        raise command.UsageError("--test takes a new name each time, and not `dev`")
