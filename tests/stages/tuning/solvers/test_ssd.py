"""Against a slow reading of Algorithm 1: tests/stages/test_optimize.py."""

import numpy as np
import pytest

from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.solvers.ssd import SSD, SsdSettings
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


def test_a_step_that_shrinks_all_of_theta_away_is_refused():
    inner, theta = objective("ramp3", C=3.0)
    with pytest.raises(Misfit, match="`eta` times `C`"):
        SSD.solve(inner, theta, SsdSettings(eta=2.0))
