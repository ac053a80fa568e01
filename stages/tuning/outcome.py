"""The corpus metric of the best-scoring hypothesis of every list.

    metric( sum_i stats of argmax_j theta . f_ij )

Of equal scores the first counts, as in `rerank`.  For lists without statistics it is the mean of
the gains.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.report import Report
from campanula.stages.metrics.table import metric_of
from campanula.stages.tuning.chunks import Chunk
from campanula.stages.tuning.tuning_set import TuningSet


@dataclass(slots=True)
class MetricOutcome:
    """Sums over lists: gains, and statistics (n_stats,) if all lists have them."""

    metric: Metric | None
    n_lists: int = 0
    gain: float = 0.0
    stats: Ints | None = field(default=None)

    def add(self, data: TuningSet, theta: Floats) -> None:
        """Add the best hypotheses of lists under theta (n_features,)."""
        for chunk in data.chunks():
            best = best_of(chunk, theta)
            self.n_lists += len(best)
            # one by one, so that rounding is the same however lists are cut into chunks
            for gain in chunk.gain[best].tolist():
                self.gain += gain
            # statistics of some lists are no corpus value: the mean gain of all takes its place
            if chunk.stats is None:
                self.metric = None
            elif self.metric is not None:
                own = chunk.stats[best].sum(axis=0)
                self.stats = own if self.stats is None else self.stats + own

    def report(self) -> Report:
        """Return the corpus value with its name and the text that is printed."""
        if self.metric is not None and self.stats is not None:
            return self.metric.report(self.stats)
        mean = self.gain / max(self.n_lists, 1)
        return Report("mean gain", (), mean, f"{mean:.4f}")

    @property
    def goodness(self) -> float:
        """The value, negated for an error rate: the higher, the better."""
        value = self.report().value
        return value if self.metric is None or self.metric.higher_is_better else -value


def best_of(chunk: Chunk, theta: Floats) -> Ints:
    """Return the row of the best-scoring hypothesis of every list, (n_lists,); ties: the first."""
    from campanula.stages.kernels.lists.scores import score_lists

    score = score_lists(chunk.lists, theta)
    pointer = chunk.lists.list_pointer.tolist()
    starts = pairwise(pointer)
    return np.array([start + int(score[start:end].argmax()) for start, end in starts], np.int64)


def outcome(data: TuningSet, theta: Floats) -> MetricOutcome:
    """Return the corpus metric of the lists' best hypotheses under theta (n_features,)."""
    total = MetricOutcome(metric_of(data.scored_by))
    total.add(data, theta)
    return total


def before_and_after(before: MetricOutcome, after: MetricOutcome) -> Iterable[str]:
    """Yield a line with the metric on the lists before and after tuning, and a warning if worse."""
    old = before.report()
    new = after.report()
    yield f"{new.name} of the best hypotheses: {old.shown} before, {new.shown} after"
    if after.goodness < before.goodness:
        yield f"warning: {new.name} is worse on the lists themselves under the new weights"
