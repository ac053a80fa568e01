"""The diagnosis of k-best lists before weights are tuned on them, in one pass over the lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.records.duplicates import first_occurrences, n_different
from campanula.formats.records.kbest import KBest
from campanula.stages.diagnosing.chosen import Chosen, ChosenHypotheses
from campanula.stages.diagnosing.feature_table import FeatureLine, FeatureSums
from campanula.stages.diagnosing.listing import Listing, Others
from campanula.stages.diagnosing.oracle_curve import OracleAt, OracleCurve
from campanula.stages.diagnosing.sizes import Sizes, Spread
from campanula.stages.metrics.metric import Metric


@dataclass(frozen=True, slots=True)
class Lengths:
    """Sizes of lists and texts.

    size, different, words: hypotheses of a list, different texts of a list, words of a hypothesis;
    None where there are no lists.  single: lists of one hypothesis.  empty: texts without a word.
    repeated: hypotheses whose text stands before them in their list.  duplicates: those of them
    whose features do so, too.
    """

    lists: int
    hypotheses: int
    size: Spread | None
    different: Spread | None
    words: Spread | None
    single: int
    empty: int
    repeated: int
    duplicates: int


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A diagnosis; choices and oracles are by `metric`, or by mean gain where it is None."""

    lengths: Lengths
    metric: Metric | None
    choices: Sequence[ChosenHypotheses]
    oracles: Sequence[OracleAt]
    features: Sequence[FeatureLine]
    others: Others | None


def diagnose(
    lists: Iterable[KBest],
    metric: Metric | None = None,
    patterns: Sequence[str] = (),
    source: str = "lists",
) -> Diagnosis:
    """Return the diagnosis of lists, which share one table of names.

    metric: the one that scored them, or None.  patterns: features that get a line (default: the
    dense ones, or all where they are few).  Raises DataError, with `source` as the place, for a
    pattern that matches no feature.
    """
    size = Sizes()
    different = Sizes()
    words = Sizes()
    chosen = Chosen(metric)
    curve = OracleCurve(metric)
    listing = Listing(patterns)
    table = FeatureSums()
    duplicates = 0
    for kbest in listing.watch(lists):
        size.add(np.array([len(kbest)]))
        n = n_different(kbest.text)
        different.add(np.array([n]))
        if n < len(kbest):
            duplicates += len(kbest) - len(first_occurrences(kbest))
        words.add(chosen.add(kbest))
        curve.add(kbest)
        table.add(kbest, listing.ids)
    listing.check(source)
    return Diagnosis(
        _lengths(size, different, words, duplicates),
        metric,
        chosen.choices(),
        curve.values(),
        table.lines(listing.names),
        listing.others(table.entries),
    )


def _lengths(size: Sizes, different: Sizes, words: Sizes, duplicates: int) -> Lengths:
    """Return the lengths, of counts of hypotheses, of different texts, and of words."""
    return Lengths(
        lists=size.n,
        hypotheses=size.total,
        size=size.spread(),
        different=different.spread(),
        words=words.spread(),
        single=size.count(1),
        empty=words.count(0),
        repeated=size.total - different.total,
        duplicates=duplicates,
    )
