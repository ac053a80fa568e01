"""Moves from a point are those of the naive line search, which tries every interval."""

from fractions import Fraction
from math import inf

import numpy as np
import pytest

from campanula.stages.metrics.bleu import Bleu
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.solvers.climb_point import ClimbPoint, SearchSpace
from tests.naive import line_search as naive
from tests.stages.tuning.scored import packed, random_plain

BLEU = Bleu().corpus_values


def limits(n, free=None, low=None, high=None):
    """Restraints of n features, none unless given."""
    return Restraints(
        np.ones(n) if free is None else np.asarray(free, float),
        np.full(n, -np.inf) if low is None else low,
        np.full(n, np.inf) if high is None else high,
    )


def bleu(sums):
    return float(BLEU(np.array([sums], np.int64))[0])


def moves_of(lists, stats, theta, directions=(), **bounds):
    """The best move along every axis that changes anything, or along the given directions."""
    space = SearchSpace.of(lists, stats, BLEU, limits(len(theta), **bounds))
    point = ClimbPoint(space, np.array(theta))
    directions = np.array(directions).reshape(-1, len(theta))
    moves = list(point.moves(directions))
    return [move for move in moves if (move.axis < 0) == (len(directions) > 0)]


@pytest.mark.parametrize("theta", [(1.0, -1.0, 2.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
@pytest.mark.parametrize("seed", range(12))
def test_a_line_search_is_as_good_as_trying_every_interval(seed, theta):
    plain = random_plain(seed)
    lists, stats = packed(plain)
    moves = {move.axis: move for move in moves_of(lists, stats, theta)}
    for k in range(3):
        axis = [float(m == k) for m in range(3)]
        value, step = naive.best_interval(plain, theta, axis, bleu)
        if k not in moves:
            assert not any(naive.crossings([one], theta, axis) for one in plain)
            continue
        assert moves[k].metric == pytest.approx(value, abs=1e-15)
        assert moves[k].step == pytest.approx(float(step), rel=1e-9)
        reached = naive.along(theta, axis, Fraction(moves[k].step))
        if moves[k].step:
            kept = bleu(naive.total(plain, naive.winners(plain, reached)))
            assert kept == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("seed", range(6))
def test_random_directions_are_searched_exactly(seed):
    plain, theta = random_plain(seed, whole=False), [0.5, -0.25, 1.0]
    lists, stats = packed(plain)
    directions = np.random.default_rng(seed).normal(size=(3, 3))
    for move in moves_of(lists, stats, theta, directions=directions):
        value, step = naive.best_interval(plain, theta, move.direction.tolist(), bleu)
        assert move.metric == pytest.approx(value, abs=1e-15)
        assert move.step == pytest.approx(float(step), rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_steps_keep_to_the_bounds(seed):
    plain, theta = random_plain(seed), [1.0, -1.0, 0.5]
    lists, stats = packed(plain)
    low, high = np.array([0.0, -1.0, 0.5]), np.array([1.25, 0.0, 0.5])
    for move in moves_of(lists, stats, theta, low=low, high=high):
        axis = [float(m == move.axis) for m in range(3)]
        ends = [Fraction(b[move.axis] - theta[move.axis]) for b in (low, high)]
        expected = naive.best_interval(plain, theta, axis, bleu, *ends)
        if expected is None:
            assert move.metric == -inf
        else:
            assert move.metric == pytest.approx(expected[0], abs=1e-15)
            assert move.step == pytest.approx(float(expected[1]), rel=1e-9)


def test_a_feature_may_be_dense_and_sparse_in_one_list():
    plain = random_plain(5, n_lists=5, whole=False)
    lists, stats = packed(plain)
    half = lists._replace(
        dense=lists.dense / 2,
        sparse_pointer=np.arange(lists.n_hyps + 1) * 3,
        sparse_id=np.tile(np.arange(3, dtype=np.int32), lists.n_hyps),
        sparse_value=np.array([v / 2 for one in plain for f, _ in one for v in f]),
    )
    for one, other in zip(
        moves_of(lists, stats, [1.0] * 3), moves_of(half, stats, [1.0] * 3), strict=True
    ):
        assert one.step == pytest.approx(other.step)
        assert one.metric == other.metric
