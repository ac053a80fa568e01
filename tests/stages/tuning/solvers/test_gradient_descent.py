from dataclasses import fields

import numpy as np
import pytest

from campanula.stages.tuning.losses import own_loss
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.solvers.gradient_descent import ADAGRAD, SGD, DescentSettings
from tests.stages.tuning.solvers.inner import (
    SMOOTH,
    hard_optimum,
    objective,
    smooth_optimum,
    whole_objective,
)


@pytest.mark.parametrize("name", ["ramp3", "hinge-kbest"])
def test_subgradients_descend_near_the_optimum_of_hard_problems(name):
    inner, theta = objective(name)
    settings = DescentSettings(epochs=4000, eta=0.2, batch_size=0)
    found = min(ADAGRAD.solve(inner, theta, settings).history)
    assert found == pytest.approx(hard_optimum(inner), rel=2e-2)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize(("solver", "eta"), [(SGD, 0.02), (ADAGRAD, 0.1)])
def test_the_optimum_of_smooth_problems_is_found(name, solver, eta):
    inner, theta = objective(name)
    settings = DescentSettings(epochs=3000, eta=eta, batch_size=0)
    found = solver.solve(inner, theta, settings).theta
    assert inner.value(found) == pytest.approx(smooth_optimum(inner), abs=1e-3)


def test_l1_makes_weights_zero():
    inner, theta = objective("pairwise", C=0.0, L1=5.0)
    found = ADAGRAD.solve(inner, theta, DescentSettings(epochs=300, eta=0.1, batch_size=0)).theta
    assert (found == 0.0).sum() >= 2


def test_adagrads_first_step_is_eta_however_small_the_slope():
    """Eq. 4, 5: slopes of a feature of one sentence in millions are no special case."""
    inner, theta = objective("bayes-risk", C=0.0)
    slopes = np.array([1e-9, -1e-7, 3.0, 0.0, *np.ones(len(theta))])[: len(theta)]

    class Tilted(Objective):
        def value_and_gradient(self, theta):
            return 0.0, slopes.copy()

    tilted = Tilted(*(getattr(inner, f.name) for f in fields(inner)))
    settings = DescentSettings(epochs=1, eta=0.1, batch_size=0)
    moved = ADAGRAD.solve(tilted, theta, settings).theta - theta
    assert moved == pytest.approx(-0.1 * np.sign(slopes), abs=1e-12)


@pytest.mark.parametrize("solver", [SGD, ADAGRAD])
def test_shuffled_runs_repeat(solver):
    inner, theta = objective("ramp3")
    settings = DescentSettings(seed=7, shuffle=True, eta=0.01)
    first, second = (solver.solve(inner, theta, settings) for _ in range(2))
    assert np.array_equal(first.theta, second.theta)
    in_order = solver.solve(inner, theta, DescentSettings(eta=0.01))
    assert not np.array_equal(first.theta, in_order.theta)


@own_loss(smooth=True)
def risk(score, cost):
    """Bayes risk, in NumPy."""
    p = np.exp(score - score.max())
    p /= p.sum()
    return p @ cost, p * (cost - p @ cost)


@pytest.mark.parametrize("solver", [SGD, ADAGRAD])
@pytest.mark.parametrize("batch_size", [0, 1, 4])
def test_a_loss_of_ones_own_descends_as_the_compiled_one(solver, batch_size):
    settings = DescentSettings(eta=0.05, batch_size=batch_size, shuffle=True)
    compiled, theta = objective("bayes-risk", C=0.3, L1=0.02)
    own, _ = whole_objective(risk, C=0.3, L1=0.02)
    one, other = (solver.solve(what, theta, settings) for what in (compiled, own))
    assert other.theta == pytest.approx(one.theta, abs=1e-12)
    assert other.history == pytest.approx(one.history, abs=1e-12)
    assert not np.array_equal(one.theta, theta)
