from dataclasses import replace

import numpy as np
import pytest

from campanula.stages.tuning.solvers.lbfgs import LBFGS, LbfgsSettings
from tests.stages.tuning.solvers.inner import SMOOTH, objective, smooth_optimum


@pytest.mark.parametrize("name", SMOOTH)
def test_the_optimum_of_convex_problems_is_found(name):
    inner, theta = objective(name)
    solution = LBFGS.solve(inner, theta, LbfgsSettings(iterations=500, tolerance=1e-9))
    assert inner.value(solution.theta) == pytest.approx(smooth_optimum(inner), abs=1e-6)
    assert solution.reason == "the gradient vanishes"


def test_running_out_of_iterations_is_said():
    inner, theta = objective("log-kbest")
    assert LBFGS.solve(inner, theta, LbfgsSettings(iterations=1)).reason == "iterations done"


def test_theta_of_every_iteration_is_that_of_a_shorter_run():
    inner, theta = objective("log-kbest")
    seen: list[np.ndarray] = []
    watched = replace(inner, after=lambda theta: seen.append(theta.copy()))
    for n in (1, 2, 5):
        seen.clear()
        last = LBFGS.solve(watched, theta, LbfgsSettings(iterations=n)).theta
        assert len(seen) == n
        assert np.array_equal(seen[-1], last)


def test_weights_that_may_not_move_stay():
    inner, theta = objective("log-kbest")
    fixed = np.full(len(theta), 0.25)
    bounds = replace(inner.limits, low=fixed, high=fixed)
    assert np.array_equal(LBFGS.solve(replace(inner, limits=bounds), theta).theta, fixed)
    frozen = replace(inner.limits, free=np.zeros(len(theta)))
    assert np.array_equal(LBFGS.solve(replace(inner, limits=frozen), theta).theta, theta)
