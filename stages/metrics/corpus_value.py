"""Corpus metric and mean gain of one hypothesis a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from campanula.formats.records.kbest import KBest
from campanula.stages.metrics.exact_sum import ExactSum
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.report import Report
from campanula.stages.metrics.scored_lists import has_statistics


@dataclass(frozen=True, slots=True)
class Value:
    """Corpus metric, in full and as it is shown, and mean sentence gain; None: not known."""

    metric: float | None = None
    shown: str = ""
    gain: float | None = None


class CorpusValue:
    """Sums of statistics and gains; a sum is unknown once one list lacks the numbers for it."""

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self._stats = np.zeros(metric.width if metric else 0, np.int64)
        self._gain: ExactSum | None = ExactSum()
        self.n_lists = 0

    def copy(self) -> Self:
        """Return a copy of the sums, to which other hypotheses can be added."""
        other = type(self)(self._metric)
        other._stats = self._stats.copy()
        other._gain = None if self._gain is None else ExactSum(self._gain.units)
        other.n_lists = self.n_lists
        return other

    def add(self, kbest: KBest, place: int) -> None:
        """Add the hypothesis at a place of a list."""
        self.n_lists += 1
        if self._metric is not None and not has_statistics(kbest, self._metric):
            self._metric = None
        if self._metric is not None and kbest.stats is not None:
            self._stats += kbest.stats[place]
        if kbest.gain is None:
            self._gain = None
        elif self._gain is not None:
            self._gain.add(float(kbest.gain[place]))

    def report(self) -> Report | None:
        """Return the corpus value; None without lists, or where one lacked its statistics."""
        if self._metric is None or not self.n_lists:
            return None
        return self._metric.report(self._stats)

    def value(self) -> Value:
        """Return the corpus value and the mean gain of all hypotheses added."""
        if not self.n_lists:
            return Value()
        gain = None if self._gain is None else self._gain.mean(self.n_lists)
        report = self.report()
        if report is None:
            return Value(None, "", gain)
        return Value(report.value, report.shown, gain)
