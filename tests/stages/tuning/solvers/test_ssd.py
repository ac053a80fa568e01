"""Against a slow reading of Algorithm 1: tests/stages/test_optimize.py."""

from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.solvers.ssd import SSD, SsdSettings
from campanula.stages.tuning.tune import objective_of
from campanula.stages.tuning.tuning_set import TuningSet
from tests.stages.tuning.solvers.inner import hard_optimum, objective


def test_many_small_steps_come_near_the_optimum():
    inner, theta = objective("ramp3")
    found = SSD.solve(inner, theta, SsdSettings(epochs=5000, eta=0.002)).theta
    assert inner.value(found) == pytest.approx(hard_optimum(inner), rel=2e-2)


def test_the_initial_weights_stay_as_they_are():
    inner, theta = objective("ramp3")
    before = theta.copy()
    found = SSD.solve(inner, theta).theta
    assert np.array_equal(theta, before)
    assert not np.array_equal(found, before)


def test_a_list_that_reaches_no_reference_shrinks_theta_all_the_same():
    """Two lists, of which one has a hope, and no slope: (1 - 1 * 0.5 / 2) twice."""
    names, rows = Names(), [{"f": 1.0}, {"f": 1.0}]
    whole, gain = Features.of(rows, names), np.array([0.5, 0.5])
    lists = [KBest(i, Texts.of(["a", "b"]), whole, names, gain=gain) for i in range(2)]
    for reached in (2, 1):
        inner = Hopes(np.array([0, 1, reached]), np.zeros(reached, int), np.ones(reached))
        plan = TuneSettings(loss="hinge", C=0.5).plan(references=True)
        start = replace(objective_of(TuningSet.of(lists), plan, np.zeros(1)), hopes=inner)
        found = SSD.solve(start, np.ones(1), SsdSettings(epochs=1, eta=1.0)).theta
        assert found == pytest.approx(0.5625)


def test_a_step_that_shrinks_all_of_theta_away_is_refused():
    inner, theta = objective("ramp3", C=3.0)
    with pytest.raises(Misfit, match="`eta` times `C`"):
        SSD.solve(inner, theta, SsdSettings(eta=2.0))
