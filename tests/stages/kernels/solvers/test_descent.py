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
    return descent.Steps(**{**known, **changes})


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
def test_lazy_regularisation_equals_regularising_every_step(name, l2, l1, adaptive):
    p = problem(71, n_lists=6)
    theta, order = p.theta.copy(), np.random.default_rng(1).permutation(6)
    steps = steps_of(
        theta, l2=l2, l1=l1, adaptive=adaptive, center=np.full(len(theta), 0.1 * (l1 == 0))
    )
    slow_square, state = np.zeros_like(theta), descent.new_state(len(theta))
    expected, formula = theta, LOSSES[name].formula
    whole = descent.LossProblem(p.lists, p.targets, formula, NONE)
    for _ in range(3):
        expected = slow_epoch(p, expected, formula, order, steps, slow_square)
        descent.descend(whole, theta, order, 6, steps, state)
        descent.settle(theta, 6, steps, state)
    assert theta == pytest.approx(expected, abs=1e-12)
    assert state.square == pytest.approx(slow_square, abs=1e-12)


def test_one_batch_of_everything_is_gradient_descent_also_for_expected_bleu():
    p = problem(72)
    theta, loss = p.theta.copy(), LOSSES["expected-bleu"].formula
    gradient = np.zeros_like(theta)
    list_losses.total_loss(p.lists, theta, p.targets, loss, NONE, gradient)
    expected = theta - 0.05 * gradient
    steps, order = steps_of(theta, batch=p.lists.n_lists), np.arange(p.lists.n_lists)
    state, n = descent.new_state(len(theta)), p.lists.n_lists
    whole = descent.LossProblem(p.lists, p.targets, loss, NONE)
    descent.descend(whole, theta, order, n, steps, state)
    assert theta == pytest.approx(expected, abs=1e-12)


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
