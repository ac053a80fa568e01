from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.optimize import minimize

from campanula.formats.records.names import Names
from campanula.stages.kernels.lists.scores import score_lists
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.pairs import Sampling
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.solvers import SOLVERS, Settings, cccp, mismatch, rprop
from campanula.stages.tuning.tuning_set import Part, TuningSet
from tests.stages.kernels.problems import problem


def objective(name, seed=81, C=1.0, L1=0.0):
    """Objective of a small problem, with its concave part imputed, and initial weights."""
    p = problem(seed)
    size, n = len(p.theta), p.lists.n_lists
    limits = Restraints(np.ones(size), np.full(size, -np.inf), np.full(size, np.inf))
    loss, part = LOSSES[name], Part(0, p.lists, p.targets.gain, p.targets.reaches, None)
    sizes = np.diff(p.lists.list_pointer)
    data = TuningSet(np.arange(n), sizes, Names(p.names), "test", "", "", None, part)
    sampling = Sampling(40, 5, 0.05, 1)
    whole = Objective(data, loss, 3.0, np.zeros(size), C, L1, limits, sampling).prepared()
    return (whole.impute(p.theta) if loss.has_terms else whole), p.theta


SMOOTH = ["log-kbest", "latent-log", "log", "pairwise"]


def smooth_optimum(inner):
    """Optimum of a smooth convex objective, by another method of scipy's, without our gradient."""
    start = minimize(inner.value, inner.center, method="BFGS", options={"gtol": 1e-9})
    return minimize(inner.value, start.x, method="Nelder-Mead", options={"fatol": 1e-13}).fun


def hard_optimum(inner):
    """Optimum of an objective with maxima as a quadratic program: a slack x_i above each max.

    min (C/2) |theta|^2 + sum_i x_i   with   x_i >= s_ij + factor c_ij - share_i . s_i.
    """
    lists, targets, _ = problem_of = inner.whole()
    size, n, share = len(inner.center), lists.n_lists, problem_of.share
    rows = np.array([score_lists(lists, unit) for unit in np.eye(size)]).T
    slope, level = [], []
    for i in range(n):
        span = slice(*lists.list_pointer[i : i + 2])
        up = share[span] @ rows[span]
        for row, cost in zip(rows[span], targets.cost[span], strict=True):
            slope.append(np.concatenate([up - row, np.eye(n)[i]]))
            level.append(inner.loss.down.factor * cost)
    matrix = np.array(slope)
    part = {"type": "ineq", "fun": lambda x: matrix @ x - level, "jac": lambda x: matrix}
    return minimize(
        lambda x: inner.C / 2 * np.square(x[:size]).sum() + x[size:].sum(),
        np.concatenate([np.zeros(size), np.full(n, 50.0)]),
        jac=lambda x: np.concatenate([inner.C * x[:size], np.ones(n)]),
        constraints=[part],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    ).fun


@pytest.mark.parametrize("name", SMOOTH)
def test_lbfgs_finds_the_optimum_of_convex_problems(name):
    inner, theta = objective(name)
    solution = SOLVERS["lbfgs"].solve(inner, theta, Settings(iterations=500, tolerance=1e-9))
    assert inner.value(solution.theta) == pytest.approx(smooth_optimum(inner), abs=1e-6)
    assert solution.reason == "the gradient vanishes"


