"""Losses of lists against slow twins, finite differences, and the tangents of CCCP."""

import numpy as np
import pytest

from campanula.stages.kernels.lists import list_losses, scores, total_losses
from campanula.stages.kernels.lists.formulas import EXPECTED_GAIN
from campanula.stages.tuning.losses import LOSSES
from tests.naive import losses as naive
from tests.stages.kernels.problems import problem

OF_LISTS = [name for name, loss in LOSSES.items() if name != "cost" and not loss.of_sets]
SUMS = [name for name in OF_LISTS if name != "expected-bleu"]
TERMS = [name for name, loss in LOSSES.items() if loss.has_terms]
NONE = np.zeros(0)


def slow_total(name, p, theta):
    s = scores.score_lists(p.lists, theta)
    parts = [p.plain(i, s[first:last]) for i, (first, last) in enumerate(p.spans())]
    if LOSSES[name].form == EXPECTED_GAIN:
        return naive.expected_bleu([(part[0], part[2]) for part in parts])
    return sum(naive.loss_of_list(name, *part) or 0.0 for part in parts)


def fast_total(name, p, theta, gradient=NONE, share=NONE):
    return total_losses.total_loss(p.lists, theta, p.targets, LOSSES[name].formula, share, gradient)


@pytest.mark.parametrize("name", [*SUMS, "expected-bleu"])
@pytest.mark.parametrize("seed", [21, 22, 23])
def test_losses_equal_the_slow_twin(name, seed):
    p = problem(seed)
    assert fast_total(name, p, p.theta) == pytest.approx(slow_total(name, p, p.theta), rel=1e-12)


@pytest.mark.parametrize("name", OF_LISTS)
def test_gradients_agree_with_finite_differences(name):
    p = problem(25)
    gradient = np.zeros_like(p.theta)
    fast_total(name, p, p.theta, gradient)
    for f in range(len(p.theta)):
        step = np.zeros_like(p.theta)
        step[f] = 1e-6
        slope = (slow_total(name, p, p.theta + step) - slow_total(name, p, p.theta - step)) / 2e-6
        assert gradient[f] == pytest.approx(slope, abs=2e-6)


@pytest.mark.parametrize("name", TERMS)
def test_the_imputed_loss_bounds_the_loss_and_touches_it(name):
    p, rng = problem(31), np.random.default_rng(3)
    share = total_losses.impute(p.lists, p.theta, p.targets, LOSSES[name].up)
    up = slow_up(name, p, p.theta, share)
    assert fast_total(name, p, p.theta, share=share) - up == pytest.approx(
        fast_total(name, p, p.theta), abs=1e-9
    )
    for _ in range(10):
        theta = p.theta + rng.normal(size=len(p.theta))
        bound = fast_total(name, p, theta, share=share) - up
        assert bound >= fast_total(name, p, theta) - 1e-9


def slow_up(name, p, theta, share):
    """What the tangents leave out: sum_i up_i(theta) - share_i . s_i, at their own weights."""
    s, total = scores.score_lists(p.lists, theta), 0.0
    for first, last in p.spans():
        c, reaches, g = (
            p.targets.cost[first:last],
            p.targets.reaches[first:last],
            np.empty(last - first),
        )
        value = list_losses.term_of_list(LOSSES[name].up, s[first:last], c, reaches, g)
        if value > -np.inf:
            total += value - share[first:last] @ s[first:last]
    return total


def test_softmax_margin_is_the_log_loss_where_nothing_costs_anything():
    p = problem(43)
    free = p._replace(targets=p.targets._replace(cost=np.zeros_like(p.targets.cost)))
    log = fast_total("log", free, p.theta)
    assert fast_total("softmax-margin", free, p.theta) == log
    assert fast_total("softmax-margin", p, p.theta) > log


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1e3, 1e6, 1e100])
def test_expected_bleu_is_finite_at_any_scale_of_scores(scale):
    p = problem(41)
    gradient = np.zeros_like(p.theta)
    value = fast_total("expected-bleu", p, p.theta * scale, gradient)
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()
