"""Lazy regularisation against regularising every weight at every step."""

import numpy as np
import pytest

from campanula.stages.kernels.lists import list_losses
from campanula.stages.kernels.solvers import descent
from campanula.stages.tuning.losses import LOSSES
from tests.stages.kernels.problems import problem

NONE = np.zeros(0)


def steps_of(theta, **changes):
    size = len(theta)
    known = {
        "eta": 0.05, "adaptive": False, "batch": 2, "l2": 0.0, "l1": 0.0,
        "center": np.zeros(size), "free": np.ones(size),
        "low": np.full(size, -np.inf), "high": np.full(size, np.inf),
    }  # fmt: skip
    return descent.DescentSteps(**{**known, **changes})


def slow_epoch(p, theta, formula, order, steps, square):
    """Dense gradients, all weights regularised at every step."""
    theta, n = theta.copy(), len(order)
    for start in range(0, n, steps.batch):
        batch = order[start : start + steps.batch]
        gradient = np.zeros_like(theta)
        for i in batch:
            one = np.zeros_like(theta)
            add_loss_gradient(p, theta, formula, int(i), one)
            gradient += one
        gradient *= steps.free
        square += gradient**2
        rate = np.full(len(theta), steps.eta)
        if steps.adaptive:
            rate = steps.eta / np.sqrt(square + 1e-12)
        theta -= rate * gradient
        pull = rate * len(batch) / n * steps.free
        theta = theta + pull * steps.l2 * steps.center
        theta = np.sign(theta) * np.maximum(np.abs(theta) - pull * steps.l1, 0.0)
        theta /= 1.0 + pull * steps.l2
        theta = np.clip(theta, steps.low, steps.high)
    return theta


def add_loss_gradient(p, theta, formula, i, gradient):
    from campanula.stages.kernels.lists import scores

    first, last = p.spans()[i]
    s, g = np.empty(last - first), np.empty(last - first)
    scores.score_list(p.lists, i, theta, s)
    list_losses.loss_of_list(p.lists, i, p.targets, formula, NONE, s, g)
    scores.add_rows(p.lists, i, 1.0, g, gradient)


@pytest.mark.parametrize("adaptive", [False, True])
@pytest.mark.parametrize(("l2", "l1"), [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.7, 0.3)])
@pytest.mark.parametrize("name", ["soft-ramp3", "bayes-risk", "pairwise"])
@pytest.mark.parametrize("n", [6, 7])
def test_lazy_regularisation_equals_regularising_every_step(name, l2, l1, adaptive, n):
    """Of seven lists the last batch has one, and half the share of the regularisation."""
    p = problem(71, n_lists=n)
    theta, order = p.theta.copy(), np.random.default_rng(1).permutation(n)
    steps = steps_of(
        theta, l2=l2, l1=l1, adaptive=adaptive, center=np.full(len(theta), 0.1 * (l1 == 0))
    )
    slow_square, state = np.zeros_like(theta), descent.new_state(len(theta))
    expected, formula = theta, LOSSES[name].formula
    whole = descent.LossProblem(p.lists, p.targets, formula, NONE)
    for _ in range(3):
        expected = slow_epoch(p, expected, formula, order, steps, slow_square)
        descent.descend(whole, theta, order, n, steps, state)
        descent.settle(theta, steps.batch / n, steps, state)
    assert theta == pytest.approx(expected, abs=1e-12)
    assert state.square == pytest.approx(slow_square, rel=1e-12, abs=1e-12)


def test_a_batch_of_fewer_lists_is_regularised_less():
    """Three lists without a slope, two a step, from 1: 1 / 1.2 and then 1 / 1.1."""
    p = problem(74, n_lists=3)
    theta = np.ones(len(p.theta))
    flat = p.targets._replace(cost=np.zeros_like(p.targets.cost))
    whole = descent.LossProblem(p.lists, flat, LOSSES["bayes-risk"].formula, NONE)
    state, steps = descent.new_state(len(theta)), steps_of(theta, eta=1.0, l2=0.3)
    descent.descend(whole, theta, np.arange(3), 3, steps, state)
    assert theta == pytest.approx(1 / 1.2 / 1.1, abs=1e-15)


def test_bounds_hold_and_what_is_not_free_stays():
    p = problem(73)
    theta, free = p.theta.copy(), np.ones_like(p.theta)
    free[1] = 0.0
    steps = steps_of(theta, eta=5.0, free=free, low=np.full(len(theta), -0.5), l2=0.1)
    theta = np.maximum(theta, -0.5)
    before = theta.copy()
    order, state = np.arange(p.lists.n_lists), descent.new_state(len(theta))
    whole = descent.LossProblem(p.lists, p.targets, LOSSES["ramp3"].formula, NONE)
    descent.descend(whole, theta, order, len(order), steps, state)
    assert theta.min() >= -0.5
    assert theta[1] == before[1]
    assert not np.array_equal(theta, before)
