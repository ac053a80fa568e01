"""The tasks of a run: its first sets, and those of an iteration.

    start            truth V_K and SET_1 = {z_0}, or SET_1, SET_2 decoded under seeds
    w_l              optimize SET_1 .. SET_l-1 from w_0
    SET_l            outputs of the training text under w_l, with gains; with `violating` the worst

pipelines/loops/relevant_set.py has the algorithm.  A set is made once and never rewritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from campanula.formats.weight_stream import is_weight_stream
from campanula.pipelines.data_set import DataSet
from campanula.pipelines.relevant_set.decodings import Decodings, SetTrainingText
from campanula.pipelines.relevant_set.inventories import inventory_at
from campanula.pipelines.relevant_set.settings import (
    LOSSES,
    ORACLE,
    VIOLATING,
    RelevantLoopSettings,
)
from campanula.pipelines.scorer import SUMMARY, EmbeddedScorer
from campanula.pipelines.settings import SEEDS_A_RUN
from campanula.pipelines.tasks import digest
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Argument, Leaf, Making, Product, StageTask, stage

# in the place of an inventory while digests are taken on which its own path depends
UNKNOWN = Leaf("", "")


@dataclass(frozen=True, slots=True)
class FirstSets:
    """Truth, if there is one, and the first sets."""

    truth: StageTask | None
    sets: tuple[StageTask, ...]

    @property
    def tasks(self) -> list[StageTask]:
        """All tasks, in the order in which they add names to the inventory."""
        return [*([] if self.truth is None else [self.truth]), *self.sets]


@dataclass(frozen=True, slots=True)
class RelevantSetStep:
    """Iteration l: the tasks of weights, training text, dev, tests, by name, and other metrics.

    scored has the outputs of the training text, `added` those of them that become SET_l; also is by
    metric, then by data set.
    """

    number: int
    weights: StageTask
    scored: StageTask
    added: StageTask
    dev: StageTask
    tests: dict[str, StageTask]
    also: dict[str, dict[str, StageTask]]

    @property
    def outputs(self) -> list[StageTask]:
        """All tasks that use the weights."""
        others = [task for tasks in self.also.values() for task in tasks.values()]
        return [self.scored, self.added, self.dev, *self.tests.values(), *others]


@dataclass(frozen=True, slots=True)
class RelevantSetSteps:
    """Makes the tasks.

    decodings.inventory is that of the start; `inventory` the one that grows from it, both None
    without sparse features.  w_0 is `origin`; seeds are weights of dense features.
    """

    cache: Cache
    text: SetTrainingText
    dev: DataSet
    tests: tuple[DataSet, ...]
    decodings: Decodings
    scorer: EmbeddedScorer
    also: dict[str, EmbeddedScorer]
    settings: RelevantLoopSettings
    origin: Product
    seeds: tuple[Product, ...]
    inventory: Leaf | None = None

    @classmethod
    def with_inventories(cls, steps: RelevantSetSteps, names: Sequence[str]) -> RelevantSetSteps:
        """Copy of `steps` with inventories of its own, which begin with `names`; w_0 as a stream.

        The path of an inventory has the digest of the tasks that add names to it.  These name the
        inventory themselves, so their digests are taken once with UNKNOWN in its place.
        """
        unknown = replace(steps, decodings=replace(steps.decodings, inventory=UNKNOWN))
        start = inventory_at(
            steps.cache, digest.of(names, *(task.digest for task in unknown.start().tasks))
        )
        begun = replace(steps, decodings=replace(steps.decodings, inventory=start))
        if not is_weight_stream(steps.origin.path):
            given = (steps.origin, "--inventory", start)
            origin = stage(steps.cache, "import-weights", *given, suffix=".weights")
            begun = replace(begun, origin=origin)
        first = replace(begun, inventory=UNKNOWN)
        step = first.step(steps.settings.first, first.start().sets)
        return replace(begun, inventory=inventory_at(steps.cache, step.added.digest))

    def start(self) -> FirstSets:
        """Truth and first sets."""
        if self.settings.start == ORACLE:
            truth = self._scored(self.decodings.truth(self.text), self.text.data)
            bag = self._scored(self.decodings.bag(self.text, self.settings.seed), self.text.data)
            return FirstSets(truth, (bag,))
        lists = (self.decodings.lists(self.text, weights, 1) for weights in self.seeds)
        return FirstSets(None, tuple(self._scored(task, self.text.data) for task in lists))

    def step(self, number: int, sets: Sequence[StageTask]) -> RelevantSetStep:
        """Tasks of iteration l = `number`, which trains on SET_1 .. SET_l-1."""
        decodings = replace(self.decodings, inventory=self.inventory)
        settings = self.settings
        truth = self.start().truth
        weights = self._trained(sets, truth, SEEDS_A_RUN * settings.seed + number)
        scored = self._scored(decodings.lists(self.text, weights, settings.k), self.text.data)
        added = scored
        if settings.select == VIOLATING and truth is not None:
            added = self._violating(scored, truth, weights)
        # where dev itself is trained on, its lists are the outputs that dev is measured by
        dev = scored
        texts = (self.text.data.source, self.text.data.refs)
        if texts != (self.dev.source, self.dev.refs) or self.text.alignment is not None:
            dev = self.output(self.dev, weights)
        tests: dict[str, StageTask] = {}
        if settings.test_at == "each":
            tests = {test.name: self.output(test, weights) for test in self.tests}
        return RelevantSetStep(number, weights, scored, added, dev, tests, self.others(dev, tests))

    def output(self, data: DataSet, weights: Product) -> StageTask:
        """Task that decodes and scores dev or a test set."""
        decodings = replace(self.decodings, inventory=self.inventory)
        return self._scored(decodings.outputs(data, weights), data)

    def others(
        self, dev: StageTask, tests: dict[str, StageTask]
    ) -> dict[str, dict[str, StageTask]]:
        """Tasks that measure outputs by the other metrics."""
        data = {"dev": self.dev, **{test.name: test for test in self.tests}}
        return {
            metric: {
                name: scorer.scored(self.cache, task, data[name].source, data[name].refs)
                for name, task in {"dev": dev, **tests}.items()
            }
            for metric, scorer in self.also.items()
        }

    def _scored(self, lists: StageTask, data: DataSet) -> StageTask:
        return self.scorer.scored(self.cache, lists, data.source, data.refs)

    def _against(self) -> tuple[Argument, ...]:
        return () if self.inventory is None else ("--inventory", self.inventory)

    def _trained(self, sets: Sequence[Product], truth: Product | None, seed: int) -> StageTask:
        settings: list[Argument] = ["--loss", LOSSES[self.settings.algorithm]]
        settings += [] if truth is None else ["--truth", truth]
        settings += ["--weights", self.origin, "--allow-missing", "--seed", str(seed)]
        settings += [*self.settings.optimize, *self._against()]
        made = ("-o", Making(".weights"), "--summary", Making(SUMMARY))
        free = self.decodings.free
        return stage(self.cache, "optimize", *sets, *settings, *made, free=free)

    def _violating(self, scored: Product, truth: Product, weights: Product) -> StageTask:
        given = (scored, "--truth", truth, "--weights", weights, *self._against())
        return stage(self.cache, "select-violating", *given, suffix=".kbest")
