"""Outputs of systems, sentence by sentence, with a metric's statistics and gains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.records.features import NO_IDS, Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.parallel.threads import in_threads

Watch: TypeAlias = Callable[[Iterable[Any], str, int], Iterable[Any]]
"""Yields the items that it gets with a label and their number, perhaps behind a progress bar."""


def no_watch(items: Iterable[Any], label: str, total: int) -> Iterable[Any]:
    """Return the items: no progress bar."""
    return items


@dataclass(frozen=True, slots=True)
class ScoredOutputs:
    """Files of outputs under a metric: statistics (n, files, width), gains (n, files)."""

    metric: Metric
    stats: Ints
    gain: Floats

    @classmethod
    def of_texts(
        cls,
        metric: Metric,
        files: Sequence[Sequence[str]],
        references: References,
        jobs: int = 1,
        watch: Watch = no_watch,
    ) -> ScoredOutputs:
        """Score the lines of files, each as long as the references and in their order."""
        # all files of a sentence as one list, so that its references are numbered and counted once
        lists = watch(side_by_side(files), metric.name, len(references))
        scored = list(in_threads(Scorer(metric, references.by_number()), lists, jobs))
        return cls(
            metric,
            np.stack([kbest.stats for kbest in scored if kbest.stats is not None]),
            np.stack([kbest.gain for kbest in scored if kbest.gain is not None]),
        )


def side_by_side(files: Sequence[Sequence[str]]) -> Iterator[KBest]:
    """Yield every sentence's outputs, one a file, as a list without features."""
    names = Names()
    nothing = Features.of_dense(NO_IDS, np.zeros((0, len(files))))
    for sid, texts in enumerate(zip(*files, strict=True)):
        yield KBest(sid, Texts.of(texts), nothing, names)
