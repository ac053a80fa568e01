"""Intervals of a line and their sums against the naive twin."""

from math import inf

import numpy as np
import pytest

from campanula.stages.kernels.solvers import sweep
from tests.naive import line_search as naive
from tests.present import present
from tests.stages.kernels.solvers.visited import visited
from tests.stages.tuning.scored import packed, random_plain


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (1.0, 3.0, 2.0),
        (1.0, 100.0, 2.0),  # twice as far as its nearer end
        (0.0, 100.0, 0.5),  # or `unit` past it
        (0.1, 100.0, 0.6),
        (2.0, inf, 4.0),
        (-3.0, -1.0, -2.0),
        (-inf, -0.1, -0.6),
        (-inf, 0.0, -0.5),
        (-1.0, 5.0, 0.0),  # the current weight is as good
        (-inf, inf, 0.0),
    ],
)
def test_the_step_into_an_interval(left, right, expected):
    assert sweep.inside(left, right, 0.5) == pytest.approx(expected)


def test_the_leftmost_of_the_best_intervals_wins():
    x, value = np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.5, 0.2, 0.5])
    assert sweep.best_interval(x, value, -inf, inf, 1.0) == (0.5, 1.5)
    assert sweep.best_interval(x, value, 2.0, inf, 1.0) == (0.5, 6.0)
    assert sweep.best_interval(x, value, 1.0, 1.5, 1.0) == (0.5, 1.25)


def test_intervals_of_no_width_are_passed_over():
    x, value = np.array([1.0, 1.0 + 1e-15]), np.array([0.1, 0.9, 0.2])
    assert sweep.best_interval(x, value, -inf, inf, 1.0)[0] == 0.2
    assert sweep.best_interval(x, value, 5.0, 5.0, 1.0) == (-inf, 0.0)


def test_the_sums_of_all_intervals_are_the_winners():
    plain, theta = random_plain(7, n_lists=5, whole=False), np.array([0.5, 1.0, -1.0])
    lists, stats = packed(plain)
    pieces, winner, found = visited(lists, theta)
    total = sweep.winners_sum(winner, stats)
    line = sweep.changes(pieces, lists.list_pointer, found, winner, stats, total)
    for first, last in ((0, 1), (1, 3), (0, 3)):
        x, sums = sweep.interval_sums(line, first, last, sweep.in_order(line, first, last))
        expected = [naive.intervals(plain, theta.tolist(), np.eye(3)[k].tolist()) for k in range(3)]
        expected = expected[first:last]
        assert sums.tolist() == [naive.total(plain, at) for one in expected for _, _, at in one]
        ends = [float(present(end)) for one in expected for _, end, _ in one[:-1]]
        assert x == pytest.approx(ends)


def test_the_best_intervals_are_those_of_each_axis():
    pointer = np.array([5, 7, 7, 8])
    x, value = np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.5, 0.2, 0.9, 0.3, 0.4])
    low, high = np.full(3, -inf), np.full(3, inf)
    best, step = sweep.best_intervals(pointer, x, value, low, high, 1.0)
    assert best.tolist() == [0.5, -inf, 0.4]
    assert step.tolist() == [1.5, 0.0, 6.0]


@pytest.mark.parametrize("width", [1, 7, 8, 10, 17])
def test_statistics_of_any_width_are_added(width):
    plain, theta = random_plain(3, n_lists=4, whole=False), np.array([0.5, 1.0, -1.0])
    lists, _ = packed(plain)
    stats = np.random.default_rng(width).integers(0, 9, (lists.n_hyps, width)).astype(np.int16)
    pieces, winner, found = visited(lists, theta)
    total = sweep.winners_sum(winner, stats)
    line = sweep.changes(pieces, lists.list_pointer, found, winner, stats, total)
    _, sums = sweep.interval_sums(line, 0, 3, sweep.in_order(line, 0, 3))
    rows = iter(sums.tolist())
    for k in range(3):
        for _, _, places in naive.intervals(plain, theta.tolist(), np.eye(3)[k].tolist()):
            chosen = stats[lists.list_pointer[:-1] + places].sum(axis=0)
            assert next(rows) == chosen.tolist()
