"""A full stack: its order, and what is kept of it."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.records import Settings
from campanula.stages.kernels.search.pruning import keep_nodes, lay_out
from campanula.stages.kernels.search.records import (
    KEY_HISTORY,
    KEY_STATE,
    KEY_TARGET,
    Hypotheses,
    Nodes,
)
from campanula.stages.kernels.search.room import room_for_stack
from tests.stages.kernels.search.sentences import NO_OPTIONS, sentence_of

# 3 nodes a stack, none 2.5 below the best
SETTINGS = Settings(np.ones(1), 0.0, 0, 2, 6, 1, 100, 3, 2.5)


def options_of(n):
    """Options whose scores are numbered."""
    return NO_OPTIONS._replace(score=np.arange(8.0 * n).reshape(n, 8))


def hypotheses_of(n_nodes, n_groups, room):
    """A graph of so many nodes and groups, with room for more."""
    state, arc, history = (np.full(room, -1, np.int32) for _ in range(3))
    return Hypotheses(
        np.array([n_nodes, n_groups, 0, 1, 1]),
        Nodes(np.zeros(room), state, arc, history, np.zeros((room, 3))),
        np.full((9, 6), -1),
        np.zeros(3, np.int64),
        np.zeros((1, 5), np.int32),
        np.zeros((1, 2)),
        np.zeros((1, 4), np.int64),
        np.zeros((1, 1), np.int32),
    )


def full_stack(score, target):
    """A stack of nodes with scores and targets; states are their numbers."""
    n, n_targets = len(score), max(target) + 1
    stack = room_for_stack(max(n, n_targets), False, False)
    stack.size[:2] = n_targets, n
    stack.targets[:n_targets] = np.arange(4 * n_targets).reshape(-1, 4)
    stack.key[:n, KEY_TARGET] = target
    stack.key[:n, KEY_STATE] = np.arange(n)
    stack.key[:n, KEY_HISTORY] = 0
    stack.score[:n] = np.array(score)[:, None]
    stack.newest[:n] = np.arange(n)[:, None]
    return stack


def kept(score, settings=SETTINGS):
    """Nodes that are kept of a stack of one group: in the order of their numbers."""
    stack = full_stack(score, [0] * len(score))
    return stack.kept[: keep_nodes(stack, settings)].tolist()


def test_the_best_nodes_are_kept():
    assert kept([0, 5, 3, 4, 4]) == [1, 3, 4]
    assert kept([5, 1, 3]) == [0, 2]
    assert kept([-9.0]) == [0]
    assert kept([-np.inf, -np.inf]) == [0, 1]


@pytest.mark.parametrize("size", [1, 2, 7, 64, 500])
def test_of_equal_nodes_the_first_are_kept_and_stand_first(size):
    rng = np.random.default_rng(size)
    for stack_size in (1, 3, size, 2 * size):
        score = rng.integers(0, 6, size).astype(np.float64)
        target = rng.integers(0, 3, size)
        order = sorted(range(size), key=lambda i: -score[i])[:stack_size]
        best = [i for i in order if score[i] >= score[order[0]] - 2.5]
        settings = SETTINGS._replace(stack=stack_size)
        assert kept(score.tolist(), settings) == sorted(best)
        stack = full_stack(score.tolist(), target.tolist())
        sentence = sentence_of(1, settings=settings, options=options_of(size))
        graph = hypotheses_of(10, 4, size + 20)
        lay_out(stack, sentence, graph)
        expected = [i for t in range(3) for i in best if target[i] == t]
        assert graph.nodes.state[10 : 10 + len(best)].tolist() == expected


def test_nodes_stand_by_groups_the_best_first():
    hypotheses = hypotheses_of(10, 4, 20)
    size, nodes, group = hypotheses.size, hypotheses.nodes, hypotheses.group
    sentence = sentence_of(1, settings=SETTINGS, options=options_of(3))
    lay_out(full_stack([4, 5, 4.5], [2, 1, 2]), sentence, hypotheses)
    assert size.tolist() == [13, 6, 0, 1, 1]
    assert group[4:6].tolist() == [[4, 5, 6, 7, 10, 1], [8, 9, 10, 11, 11, 2]]
    assert nodes.score[10:13].tolist() == [5.0, 4.5, 4.0]
    assert nodes.state[10:13].tolist() == [1, 2, 0]
    assert nodes.arc[10:13].tolist() == [1, 2, 0]
    assert nodes.forth[10:13].tolist() == [[8.0 * o + c for c in (5, 6, 7)] for o in (1, 2, 0)]
    assert nodes.arc[13] == -1
