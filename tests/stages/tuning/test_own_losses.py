"""Losses of one's own, against the compiled ones that they repeat."""

import numpy as np
import pytest

from campanula.stages.kernels.lists import total_losses
from campanula.stages.tuning.losses import LOSSES
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.own_losses import OwnProblem, add_losses
from tests.stages.kernels.problems import problem


def ramp3(score, cost):
    """RAMPION's loss, in NumPy."""
    hope, fear = (score - cost).argmax(), (score + cost).argmax()
    g = np.zeros(len(score))
    g[hope] -= 1.0
    g[fear] += 1.0
    return (score + cost)[fear] - (score - cost)[hope], g


def risk(score, cost):
    p = np.exp(score - score.max())
    p /= p.sum()
    return p @ cost, p * (cost - p @ cost)


@pytest.mark.parametrize(("function", "name"), [(ramp3, "ramp3"), (risk, "bayes-risk")])
def test_value_and_gradient_are_those_of_the_compiled_loss(function, name):
    p = problem(21)
    gradient, expected = np.zeros(len(p.theta)), np.zeros(len(p.theta))
    total = total_losses.no_loss()
    add_losses(OwnProblem(p.lists, p.targets.cost, function), p.theta, total, gradient)
    formula, none = LOSSES[name].formula, np.zeros(0)
    value = total_losses.total_loss(p.lists, p.theta, p.targets, formula, none, expected)
    assert total[0] == pytest.approx(value, abs=1e-12)
    assert gradient == pytest.approx(expected, abs=1e-12)


def test_without_room_for_a_gradient_there_is_the_value_alone():
    p = problem(21)
    total = total_losses.no_loss()
    add_losses(OwnProblem(p.lists, p.targets.cost, ramp3), p.theta, total, np.zeros(0))
    assert total[0] > 0.0


@pytest.mark.parametrize("coefficients", [np.zeros(1), 0.0, np.zeros((3, 2))])
def test_a_coefficient_is_missed_by_name(coefficients):
    def careless(score, cost):
        return 1.0, coefficients

    p = next(p for p in map(problem, range(99)) if p.spans()[0] == (0, 3))
    with pytest.raises(Misfit, match=r"loss careless: expected a coefficient .* \(3,\), found"):
        OwnProblem(p.lists, p.targets.cost, careless).value_of(0, p.theta, np.zeros(0))


def test_the_costs_cannot_be_changed():
    def meddling(score, cost):
        cost[:] = 0.0
        return 0.0, score

    p = problem(21)
    with pytest.raises(ValueError, match="read-only"):
        OwnProblem(p.lists, p.targets.cost, meddling).value_of(0, p.theta, np.zeros(0))


def test_a_loss_that_returns_one_thing_is_named():
    p = problem(21)
    own = OwnProblem(p.lists, p.targets.cost, lambda score, cost: None)  # type: ignore[arg-type, return-value]
    with pytest.raises(Misfit, match="loss <lambda>: expected a value and the coefficients, found"):
        own.value_of(0, p.theta, np.zeros(0))
