"""What there is to know of k-best lists before weights are looked for, in one pass."""

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
    """Hypotheses of a list, different texts of a list, words of a hypothesis; None of no lists.

    single lists have one hypothesis, empty texts no word; repeated is how many hypotheses have the
    text of one before them in their list, and duplicates how many of those its features, too.
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
    """All of it; choices and oracles are by `metric`, or by mean gain where there is none."""

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
    """The diagnosis of lists, which have one table of names, by the metric that scored them.

    patterns: features that have a line (default: the dense ones, or all where they are few).
    Raises DataError, with `source` as the place, for a pattern that matches none.
    """
    size, different, words = Sizes(), Sizes(), Sizes()
    chosen, curve = Chosen(metric), OracleCurve(metric)
    listing, table = Listing(patterns), FeatureSums()
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
    spreads = (size.spread(), different.spread(), words.spread())
    repeated = size.total - different.total
    lengths = Lengths(
        size.n,
        size.total,
        *spreads,
        size.count(1),
        words.count(0),
        repeated,
        duplicates,
    )
    lines = table.lines(listing.names)
    others = listing.others(table.entries)
    return Diagnosis(lengths, metric, chosen.choices(), curve.values(), lines, others)
