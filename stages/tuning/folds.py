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
"""Settings of which several values may be given."""

Watch = Callable[[Sequence[TuneSettings]], Iterable[TuneSettings]]


@dataclass(frozen=True, slots=True)
class FoldedLists:
    """Scored lists to be divided, with what all trainings on them have in common."""

    records: Sequence[KBest]
    weights: Mapping[str, float]
    metric: Metric | None = None
    references: References | None = None
    center: Mapping[str, float] | float | None = None
    allow_missing: bool = False

    def some(self, chosen: Iterable[int]) -> TuningSet:
        """The lists of these places, in their order."""
        records = [self.records[i] for i in sorted(chosen)]
        return TuningSet.of(records, self.references, self.metric)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Settings, and what the held-out lists come to under them."""

    settings: TuneSettings
    outcome: MetricOutcome

    def __str__(self) -> str:
        given = {name: getattr(self.settings, name) for name in CHOSEN}
        shown = [f"{name} {value}" for name, value in given.items() if value is not None]
        report = self.outcome.report()
        return f"{', '.join(shown) or 'defaults'}: {report.name} {report.shown}"


def combinations(
    settings: TuneSettings, values: Mapping[str, Sequence[object]]
) -> list[TuneSettings]:
    """The settings with every combination of values, in the order given; none: as they are."""
    names = [name for name in CHOSEN if values.get(name)]
    chosen = product(*(dict.fromkeys(values[name]) for name in names))
    return [_with(settings, dict(zip(names, one, strict=True))) for one in chosen]


def _with(settings: TuneSettings, values: Mapping[str, Any]) -> TuneSettings:
    return replace(settings, **values)


def folds_of(n_lists: int, folds: int, seed: int) -> list[list[int]]:
    """Places of the lists of every fold."""
    order = np.random.default_rng(seed).permutation(n_lists).tolist()
    return [order[fold::folds] for fold in range(folds)]


def cross_validated(
    lists: FoldedLists, candidates: Sequence[TuneSettings], folds: int, watch: Watch
) -> Iterator[Candidate]:
    """Yield the candidates with their values on held-out lists.

    Raises what `minimise` raises.
    """
    for settings in watch(candidates):
        found = MetricOutcome(lists.metric)
        places = folds_of(len(lists.records), folds, settings.seed)
        for fold in places:
            others = [i for other in places if other is not fold for i in other]
            data = lists.some(others)
            tuned = minimise(
                data,
                lists.weights,
                settings,
                center=lists.center,
                allow_missing=lists.allow_missing,
            )
            held_out = lists.some(fold)
            found.add(held_out, vector(tuned.weights, held_out))
        yield Candidate(settings, found)


def vector(weights: Mapping[str, float], data: TuningSet) -> Floats:
    """The weights (n_features,) of the features of lists; a feature without one has 0."""
    return np.array([weights.get(name, 0.0) for name in data.names], np.float64)


def best(candidates: Sequence[Candidate]) -> Candidate:
    """The candidate of the highest value, of equal ones the first."""
    return max(candidates, key=lambda candidate: candidate.outcome.goodness)
