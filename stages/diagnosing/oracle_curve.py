"""Corpus values of the best of the first k hypotheses of lists, for k = 1, 2, 5, 10, 20, 50, ...

The best hypothesis is that of the highest gain, or for an error rate that of the lowest rate.  A
list with fewer than k hypotheses takes part with all of them.  The last k is the length of the
longest list.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from campanula.formats.records.kbest import KBest
from campanula.stages.metrics.corpus_value import CorpusValue, Value
from campanula.stages.metrics.metric import Metric, best
from campanula.stages.metrics.scored_lists import has_statistics


@dataclass(frozen=True, slots=True)
class OracleAt:
    """Corpus value of the oracles of the first k."""

    k: int
    value: Value


def round_numbers() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50, ..."""
    for power in itertools.count():
        yield from (factor * 10**power for factor in (1, 2, 5))


def oracle_place(kbest: KBest, metric: Metric | None, k: int) -> int:
    """Return the place of the best of the first k hypotheses; ties go to the lower index."""
    assert kbest.gain is not None
    if metric is None or kbest.stats is None or not has_statistics(kbest, metric):
        return int(best(kbest.gain[:k], 1)[0])
    return int(metric.oracles(kbest.gain[:k], kbest.stats[:k], 1)[0])


class OracleCurve:
    """Values of the oracles of the first k, for more values of k as lists become longer."""

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self._numbers = round_numbers()
        self._of_all = CorpusValue(metric)
        self._at: dict[int, CorpusValue] = {}
        self._longest = 0
        self._known = True

    def add(self, kbest: KBest) -> None:
        """Add a list."""
        if kbest.gain is None:
            self._known = False
        if not self._known:
            return
        self._longest = max(self._longest, len(kbest))
        # a new k begins with the sums of whole lists: all before were shorter than k
        while max(self._at, default=0) < self._longest:
            self._at[next(self._numbers)] = self._of_all.copy()
        for k, value in self._at.items():
            value.add(kbest, oracle_place(kbest, self._metric, k))
        self._of_all.add(kbest, oracle_place(kbest, self._metric, len(kbest)))

    def values(self) -> list[OracleAt]:
        """Return the curve by ascending k; empty where a list has no gains."""
        if not self._known or not self._longest:
            return []
        shorter = [OracleAt(k, v.value()) for k, v in self._at.items() if k < self._longest]
        last = OracleAt(self._longest, self._of_all.value())
        return [*shorter, last]
