"""K-best lists beside their references, and lists with gains: checks, oracles, a summary."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.stages.metrics.metric import Metric, best
from campanula.stages.metrics.report import Report


def with_references(
    lists: Iterable[KBest], source: str, references: References, allow_missing: bool
) -> Iterator[KBest]:
    """Pass the lists on, checking that each has references and each reference a list.

    Raises DataError that names both sides; with allow_missing, references may lack a list.
    """
    expected, ref = 0, references.names[0]
    for kbest in lists:
        if kbest.sid >= len(references):
            problem = f"expected a reference in {ref}, found the end after {len(references)} lines"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        if kbest.sid > expected and not allow_missing:
            raise _no_list(ref, expected, source)
        yield kbest
        expected = kbest.sid + 1
    if expected < len(references) and not allow_missing:
        raise _no_list(ref, expected, source)


def _no_list(ref: str, sid: int, source: str) -> DataError:
    problem = f"expected a k-best list of sentence {sid} in {source}, found none"
    return DataError(ref, f"line {sid + 1}", f"{problem} (--allow-missing accepts that)")


MAX_GAP = 10_000_000  # empty lines: ids beyond that do not number lines


def scored(lists: Iterable[KBest], source: str) -> Iterator[KBest]:
    """Pass the lists on; raises DataError for one without gains."""
    for kbest in lists:
        if kbest.gain is None:
            problem = "expected gains (score-bleu adds them), found none"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        yield kbest


def oracles(kbest: KBest, metric: Metric | None, n: int) -> Ints:
    """Places of a scored list's n best hypotheses, best first; ties go to the lower index.

    A metric goes by its statistics; without one the gains count.
    """
    assert kbest.gain is not None
    if metric is None or not has_statistics(kbest, metric):
        return best(kbest.gain, n)
    return metric.oracles(kbest.gain, kbest.stats, n)


def sound(lists: Iterable[KBest], metric: Metric | None, source: str) -> Iterator[KBest]:
    """Pass the lists on; raises DataError for statistics that are not the metric's."""
    for kbest in lists:
        if metric is not None and kbest.stats is not None:
            check_statistics(kbest.stats, metric, source, f"sentence {kbest.sid}")
        yield kbest


def check_statistics(stats: Ints, metric: Metric, source: str, place: str | None) -> None:
    """Raise DataError for statistics of another width than the metric's, or impossible ones."""
    if stats.shape[1] != metric.width:
        problem = f"expected {metric.width} statistics of {metric.name} a hypothesis"
        raise DataError(source, place, f"{problem}, found {stats.shape[1]}")
    wrong = np.flatnonzero(~metric.possible(stats))
    if len(wrong):
        found = " ".join(map(str, stats[wrong[0]].tolist()))
        problem = f"expected statistics that {metric.name} can have, found {found}"
        raise DataError(source, place, problem)


def has_statistics(kbest: KBest, metric: Metric) -> bool:
    """Whether a list has as many statistics as the metric counts."""
    return kbest.stats is not None and kbest.stats.shape[1] == metric.width


def text_lines(lists: Iterable[KBest], source: str, allow_missing: bool) -> Iterator[str]:
    """Yield the first text of every list as line sid.

    Raises DataError for a sentence without a list, which with allow_missing gives an empty line,
    and for a text that is more than one line.
    """
    expected = 0
    for kbest in lists:
        if kbest.sid > expected and not allow_missing:
            problem = "expected its k-best list, found none (--allow-missing: an empty line)"
            raise DataError(source, f"sentence {expected}", problem)
        if kbest.sid - expected > MAX_GAP:
            problem = f"expected no more than {MAX_GAP} missing, found the next to be {kbest.sid}"
            raise DataError(source, f"sentence {expected}", problem)
        yield from [""] * (kbest.sid - expected)
        text = kbest.text[0]
        if "\n" in text:
            problem = "expected one line of text, found a line end in it"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        yield text
        expected = kbest.sid + 1


class Summary:
    """Corpus values of the first hypotheses and of the oracles, in words and as JSON.

    Without a metric, or for lists without its statistics, the mean gains.
    """

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self._n_lists = self._n_hyps = 0
        self._gain = np.zeros(2)
        self._stats = np.zeros((2, metric.width if metric else 0), np.int64)

    def count(self, lists: Iterable[KBest]) -> Iterator[KBest]:
        """Pass lists with gains on and count them."""
        for kbest in lists:
            assert kbest.gain is not None
            self._n_lists += 1
            self._n_hyps += len(kbest)
            if self._metric is not None and not has_statistics(kbest, self._metric):
                self._metric = None
            places = [0, int(oracles(kbest, self._metric, 1)[0])]
            self._gain += kbest.gain[places]
            if self._metric is not None and kbest.stats is not None:
                self._stats += kbest.stats[places]
            yield kbest

    def counts(self) -> dict[str, Any]:
        """What was counted, as JSON writes it: of a part of the lists, for `add`."""
        stats = None if self._metric is None else self._stats.tolist()
        return {"lists": self._n_lists, "hypotheses": self._n_hyps, "stats": stats}

    def add(self, counts: Mapping[str, Any]) -> bool:
        """Add what was counted of other lists; False where the order of a sum of gains matters.

        It does for lists without the metric's statistics, whose gains have no exact sum.
        """
        if counts["stats"] is None:
            return False
        self._n_lists += counts["lists"]
        self._n_hyps += counts["hypotheses"]
        self._stats += np.array(counts["stats"], np.int64).reshape(self._stats.shape)
        return True

    def __str__(self) -> str:
        counts = f"{self._n_lists} lists, {self._n_hyps} hypotheses"
        if not self._n_lists:
            return counts
        first, oracle = self._reports()
        return f"{counts}; first: {first.line}; oracle: {oracle.shown}"

    def to_json(self, warning: str | None = None) -> str:
        """The same for programs; `first` and `oracle` are null where there are no lists.

        warning is what is to be said of the texts, if anything.
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
                "warning": warning,
            }
        )

    def _reports(self) -> list[Report]:
        """Of the first hypotheses, and of the oracles."""
        if self._metric is not None:
            return [self._metric.report(stats) for stats in self._stats]
        means = (self._gain / self._n_lists).tolist()
        return [Report("mean gain", (), mean, f"{mean:.4f}") for mean in means]
