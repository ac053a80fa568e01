from itertools import pairwise

import numpy as np

from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.solvers.cccp import cccp
from campanula.stages.tuning.solvers.lbfgs import LBFGS, LbfgsSettings
from campanula.stages.tuning.solvers.ssd import SSD, SsdSettings
from tests.stages.tuning.solvers.inner import objective, whole_objective


def test_a_loss_never_rises():
    whole, theta = whole_objective(LOSSES["soft-ramp3"])
    values = [whole.value(theta)]
    steps = cccp(whole, theta, LBFGS, LbfgsSettings(iterations=200), 6)
    values.extend(whole.value(solution.theta) for solution in steps)
    assert all(after <= before + 1e-9 for before, after in pairwise(values))
    assert values[-1] < values[0]


def test_hopes_that_are_given_stay():
    inner, theta = objective("ramp3")
    settings = SsdSettings(eta=0.01)
    (solution,) = cccp(inner, theta, SSD, settings, 1)
    assert np.array_equal(solution.theta, SSD.solve(inner, theta, settings).theta)
