"""K-best lists beside their references, and lists with gains: checks and oracles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.stages.metrics.metric import Metric, best


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
