"""Losses of one list: limits, ties, and terms that are subgradients."""

import numpy as np
import pytest

from campanula.stages.kernels.lists import list_losses, scores
from campanula.stages.kernels.lists.formulas import LSE
from campanula.stages.tuning.losses import LOSSES
from tests.stages.kernels.problems import problem

TERMS = [name for name, loss in LOSSES.items() if loss.has_terms]


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize("part", ["up", "down"])
def test_terms_have_a_subgradient_by_definition(name, part):
    p, rng = problem(), np.random.default_rng(7)
    term = getattr(LOSSES[name], part)
    for first, last in p.spans():
        c, reaches = p.targets.cost[first:last], p.targets.reaches[first:last]
        g, ignored, s = np.empty(last - first), np.empty(last - first), rng.normal(size=len(c))
        value = list_losses.term_of_list(term, s, c, reaches, g)
        assert g.sum() == pytest.approx(1.0 if value > -np.inf else 0.0)
        for _ in range(20):
            other = s + rng.normal(size=len(c))
            bound = value + g @ (other - s)
            assert list_losses.term_of_list(term, other, c, reaches, ignored) >= bound - 1e-12


def test_an_expectation_too_small_for_a_float_keeps_its_logarithm():
    s, gain, g = np.array([0.0, -2000.0]), np.array([0.0, 0.5]), np.empty(2)
    value = list_losses.log_gain_of_list(s, gain, g)
    assert value == pytest.approx(-2000.0 + np.log(0.5))
    assert g == pytest.approx([-1.0, 1.0])


def test_lists_without_any_gain_are_left_out_of_the_expectation():
    g = np.ones(2)
    assert list_losses.log_gain_of_list(np.zeros(2), np.zeros(2), g) == -np.inf
    assert not g.any()


def test_outcomes_that_are_all_alike_have_no_slope_and_not_the_rounding_of_one():
    rng = np.random.default_rng(3)
    for n in (1, 2, 3, 7, 100):
        s, g, alike = rng.normal(size=n), np.ones(n), np.full(n, rng.random())
        assert list_losses.log_gain_of_list(s, alike, g) == np.log(alike[0])
        assert not g.any()
        g[:] = 1.0
        assert list_losses.risk_of_list(s, alike, g) == alike[0]
        assert not g.any()


def test_squares_have_their_minimum_where_scores_are_gains():
    g, gain = np.ones(2), np.array([0.25, 0.5])
    assert list_losses.squares_of_list(gain, gain, g) == 0.0
    assert not g.any()
    assert list_losses.squares_of_list(np.zeros(2), gain, g) == 0.3125
    assert g.tolist() == [-0.5, -1.0]


def test_ties_go_to_the_lower_index():
    for loss in LOSSES.values():
        for term in (loss.up, loss.down):
            place = list_losses.best_place(term, np.zeros(3), np.ones(3), np.ones(3, np.bool_))
            assert place == 0


def test_soft_terms_bound_hard_ones():
    p = problem(51)
    for first, last in p.spans():
        c, reaches, g = (
            p.targets.cost[first:last],
            p.targets.reaches[first:last],
            np.empty(last - first),
        )
        s = scores.score_lists(p.lists, p.theta)[first:last]
        for loss in LOSSES.values():
            soft, hard = loss.down._replace(operator=LSE), loss.down._replace(operator=0)
            top = list_losses.term_of_list(hard, s, c, reaches, g)
            assert list_losses.term_of_list(soft, s, c, reaches, g) >= top
