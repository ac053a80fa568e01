"""Scores against slow dot products, and rows that are added as they score."""

import numpy as np
import pytest

from campanula.stages.kernels.lists import scores
from tests.naive import rampion as naive
from tests.stages.kernels.problems import problem


def test_scores_equal_slow_dot_products():
    p = problem()
    by_name = dict(zip(p.names, p.theta, strict=True))
    expected = [naive.dot(by_name, features) for kbest in p.rows for features, _ in kbest]
    assert scores.score_lists(p.lists, p.theta) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("fewer", [0, 1])  # dense features in pairs, and one left over
def test_scores_under_two_thetas_are_those_under_each(fewer):
    p = problem()
    lists = p.lists
    if fewer:
        lists = lists._replace(dense_pointer=lists.dense_pointer.copy())
        lists.dense_pointer[1:] -= 1
        assert lists.dense_pointer[1] == p.lists.dense_pointer[1] - 1
    other = np.linspace(-1.0, 2.0, len(p.theta))
    size = np.diff(lists.list_pointer)[0]
    found, expected = np.empty((2, 2, size))
    scores.score_list_twice(lists, 0, p.theta, other, found[0], found[1], 1)
    for theta, out in zip((p.theta, other), expected, strict=True):
        scores.score_list(lists, 0, theta, out)
    assert (found == expected).all()


@pytest.mark.parametrize("n", range(10))
def test_a_product_is_four_sums_and_the_rest(n):
    g, column = np.random.default_rng(n).normal(size=(2, n))
    lanes = [sum((g[m::4] * column[m::4])[: n // 4].tolist()) for m in range(4)]
    for m in range(n - n % 4, n):
        lanes[0] += float(g[m] * column[m])
    assert scores.product_of(g, column) == (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])


def test_every_row_is_added_as_it_scores_and_only_where_free():
    p = problem()
    found = scores.score_lists(p.lists, p.theta)
    free = np.ones(len(p.theta))
    free[0] = 0.0
    for i, (first, last) in enumerate(p.spans()):
        for j in range(last - first):
            row, masked = np.zeros_like(p.theta), np.zeros_like(p.theta)
            scores.add_row(p.lists, i, j, 2.0, np.ones_like(free), row)
            assert row @ p.theta == pytest.approx(2.0 * found[first + j])
            scores.add_row(p.lists, i, j, 2.0, free, masked)
            assert np.array_equal(masked, row * free)


def test_rows_add_up():
    p = problem(max_size=9)
    for i, (first, last) in enumerate(p.spans()):
        g = np.random.default_rng(i).normal(size=last - first)
        one, all_rows = np.zeros_like(p.theta), np.zeros_like(p.theta)
        for j in range(last - first):
            scores.add_row(p.lists, i, j, g[j], np.ones_like(p.theta), one)
        scores.add_rows(p.lists, i, 1.0, g, all_rows)
        assert all_rows == pytest.approx(one, abs=1e-12)
