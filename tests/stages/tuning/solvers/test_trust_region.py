"""The region of a line search, and searches within it."""

from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from campanula.stages.kernels.lists.scores import score_lists
from campanula.stages.kernels.solvers import axes
from campanula.stages.tuning.solvers.line_search import LINE_SEARCH, LineSearchSettings
from campanula.stages.tuning.solvers.trust_region import confined, spread
from tests.stages.kernels.problems import problem
from tests.stages.tuning.scored import packed, random_plain
from tests.stages.tuning.solvers.inner import corpus_objective

THETA = np.array([1.0, -1.0, 2.0])


def slow_spread(values, spans):
    """sqrt of the mean square of what a number differs by from its list's mean."""
    squares = []
    for first, last in spans:
        mean = fmean(values[first:last])
        squares += [(value - mean) ** 2 for value in values[first:last]]
    return fmean(squares) ** 0.5


def test_spreads_of_features_are_those_of_their_values():
    p = problem(31, n_lists=7)
    pieces = axes.index(p.lists, np.ones(len(p.theta), bool))
    rows = [score_lists(p.lists, unit).tolist() for unit in np.eye(len(p.theta))]
    expected = [slow_spread(row, p.spans()) for row in rows]
    assert axes.spreads(pieces, p.lists.list_pointer) == pytest.approx(expected, abs=1e-12)
    for row, value in zip(rows, expected, strict=True):
        assert spread(np.array(row), p.lists.list_pointer) == pytest.approx(value, abs=1e-12)


def objective_and_region(trust=0.1, seed=3):
    lists, stats = packed(random_plain(seed))
    objective = corpus_objective(lists, stats, 3)
    pieces = axes.index(lists, np.ones(3, bool))
    return objective, confined(objective.limits, lists, pieces, THETA, trust), lists


def test_no_weight_changes_scores_by_more_than_its_share():
    _, region, lists = objective_and_region()
    pointer = lists.list_pointer
    whole = spread(score_lists(lists, THETA), pointer)
    for unit, low, high in zip(np.eye(3), region.low, region.high, strict=True):
        step = spread(score_lists(lists, unit), pointer) * (high - low) / 2
        assert step == pytest.approx(0.1 * np.sqrt(lists.n_lists) * whole)


def test_the_region_grows_with_the_weights():
    objective, region, lists = objective_and_region()
    pieces = axes.index(lists, np.ones(3, bool))
    twice = confined(objective.limits, lists, pieces, 2.0 * THETA, 0.1)
    assert twice.low == pytest.approx(2.0 * region.low)
    assert twice.high == pytest.approx(2.0 * region.high)


def test_a_search_ends_within_the_region_and_no_worse_than_it_began():
    objective, region, _ = objective_and_region()
    settings = LineSearchSettings(restarts=5, trust=0.1)
    solution = LINE_SEARCH.solve(objective, THETA, settings)
    assert (region.low <= solution.theta).all()
    assert (solution.theta <= region.high).all()
    assert objective.value(solution.theta) <= objective.value(THETA)
    again = LINE_SEARCH.solve(objective, THETA, replace(settings, jobs=2))
    assert np.array_equal(again.theta, solution.theta)
    free = LINE_SEARCH.solve(objective, THETA, replace(settings, trust=0.0))
    assert not np.array_equal(free.theta, solution.theta)


def test_bounds_hold_within_the_region():
    objective, region, _ = objective_and_region()
    bounds = replace(objective.limits, low=THETA - 1e-3, high=THETA + 1e9)
    bounded = replace(objective, limits=bounds)
    found = LINE_SEARCH.solve(bounded, THETA, LineSearchSettings(restarts=5, trust=0.1)).theta
    assert (found >= THETA - 1e-3).all()
    assert (found <= region.high).all()


def test_weights_of_zero_have_no_region():
    objective, _, lists = objective_and_region()
    pieces = axes.index(lists, np.ones(3, bool))
    assert confined(objective.limits, lists, pieces, np.zeros(3), 0.1) is objective.limits
    settings = LineSearchSettings(restarts=5, trust=0.1)
    assert LINE_SEARCH.solve(objective, np.zeros(3), settings).theta.any()
