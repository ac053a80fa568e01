"""The tasks of a run before training, and flags that the tasks of training share.

    lists       decode of the training text under lambda, with the inventory of its features
    scored      the same with the gain of He and Deng

The result of a task is sealed under its digest.  So is the inventory: one that a killed
decode left unfinished is removed.
"""

from __future__ import annotations

from dataclasses import dataclass

from campanula.formats.atomic import remove_folder
from campanula.formats.feature_names.template_sets import templates_of
from campanula.pipelines.decoder import EmbeddedDecoder
from campanula.pipelines.expected_bleu.flags import GROWTH
from campanula.pipelines.expected_bleu.model import BaseModel
from campanula.pipelines.expected_bleu.settings import ExpectedBleuSettings
from campanula.pipelines.scorer import MetricSettings, score
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import (
    Argument,
    Leaf,
    Making,
    PathOf,
    Product,
    StageRun,
    StageTask,
    task_of,
)
from campanula.stages.condensing.columns import LearnedColumns

LISTS, INVENTORY = ".kbest", ".features"
GAIN = "he-deng"
BLOCK = "block"  # the template that growth transformation goes by


@dataclass(frozen=True, slots=True)
class BleuTrainingText:
    """Parallel text to train on; alignment: for leave-one-out, else None."""

    source: Product
    target: Product
    alignment: Product | None
    in_parts: bool


@dataclass(frozen=True, slots=True)
class TrainingPoint:
    """One way to train: tau, and eta or None for a solver that has none."""

    tau: str
    eta: str | None

    def __str__(self) -> str:
        return f"tau {self.tau}" + ("" if self.eta is None else f", eta {self.eta}")


@dataclass(frozen=True, slots=True)
class FreshRun(StageRun):
    """A run of a stage that adds to folders; it first removes those that a killed run left."""

    def run(self, cache: Cache, path_of: PathOf) -> None:
        """Run it."""
        for suffix in self.suffixes:
            remove_folder(path_of(suffix))
        StageRun.run(self, cache, path_of)


@dataclass(frozen=True, slots=True)
class ExpectedBleuSteps:
    """Makes the tasks."""

    cache: Cache
    settings: ExpectedBleuSettings
    text: BleuTrainingText
    model: BaseModel
    columns: LearnedColumns

    @property
    def decoder(self) -> EmbeddedDecoder:
        """Decoder of the baseline, for its flags."""
        return EmbeddedDecoder(self.model.given, self.settings.jobs)

    @property
    def free(self) -> tuple[str, ...]:
        """Flags of commands on shards that change no byte: threads, the cache, workers."""
        engine = self.settings.engine if self.text.in_parts else ()
        return (*self.decoder.free, *engine)

    @property
    def features(self) -> tuple[str, ...]:
        """Sparse features of the lists, by the names of --features: growth goes by blocks alone.

        Lists of blocks alone are the same for every way to train.
        """
        given = self.settings.lists.features
        if self.settings.training.solver != GROWTH:
            return given
        return tuple(name for name in given if templates_of(name) == (BLOCK,))[:1]

    def lists(self, weights: Product) -> StageTask:
        """Task that decodes the training text under lambda; `made(INVENTORY)` has the names."""
        settings, text = self.settings, self.text
        own: list[Argument] = [text.source, "--weights", weights, "-k", str(settings.lists.k)]
        if text.alignment is not None:
            own += ["--leave-one-out", text.target, text.alignment, *settings.lists.given]
            # the flag once, then its files, as leaves: the digest covers their bytes
            own += ["--leave-out-text"] if settings.lists.whole else []
            own += [Leaf.of(self.cache, path) for path in settings.lists.whole]
        own += ["--features", ",".join(self.features), *self.decoder.arguments(self.cache)]
        own += ["-o", Making(LISTS), "--inventory", Making(INVENTORY)]
        return task_of(self.cache, FreshRun("decode", tuple(own), self.free))

    def scored(self, lists: StageTask) -> StageTask:
        """Task that gives every hypothesis its gain."""
        settings = self.settings
        engine = settings.engine if self.text.in_parts else ()
        texts = settings.metric  # how dev is read, the training text is, too
        metric = MetricSettings("bleu", GAIN, None, texts.tokenize, texts.lowercase)
        made = lists.made(LISTS)
        return score(self.cache, made, (self.text.target,), metric.flags(), settings.jobs, engine)
