import numpy as np
import pytest

from stages.kernels import descent
from stages.kernels.losses import LOSSES
from stages.packing import join
from tests.examples import random_lists
from tests.naive import rampion as naive


@pytest.fixture
def problem():
    records, plain = random_lists(seed=21, n_lists=6, max_size=6)
    names = records[0].names
    theta = np.random.default_rng(1).normal(size=len(names))
    cost = 3.0 * (1.0 - np.concatenate([record.gain for record in records]))
    return join([r.features for r in records]), theta, cost, plain, names


def test_scores_equal_slow_dot_products(problem):
    lists, theta, _, plain, names = problem
    by_name = dict(zip(names, theta, strict=True))
    expected = [naive.dot(by_name, features) for kbest in plain for features, _ in kbest]
    assert descent.score_lists(lists, theta) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", LOSSES)
def test_losses_equal_the_slow_twin(problem, name):
    lists, theta, cost, plain, names = problem
    reaches = np.zeros(len(cost), np.bool_)
    found = descent.evaluate(lists, theta, cost, reaches, LOSSES[name])
    by_name = dict(zip(names, theta, strict=True))
    expected = [naive.loss(name, by_name, kbest, 3.0) for kbest in plain]
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("part", ["up", "down"])
def test_terms_have_a_subgradient_by_definition(problem, name, part):
    lists, _theta, cost, _, _ = problem
    term, rng = getattr(LOSSES[name], part), np.random.default_rng(7)
    for i in range(lists.n_lists):
        span = slice(*lists.list_pointer[i : i + 2])
        c, reaches = cost[span], np.zeros(span.stop - span.start, np.bool_)
        s = rng.normal(size=len(c))
        g, ignored = np.empty(len(c)), np.empty(len(c))
        value = descent.term_of_list(term, s, c, reaches, g)
        assert g.sum() == pytest.approx(1.0)
        for _ in range(20):
            other = s + rng.normal(size=len(c))
            bound = value + g @ (other - s)
            assert descent.term_of_list(term, other, c, reaches, ignored) >= bound - 1e-12


def test_every_row_is_added_as_it_scores(problem):
    lists, theta, _, _, _ = problem
    scores = descent.score_lists(lists, theta)
    for i in range(lists.n_lists):
        for j in range(int(np.diff(lists.list_pointer)[i])):
            row = np.zeros_like(theta)
            descent.add_row(lists, i, j, 2.0, row)
            assert row @ theta == pytest.approx(2.0 * scores[lists.list_pointer[i] + j])
