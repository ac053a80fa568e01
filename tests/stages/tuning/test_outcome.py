"""Corpus values of the best hypotheses, against a slow reading."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.tuning.outcome import MetricOutcome, before_and_after, outcome
from campanula.stages.tuning.tuning_set import TuningSet
from tests.examples import random_lists


def test_the_mean_gain_equals_a_slow_one() -> None:
    records, plain = random_lists(seed=3, n_lists=7)
    data = TuningSet.of(records)
    theta = np.random.default_rng(4).normal(size=len(data.names))
    weight = dict(zip(data.names, theta, strict=True))
    gains = []
    for hypotheses in plain:
        scores = [sum(weight[n] * v for n, v in features.items()) for features, _ in hypotheses]
        gains.append(hypotheses[scores.index(max(scores))][1])
    report = outcome(data, theta).report()
    assert report.value == pytest.approx(sum(gains) / len(gains))
    assert report.name == "mean gain"


def test_what_is_said_of_before_and_after() -> None:
    before, after = MetricOutcome(None, 2, 1.0), MetricOutcome(None, 2, 1.5)
    (line,) = before_and_after(before, after)
    assert line == "mean gain of the best hypotheses: 0.5000 before, 0.7500 after"
    assert len(list(before_and_after(after, before))) == 2
    assert "warning: mean gain is worse" in list(before_and_after(after, before))[1]
    assert len(list(before_and_after(after, after))) == 1
