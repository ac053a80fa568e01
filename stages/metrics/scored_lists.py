"""K-best lists beside their references, and lists with gains: checks and oracles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.matching import S, key_of, matched, most_are
from campanula.formats.text.references import References
from campanula.stages.metrics.metric import Metric, best


def with_references(
    lists: Iterable[S], source: str, references: References, allow_missing: bool
) -> Iterator[S]:
    """Yield the lists; raises DataError for one without references, and for references without one.

    With allow_missing references may lack a list.
    """
    lists, references = matched(lists, references)
    if references.ids is None:
        # by number, ids of lists are not looked up; if they match most lines after all, it is an
        # error and not a text scored against another sentence
        watched = _in_order(lists, source, references)
        yield from _by_number(watched, source, references, allow_missing)
    else:
        yield from _by_ids(lists, source, references, references.ids, allow_missing)


def _by_ids(
    lists: Iterable[S],
    source: str,
    references: References,
    ids: Mapping[str, int],
    allow_missing: bool,
) -> Iterator[S]:
    ref = references.names[0]
    without = np.ones(len(ids), np.bool_)  # references whose list has not come
    for kbest in lists:
        place = ids.get(key_of(kbest))
        if place is None:
            problem = f"expected a line of {key_of(kbest)!r}, which {source} has, found none"
            raise DataError(ref, None, problem)
        without[place] = False
        yield kbest
    if without.any() and not allow_missing:
        # the first reference that no list has
        place = int(without.argmax())
        problem = f"expected a k-best list of {list(ids)[place]!r} in {source}, found none"
        raise DataError(ref, f"line {place + 1}", f"{problem} (--allow-missing accepts that)")


def _in_order(lists: Iterable[S], source: str, references: References) -> Iterator[S]:
    """Yield the lists; at the end raise DataError if references have ids of most lists, not all.

    The references are taken by number here: the first lists did not show that they have ids.
    """
    ids: list[str] = []
    for kbest in lists:
        if kbest.id is not None:
            ids.append(kbest.id)
        yield kbest
    first_words = references.first_words() if ids else set()
    if ids and most_are(ids, first_words):
        missing = next(key for key in ids if key not in first_words)
        problem = f"expected a line of {missing!r}, which {source} has, found none"
        raise DataError(references.names[0], None, problem)


def _by_number(
    lists: Iterable[S], source: str, references: References, allow_missing: bool
) -> Iterator[S]:
    expected = 0  # number of the next sentence
    ref = references.names[0]
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


def scored(lists: Iterable[KBest], source: str) -> Iterator[KBest]:
    """Yield the lists; raises DataError for one without gains."""
    for kbest in lists:
        if kbest.gain is None:
            problem = "expected gains (score-bleu adds them), found none"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        yield kbest


def oracles(kbest: KBest, metric: Metric | None, n: int) -> Ints:
    """Return the places of a scored list's n best hypotheses, best first.

    They are best by the metric, or by gain where it is None or its statistics are missing.  Ties go
    to the lower index.
    """
    assert kbest.gain is not None
    # lists that another program has scored may have gains alone
    if metric is None or not has_statistics(kbest, metric):
        return best(kbest.gain, n)
    return metric.oracles(kbest.gain, kbest.stats, n)


def sound(lists: Iterable[KBest], metric: Metric | None, source: str) -> Iterator[KBest]:
    """Yield the lists; raises DataError for statistics that the metric cannot have."""
    for kbest in lists:
        if metric is not None and kbest.stats is not None:
            check_statistics(kbest.stats, metric, source, f"sentence {kbest.sid}")
        yield kbest


def check_statistics(stats: Ints, metric: Metric, source: str, place: str | None) -> None:
    """Raise DataError for statistics of another width than the metric's, or impossible ones."""
    if stats.shape[1] != metric.width:
        problem = f"expected {metric.width} statistics of {metric.name} a hypothesis"
        raise DataError(source, place, f"{problem}, found {stats.shape[1]}")
    if not metric.all_possible(stats):
        wrong = np.flatnonzero(~metric.possible(stats))
        actual = " ".join(map(str, stats[wrong[0]].tolist()))
        problem = f"expected statistics that {metric.name} can have, found {actual}"
        raise DataError(source, place, problem)


def has_statistics(kbest: KBest, metric: Metric) -> bool:
    """Whether a list has as many statistics as the metric counts."""
    return kbest.stats is not None and kbest.stats.shape[1] == metric.width
