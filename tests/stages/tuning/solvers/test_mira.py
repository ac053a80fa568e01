import numpy as np
import pytest

from campanula.stages.tuning.solvers.mira import MIRA, MiraSettings
from tests.stages.tuning.solvers.inner import hard_optimum, objective


@pytest.mark.parametrize("name", ["ramp3", "hinge-kbest", "perceptron-gamma", "ramp1"])
def test_the_optimum_of_hard_convex_problems_is_found(name):
    inner, theta = objective(name)
    solution = MIRA.solve(inner, theta, MiraSettings(epochs=4000))
    assert inner.value(solution.theta) == pytest.approx(hard_optimum(inner), rel=1e-4, abs=1e-6)


def test_its_own_number_of_epochs_is_done_unless_one_says():
    inner, theta = objective("ramp3")
    assert len(MIRA.solve(inner, theta).history) == 100


def test_shuffled_runs_repeat():
    inner, theta = objective("ramp3")
    settings = MiraSettings(seed=7, shuffle=True, epochs=5)
    first, second = (MIRA.solve(inner, theta, settings) for _ in range(2))
    assert np.array_equal(first.theta, second.theta)
    in_order = MIRA.solve(inner, theta, MiraSettings(epochs=5))
    assert not np.array_equal(first.theta, in_order.theta)
