"""Choose among values of loss, C and eta by cross-validation over the lists.

    for every combination of the values:
        for f = 0 .. F - 1:                  fold f: every F-th list of a random order (seed)
            theta = argmin over the lists of the other folds
            the best hypotheses of fold f under theta
        corpus metric of all of these together

The combination of the highest value is chosen, of equal ones the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.stages.metrics.metric import Metric
from campanula.stages.tuning.outcome import MetricOutcome
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.tune import minimise
from campanula.stages.tuning.tuning_set import TuningSet

CHOSEN = ("loss", "C", "eta")
"""Settings that cross-validation chooses: those of which several values may be given."""

WatchSettings = Callable[[Sequence[TuneSettings]], Iterable[TuneSettings]]
"""Wraps the sequence of settings to try, for instance in a progress bar."""


@dataclass(frozen=True, slots=True)
class FoldedLists:
    """Scored lists to divide into folds, and what all trainings share: weights and the rest."""

    records: Sequence[KBest]
    weights: Mapping[str, float]
    metric: Metric | None = None
    references: References | None = None
    center: Mapping[str, float] | float | None = None
    allow_missing: bool = False

    def subset(self, places: Iterable[int]) -> TuningSet:
        """Return the lists at these places, in the order of the input whatever the order here."""
        records = [self.records[i] for i in sorted(places)]
        return TuningSet.of(records, self.references, self.metric)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Settings, and the corpus metric of the held-out lists under the weights they train."""

    settings: TuneSettings
    outcome: MetricOutcome

    def __str__(self) -> str:
        values = {name: getattr(self.settings, name) for name in CHOSEN}
        shown = [f"{name} {value}" for name, value in values.items() if value is not None]
        report = self.outcome.report()
        return f"{', '.join(shown) or 'defaults'}: {report.name} {report.shown}"


def combinations(
    settings: TuneSettings, values: Mapping[str, Sequence[object]]
) -> list[TuneSettings]:
    """Return the settings with every combination of the values, each once, in the order given.

    Without values this is the settings alone.
    """
    names = [name for name in CHOSEN if values.get(name)]
    # dict.fromkeys drops values that are given twice and keeps the order
    rows = product(*(dict.fromkeys(values[name]) for name in names))
    return [with_values(settings, dict(zip(names, row, strict=True))) for row in rows]


def with_values(settings: TuneSettings, values: Mapping[str, Any]) -> TuneSettings:
    return replace(settings, **values)


def folds_of(n_lists: int, folds: int, seed: int) -> list[list[int]]:
    """Return the places of the lists of every fold: each `folds`-th of a random order."""
    order = np.random.default_rng(seed).permutation(n_lists).tolist()
    # dealt out in turn, so that folds differ by at most one list in size
    return [order[fold::folds] for fold in range(folds)]


def cross_validated(
    lists: FoldedLists, candidates: Sequence[TuneSettings], folds: int, watch: WatchSettings
) -> Iterator[Candidate]:
    """Yield each of the settings with the metric of its held-out lists, all folds together.

    All candidates have the same folds if they have the same seed.  Raises what `minimise` raises.
    """
    for settings in watch(candidates):
        outcome = MetricOutcome(lists.metric)
        places = folds_of(len(lists.records), folds, settings.seed)
        for fold in places:
            others = [i for other in places if other is not fold for i in other]
            data = lists.subset(others)
            tuned = minimise(
                data,
                lists.weights,
                settings,
                center=lists.center,
                allow_missing=lists.allow_missing,
            )
            held_out = lists.subset(fold)
            outcome.add(held_out, vector(tuned.weights, held_out))
        yield Candidate(settings, outcome)


def vector(weights: Mapping[str, float], data: TuningSet) -> Floats:
    """Return the weights (n_features,) of the lists' features; 0 for a feature without a weight.

    Held-out lists may have features that the lists of the training do not have.
    """
    return np.array([weights.get(name, 0.0) for name in data.names], np.float64)


def best(candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate of the best metric; the first of equal ones."""
    return max(candidates, key=lambda candidate: candidate.outcome.goodness)
