"""Scorers of a loop: they give all hypotheses of k-best lists their gains, and corpus values.

A loop knows a scorer by the protocol LoopScorer alone.  A class for another program has the same
methods; its task writes a scored stream and a summary.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Argument, Leaf, Making, Product, StageTask, stage
from campanula.stages.metrics.table import metric_named

SUMMARY = ".json"
MADE = ("-o", Making(".kbest"), "--summary", Making(SUMMARY))
GAIN_COLUMN = "gain-column"  # the metric whose gains another program makes


class LoopScorer(Protocol):
    """A scorer, ours or another program: gives hypotheses of k-best lists their gains."""

    @property
    def title(self) -> str:
        """The metric's name in tables and curves."""
        ...

    @property
    def higher_is_better(self) -> bool:
        """Whether a good system has a high corpus value."""
        ...

    def scored(
        self, cache: Cache, lists: Product, source: Leaf, refs: tuple[Leaf, ...]
    ) -> StageTask:
        """Task that adds statistics and gains to lists; `made(SUMMARY)` is their summary."""
        ...


@dataclass(frozen=True, slots=True)
class MetricSettings:
    """A metric and how it reads texts, as flags of `score-bleu`; None: the default of the flag."""

    metric: str = "bleu"
    gain: str | None = None
    smooth_value: str | None = None
    tokenize: str = "none"
    lowercase: bool = False
    meteor: tuple[str, ...] = ()
    wordnet: str | None = None

    @property
    def compares_texts(self) -> bool:
        """Whether the metric compares texts with references; else another program gives gains."""
        return metric_named(self.metric).compares_texts

    def flags(self) -> list[str]:
        """The flags of `score-bleu`."""
        flags = ["--metric", self.metric, "--tokenize", self.tokenize]
        flags += ["--gain", self.gain] if self.gain else []
        flags += ["--smooth-value", self.smooth_value] if self.smooth_value else []
        flags += ["--lowercase"] if self.lowercase else []
        return [*flags, *self.meteor]

    def corpus_flags(self) -> list[str]:
        """The flags of `compare`, which has corpus values alone: none for the sentence gain."""
        flags = ["--metric", self.metric, "--tokenize", self.tokenize]
        flags += ["--lowercase"] if self.lowercase else []
        wordnet = [] if self.wordnet is None else ["--meteor-wordnet", self.wordnet]
        return [*flags, *self.meteor, *wordnet]

    def arguments(self, cache: Cache) -> list[Argument]:
        """The flags as arguments of a task, whose digest covers the files of WordNet."""
        if self.wordnet is None:
            return [*self.flags()]
        return [*self.flags(), "--meteor-wordnet", Leaf.of(cache, self.wordnet)]


@dataclass(frozen=True, slots=True)
class EmbeddedScorer:
    """The command `score-bleu` with a metric of ours.

    engine: flags with which workers of dask score the lists of a text in several files.
    """

    settings: MetricSettings
    jobs: int = 1
    engine: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The metric's name."""
        return self.settings.metric.upper()

    @property
    def higher_is_better(self) -> bool:
        """Whether a good system has a high corpus value; an error rate is low."""
        return metric_named(self.settings.metric).higher_is_better

    def scored(
        self, cache: Cache, lists: Product, source: Leaf, refs: tuple[Leaf, ...]
    ) -> StageTask:
        """Task that adds statistics and gains to lists."""
        # workers of dask take a file each: a text in one file cannot be shared out
        engine = self.engine if os.path.isdir(source.path) else ()
        return score(cache, lists, refs, self.settings.arguments(cache), self.jobs, engine)


def score(
    cache: Cache,
    lists: Product,
    refs: Sequence[Product],
    metric: Sequence[Argument],
    jobs: int,
    engine: Sequence[str] = (),
) -> StageTask:
    """Task that runs `score-bleu`."""
    references: list[Argument] = [word for ref in refs for word in ("--ref", ref)]
    free = ("--jobs", str(jobs), *engine)
    return stage(cache, "score-bleu", lists, *references, *metric, *MADE, free=free)
