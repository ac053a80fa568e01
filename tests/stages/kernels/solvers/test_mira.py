"""MIRA's dual rises and meets the primal; its first step is the published one."""

import numpy as np
import pytest

from campanula.stages.kernels.lists import scores, total_losses
from campanula.stages.kernels.solvers import mira
from campanula.stages.tuning.losses import LOSSES
from tests.stages.kernels.problems import problem


def dual_value(p, theta, center, alpha, share, C):
    """Dual objective at alpha, written out."""
    cost, s0 = p.targets.cost, scores.score_lists(p.lists, center)
    linear = (alpha * (cost + s0)).sum() - (share * s0).sum()
    return linear - 0.5 * C * np.square(theta - center).sum()


def test_every_pass_raises_the_dual_and_closes_the_gap():
    p, C = problem(61), 2.0
    loss, center = LOSSES["hinge-kbest"].formula, p.theta.copy()
    share = total_losses.impute(p.lists, p.theta, p.targets, loss.up)
    theta, alpha, free = p.theta.copy(), share.copy(), np.ones_like(p.theta)
    order, before = np.arange(p.lists.n_lists), -np.inf
    inner = mira.DualProblem(p.lists, p.targets, loss.down, share)
    for _ in range(300):
        mira.mira(inner, theta, alpha, order, free, C)
        dual = dual_value(p, theta, center, alpha, share, C)
        assert dual >= before - 1e-9
        before = dual
    none = np.zeros(0)
    primal = total_losses.total_loss(p.lists, theta, p.targets, loss, share, none)
    primal += 0.5 * C * np.square(theta - center).sum()
    assert primal == pytest.approx(before, rel=1e-2)
    assert primal >= before - 1e-9


def test_the_first_step_is_miras():
    p, C = problem(62, n_lists=1), 0.3
    loss = LOSSES["ramp3"].formula
    share = total_losses.impute(p.lists, p.theta, p.targets, loss.up)
    s, c = scores.score_lists(p.lists, p.theta), p.targets.cost
    hope, fear = int(np.argmax(share)), int(np.argmax(s + c))
    difference = np.zeros_like(p.theta)
    for j, sign in ((hope, 1.0), (fear, -1.0)):
        scores.add_row(p.lists, 0, j, sign, np.ones_like(p.theta), difference)
    gap = s[fear] + c[fear] - s[hope] - c[hope]
    step = min(1 / C, gap / (difference @ difference)) if gap > 0 else 0.0
    theta, alpha = p.theta.copy(), share.copy()
    inner = mira.DualProblem(p.lists, p.targets, loss.down, share)
    mira.mira(inner, theta, alpha, np.arange(1), np.ones_like(theta), C)
    assert theta == pytest.approx(p.theta + step * difference)
