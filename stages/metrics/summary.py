"""Corpus values and mean gains of the first hypotheses and of the oracles of scored lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from campanula.formats.records.kbest import KBest
from campanula.stages.metrics.exact_sum import ExactSum
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.report import Report
from campanula.stages.metrics.scored_lists import has_statistics, oracles

GAIN, ORACLE_GAIN = "gain", "oracle_gain"


class Summary:
    """Corpus values of first hypotheses and of oracles, as text and as JSON.

    Without a metric, or for lists without its statistics, the values are mean gains.
    """

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self._n_lists = self._n_hyps = 0
        self._gains: dict[str, ExactSum] = {}
        self._stats = np.zeros((2, metric.width if metric else 0), np.int64)

    def count(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Yield lists with gains, and count them."""
        for kbest in lists:
            self.count_one(kbest)
            yield kbest

    def count_one(self, kbest: KBest) -> None:
        """Count a list with gains."""
        assert kbest.gain is not None
        self._n_lists += 1
        self._n_hyps += len(kbest)
        # of some lists alone a corpus value would be wrong: one list without the metric's
        # statistics makes all values mean gains
        if self._metric is not None and not has_statistics(kbest, self._metric):
            self._metric = None
        first = 0
        oracle = int(oracles(kbest, self._metric, 1)[0])
        self._add_gain(GAIN, float(kbest.gain[first]))
        self._add_gain(ORACLE_GAIN, float(kbest.gain[oracle]))
        if self._metric is not None and kbest.stats is not None:
            self._stats += kbest.stats[[first, oracle]]
            for name, gain in self._metric.further_gains(kbest.stats[:1]).items():
                self._add_gain(name, float(gain[0]))

    def _add_gain(self, name: str, gain: float) -> None:
        # exact, so that a sum does not depend on which process has counted which lists
        self._gains.setdefault(name, ExactSum()).add(gain)

    def counts(self) -> dict[str, Any]:
        """Return the counts of these lists, in values that JSON can write, for `add`."""
        return {
            "lists": self._n_lists,
            "hypotheses": self._n_hyps,
            "stats": None if self._metric is None else self._stats.tolist(),
            "gains": {name: gain.units for name, gain in self._gains.items()},
        }

    def add(self, counts: Mapping[str, Any]) -> None:
        """Add the counts of other lists; the sums are the same as if all had been counted here."""
        self._n_lists += counts["lists"]
        self._n_hyps += counts["hypotheses"]
        if counts["stats"] is None:
            self._metric = None
        if self._metric is not None:
            self._stats += np.array(counts["stats"], np.int64).reshape(self._stats.shape)
        for name, units in counts["gains"].items():
            self._gains.setdefault(name, ExactSum()).units += units

    def __str__(self) -> str:
        counts = f"{self._n_lists} lists, {self._n_hyps} hypotheses"
        if not self._n_lists:
            return counts
        first, oracle = self._reports()
        return f"{counts}; first: {first.line}; oracle: {oracle.shown}"

    def to_json(self, warning: str | None = None) -> str:
        """Return the summary as JSON; `first`, `oracle` and `gain` are null without lists.

        `gain` is the mean sentence gain of the first hypotheses; the means of the metric's
        `further_gains` stand beside it.  warning: a warning about the texts, or None.
        """
        first, oracle = (
            (report.value for report in self._reports()) if self._n_lists else (None, None)
        )
        return json.dumps(
            {
                "lists": self._n_lists,
                "hypotheses": self._n_hyps,
                "metric": self._metric.name if self._metric else "mean gain",
                "higher_is_better": self._metric is None or self._metric.higher_is_better,
                "first": first,
                "oracle": oracle,
                **self._means(),
                "warning": warning,
            }
        )

    def _means(self) -> dict[str, float | None]:
        """Return the means of the gains of the first hypotheses, by name."""
        names = [GAIN] if self._metric is None else [GAIN, *self._metric.further_gain_names]
        if not self._n_lists:
            return dict.fromkeys(names)
        return {name: self._gains[name].mean(self._n_lists) for name in names}

    def _reports(self) -> list[Report]:
        """Return the report of the first hypotheses, and that of the oracles."""
        if self._metric is not None:
            return [self._metric.report(stats) for stats in self._stats]
        means = [self._gains[name].mean(self._n_lists) for name in (GAIN, ORACLE_GAIN)]
        return [Report("mean gain", (), mean, f"{mean:.4f}") for mean in means]
