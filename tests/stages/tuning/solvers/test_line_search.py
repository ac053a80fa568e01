from math import isfinite

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.stages.tuning.packing import join
from campanula.stages.tuning.solvers.climb_point import SearchSpace
from campanula.stages.tuning.solvers.line_search import LINE_SEARCH as SOLVER
from campanula.stages.tuning.solvers.line_search import LineSearchSettings, Search
from tests.naive import line_search as naive
from tests.stages.tuning.scored import packed, random_plain
from tests.stages.tuning.solvers.inner import corpus_objective
from tests.stages.tuning.solvers.test_climb_point import BLEU, bleu, limits

FEW = LineSearchSettings(restarts=2)


def negated_length(sums):
    """A made-up error: the further from three words a hypothesis, the worse; lower is better."""
    return -np.abs(sums[:, 0] - 30).astype(np.float64)


@pytest.mark.parametrize("seed", range(6))
def test_the_best_weights_keep_to_the_bounds(seed):
    lists, stats = packed(random_plain(seed))
    low, high = np.array([0.0, -1.0, 0.5]), np.array([1.25, 0.0, 0.5])
    settings = LineSearchSettings(restarts=3, random_directions=2)
    bounded = corpus_objective(lists, stats, 3, low=low, high=high)
    found = SOLVER.solve(bounded, np.array([1.0, -1.0, 0.5]), settings)
    assert (low <= found.theta).all()
    assert (found.theta <= high).all()


@pytest.mark.parametrize("seed", range(8))
def test_a_climb_is_the_naive_climb(seed):
    plain, theta = random_plain(seed, whole=False), [0.5, -0.25, 1.0]
    lists, stats = packed(plain)
    expected, value = naive.climb(plain, theta, bleu, 1e-6)
    search = Search(SearchSpace.of(lists, stats, BLEU, limits(3)), FEW, enough=1e-6)
    found, metric = search.climb(np.array(theta), 0)
    assert metric == pytest.approx(value, abs=1e-15)
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_the_metric_returned_is_that_of_the_weights_returned(seed):
    plain = random_plain(seed, n_lists=6)
    lists, stats = packed(plain)
    settings = LineSearchSettings(random_directions=2, restarts=3, seed=seed)
    found = SOLVER.solve(corpus_objective(lists, stats, 3), np.zeros(3), settings)
    kept = bleu(naive.total(plain, naive.winners(plain, found.theta.tolist())))
    assert 1.0 - found.history[-1] == pytest.approx(kept, abs=1e-15)
    assert kept >= bleu(naive.total(plain, [0] * len(plain)))
    assert found.history == sorted(found.history, reverse=True)
    assert len(found.history) == 4


def test_an_error_is_minimised_as_its_negation():
    lists, stats = packed(random_plain(3, n_lists=8))
    found = Search(SearchSpace.of(lists, stats, negated_length, limits(3)), FEW).best(np.zeros(3))
    first = negated_length(stats[lists.list_pointer[:-1]].sum(axis=0)[None])[0]
    assert 1.0 - found.history[-1] >= first


def test_the_same_for_any_number_of_threads_and_another_for_another_seed():
    lists, stats = packed(random_plain(1, n_lists=8, whole=False))
    objective = corpus_objective(lists, stats, 3)
    results = [
        SOLVER.solve(objective, np.ones(3), LineSearchSettings(5, 1, seed, jobs))
        for jobs, seed in ((1, 0), (4, 0), (1, 1))
    ]
    assert results[0].theta.tobytes() == results[1].theta.tobytes()
    assert results[0].history == results[1].history
    assert results[0].theta.tobytes() != results[2].theta.tobytes()


def test_frozen_weights_stay():
    lists, stats = packed(random_plain(2, n_lists=8))
    free = np.array([True, False, True])
    settings = LineSearchSettings(restarts=3, random_directions=3)
    frozen = corpus_objective(lists, stats, 3, free)
    found = SOLVER.solve(frozen, np.array([0.1, 0.7, 0.2]), settings)
    assert found.theta[1] == 0.7


def test_staying_wins_where_nothing_gains():
    rows = [{"f0": 1.0, "f1": 2.0}, {"f0": 2.0, "f1": 1.0}]
    lists = join([Features.of(rows, Names(["f0", "f1"]))])
    stats = np.array([(5, 5, 4, 3, 2, 1, 5, 4, 3, 2)] * 2)
    found = SOLVER.solve(corpus_objective(lists, stats, 2), np.array([0.3, 0.3]))
    assert found.theta.tolist() == [0.3, 0.3]


GOOD, BAD, EMPTY = (4, 4, 4, 3, 2, 1, 4, 3, 2, 1), (4, 4, 1, 0, 0, 0, 4, 3, 2, 1), (0, 4) + (0,) * 8
CASES: dict[str, tuple[list[list[dict[str, float]]], list[tuple[int, ...]]]] = {
    "a constant feature": ([[{"f0": 1.0, "f1": 7.0}, {"f0": 2.0, "f1": 7.0}]], [BAD, GOOD]),
    "a feature absent from some lists": (
        [[{"f0": 1.0, "f1": 3.0}, {"f0": 2.0}], [{"f0": 1.0}, {"f0": 3.0}]],
        [BAD, GOOD, BAD, GOOD],
    ),
    "all gains equal": ([[{"f0": 1.0, "f1": 3.0}, {"f0": 2.0}]], [GOOD, GOOD]),
    "all hypotheses equal": ([[{"f0": 1.0, "f1": 3.0}] * 3], [GOOD, BAD, GOOD]),
    "one hypothesis": ([[{"f0": 1.0, "f1": 3.0}]], [GOOD]),
    "an empty hypothesis": ([[{"f0": 1.0, "f1": 1.0}, {"f0": 2.0}]], [EMPTY, GOOD]),
    "no hypothesis of any worth": ([[{"f0": 1.0, "f1": 1.0}, {"f0": 2.0}]], [EMPTY, EMPTY]),
    "no features": ([[{}, {}]], [BAD, GOOD]),
}


@pytest.mark.parametrize("initial", [(0.5, 0.5), (0.0, 0.0)])
@pytest.mark.parametrize("case", CASES)
def test_degenerate_lists_give_sensible_weights(case, initial):
    rows, stats = CASES[case]
    names = Names(["f0", "f1"])
    lists = join([Features.of(one, names) for one in rows])
    settings = LineSearchSettings(restarts=2, random_directions=1)
    found = SOLVER.solve(corpus_objective(lists, stats, 2), np.array(initial), settings)
    assert all(isfinite(w) and abs(w) <= 10.0 for w in found.theta)
    assert found.theta.any()
    if case in ("a constant feature", "a feature absent from some lists", "an empty hypothesis"):
        assert found.history[-1] == 0.0
    if case == "a constant feature" and initial[0]:
        assert found.theta[1] == initial[1]
    if case in ("all gains equal", "all hypotheses equal", "one hypothesis") and initial[0]:
        assert found.theta.tolist() == list(initial)
