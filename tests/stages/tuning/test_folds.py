"""Cross-validation: every list is held out once, and the best values are chosen."""

from __future__ import annotations

import pytest

from campanula.stages.tuning import folds
from campanula.stages.tuning.outcome import MetricOutcome
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.tune import minimise
from campanula.stages.tuning.tuning_set import TuningSet
from tests.examples import random_lists

SETTINGS = TuneSettings(loss="ramp3", solver="ssd", cccp_iterations=2, epochs=2)


def test_every_list_is_held_out_once() -> None:
    found = folds.folds_of(11, 4, seed=3)
    assert sorted(place for fold in found for place in fold) == list(range(11))
    assert [len(fold) for fold in found] == [3, 3, 3, 2]
    assert found == folds.folds_of(11, 4, seed=3)
    assert found != folds.folds_of(11, 4, seed=4)


def test_combinations() -> None:
    found = folds.combinations(SETTINGS, {"C": [1.0, 0.1, 1.0], "eta": [0.5]})
    assert [(one.C, one.eta, one.loss) for one in found] == [
        (1.0, 0.5, "ramp3"),
        (0.1, 0.5, "ramp3"),
    ]
    assert folds.combinations(SETTINGS, {}) == [SETTINGS]


def test_values_equal_those_of_training_by_hand() -> None:
    records, _ = random_lists(seed=1, n_lists=6, sparse=False)
    weights = dict.fromkeys(records[0].names, 0.1)
    asked = folds.combinations(SETTINGS, {"eta": [0.0001, 0.5]})
    found = list(
        folds.cross_validated(folds.FoldedLists(records, weights), asked, 3, lambda some: some)
    )
    for candidate in found:
        gain = 0.0
        for fold in folds.folds_of(6, 3, SETTINGS.seed):
            rest = [record for i, record in enumerate(records) if i not in fold]
            tuned = minimise(TuningSet.of(rest), weights, candidate.settings)
            for i in fold:
                alone = TuningSet.of([records[i]])
                outcome = MetricOutcome(None)
                outcome.add(alone, folds.vector(tuned.weights, alone))
                gain += outcome.gain
        assert candidate.outcome.report().value == pytest.approx(gain / 6)
    goodness = [candidate.outcome.goodness for candidate in found]
    assert folds.best(found) is found[goodness.index(max(goodness))]
    assert str(found[1]).startswith("loss ramp3, eta 0.5: mean gain ")
