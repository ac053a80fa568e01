from math import inf

import numpy as np
import pytest

from campanula.stages.kernels.solvers import axes, envelope, sweep
from tests.naive import line_search as naive
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
    pieces = axes.index(lists, np.ones(3, bool))
    score, winner = np.empty(pieces.pad[-1]), np.empty(5, np.int64)
    sweep.rescore(lists, np.arange(5), theta, pieces.pad, score, winner)
    assert (winner - lists.list_pointer[:-1]).tolist() == naive.winners(plain, theta)
    last, found = axes.envelopes(pieces), axes.envelopes(pieces)
    room, stale = envelope.scratch(int(np.diff(pieces.pad).max())), np.ones(5, bool)
    sweep.find_envelopes(pieces, stale, score, last, found, room)
    total = sweep.winners_sum(winner, stats)
    part = pieces, lists.list_pointer, found, winner, stats, total
    pointer, x, added, left = sweep.changes(*part)
    for k in range(3):
        here = slice(pointer[k], pointer[k + 1])
        order = np.argsort(x[here])
        sums = sweep.interval_sums(order, added[here], left[k])
        direction = np.eye(3)[k].tolist()
        expected = naive.intervals(plain, theta.tolist(), direction)
        assert sums.tolist() == [naive.total(plain, places) for _, _, places in expected]
        assert np.sort(x[here]) == pytest.approx([float(end) for _, end, _ in expected[:-1]])


def test_lists_that_are_not_stale_keep_their_envelopes():
    lists, _ = packed(random_plain(8, n_lists=4, whole=False))
    pieces = axes.index(lists, np.ones(3, bool))
    score, winner = np.empty(pieces.pad[-1]), np.empty(4, np.int64)
    room, every = envelope.scratch(int(np.diff(pieces.pad).max())), np.ones(4, bool)
    one, two, three = (axes.envelopes(pieces) for _ in range(3))
    sweep.rescore(lists, np.arange(4), np.ones(3), pieces.pad, score, winner)
    sweep.find_envelopes(pieces, every, score, axes.envelopes(pieces), one, room)
    sweep.rescore(lists, np.array([2]), np.zeros(3), pieces.pad, score, winner)
    sweep.find_envelopes(pieces, np.arange(4) == 2, score, one, two, room)
    sweep.find_envelopes(pieces, every, score, axes.envelopes(pieces), three, room)
    n = two.begin[-1]
    assert two.begin.tolist() == three.begin.tolist()
    assert two.line[:n].tolist() == three.line[:n].tolist()