@pytest.mark.parametrize("name", ["ramp3", "hinge-kbest", "perceptron-gamma", "ramp1"])
def test_mira_finds_the_optimum_of_hard_convex_problems(name):
    inner, theta = objective(name)
    solution = SOLVERS["mira"].solve(inner, theta, Settings(epochs=4000))
    assert inner.value(solution.theta) == pytest.approx(hard_optimum(inner), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("name", ["ramp3", "hinge-kbest"])
def test_subgradients_descend_near_the_optimum_of_hard_problems(name):
    inner, theta = objective(name)
    settings = Settings(epochs=4000, eta=0.2, batch_size=0)
    found = min(SOLVERS["adagrad"].solve(inner, theta, settings).history)
    assert found == pytest.approx(hard_optimum(inner), rel=2e-2)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("solver", ["sgd", "adagrad", "rprop"])
def test_first_order_solvers_find_the_optimum_of_smooth_problems(name, solver):
    inner, theta = objective(name)
    eta = 0.02 if solver == "sgd" else 0.1
    settings = Settings(epochs=3000, eta=eta, batch_size=0, iterations=3000, tolerance=1e-9)
    found = SOLVERS[solver].solve(inner, theta, settings).theta
    assert inner.value(found) == pytest.approx(smooth_optimum(inner), abs=1e-3)


@pytest.mark.parametrize("solver", [name for name in SOLVERS if not SOLVERS[name].corpus])
def test_frozen_weights_stay_and_the_rest_moves(solver):
    name = "log-kbest" if SOLVERS[solver].smooth_only else "ramp3"
    inner, theta = objective(name)
    free = inner.limits.free.copy()
    free[[0, 3]] = 0.0
    frozen = replace(inner, limits=replace(inner.limits, free=free))
    found = SOLVERS[solver].solve(frozen, theta.copy(), Settings(eta=0.01)).theta
    assert np.array_equal(found[[0, 3]], theta[[0, 3]])
    assert not np.array_equal(found, theta)


@pytest.mark.parametrize("solver", ["sgd", "adagrad", "rprop", "lbfgs"])
def test_bounds_hold(solver):
    name = "log-kbest" if SOLVERS[solver].smooth_only else "ramp3"
    inner, theta = objective(name)
    size = len(theta)
    tight = replace(inner.limits, low=np.full(size, -0.1), high=np.full(size, 0.2))
    found = SOLVERS[solver].solve(replace(inner, limits=tight), theta, Settings(eta=0.5)).theta
    assert found.min() >= -0.1
    assert found.max() <= 0.2


def test_l1_makes_weights_zero():
    inner, theta = objective("pairwise", C=0.0, L1=5.0)
    found = (
        SOLVERS["adagrad"].solve(inner, theta, Settings(epochs=300, eta=0.1, batch_size=0)).theta
    )
    assert (found == 0.0).sum() >= 2


def test_rprop_reverts_a_step_that_went_too_far():
    """On |x - 0.4| from 0: steps grow by 1.2 until the sign turns, then halve (W15 4.2)."""

    class Distance:
        seen = ()

        def clip(self, theta):
            return theta.copy()

        def value(self, theta):
            return abs(theta[0] - 0.4)

        def value_and_gradient(self, theta):
            self.seen = (*self.seen, float(theta[0]))
            return self.value(theta), np.array([np.sign(theta[0] - 0.4)])

    distance = Distance()
    rprop(distance, np.zeros(1), Settings(iterations=60))
    seen, step, x, old = list(distance.seen), 1e-3, 0.0, 0.0
    previous = x
    for position in seen:
        assert position == pytest.approx(x)
        slope = np.sign(x - 0.4)
        turn = slope * old
        step *= 1.2 if turn > 0 else 0.5 if turn < 0 else 1.0
        if turn < 0:
            x, previous, old = previous, x, 0.0
        else:
            x, previous, old = x - slope * step, x, slope
    assert seen[-1] == pytest.approx(0.4, abs=0.05)


def test_cccp_never_raises_a_loss():
    inner, theta = objective("soft-ramp3")
    whole = replace(inner, hopes=None)
    values = [whole.value(theta)]
    steps = cccp(whole, theta, SOLVERS["lbfgs"], Settings(iterations=200), 6)
    values.extend(whole.value(solution.theta) for solution in steps)
    assert all(after <= before + 1e-9 for before, after in pairwise(values))
    assert values[-1] < values[0]


@pytest.mark.parametrize("solver", ["sgd", "adagrad", "mira"])
def test_shuffled_runs_repeat(solver):
    inner, theta = objective("ramp3")
    settings = Settings(seed=7, shuffle=True, eta=0.01)
    first, second = (SOLVERS[solver].solve(inner, theta, settings) for _ in range(2))
    assert np.array_equal(first.theta, second.theta)


def test_pairs_that_do_not_fit_are_named():
    told = {
        (loss, solver): mismatch(SOLVERS[solver], LOSSES[loss], imputed=LOSSES[loss].has_terms)
        for loss, solver in product(LOSSES, SOLVERS)
    }
    assert told["ramp3", "ssd"] is None
    assert told["expected-bleu", "rprop"] is None
    assert "smooth" in told["ramp3", "lbfgs"]
    assert "concave" in told["bayes-risk", "ssd"]
    assert "hard" in told["soft-ramp3", "mira"]
    assert all(
        "line-search" in told["cost", solver] for solver in SOLVERS if not SOLVERS[solver].corpus
    )


@pytest.mark.parametrize("solver", ["sgd", "adagrad", "rprop", "lbfgs"])
def test_a_frozen_weight_stays_outside_its_bounds(solver):
    inner, theta = objective("pairwise")
    free = inner.limits.free.copy()
    free[0] = 0.0
    theta[0] = 5.0
    tight = replace(inner.limits, free=free, high=np.full(len(theta), 0.2))
    found = SOLVERS[solver].solve(replace(inner, limits=tight), theta, Settings(eta=0.1)).theta
    assert found[0] == 5.0
    assert found[1:].max() <= 0.2
