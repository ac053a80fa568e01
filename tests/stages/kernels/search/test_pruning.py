"""A full stack: its order, and what is kept of it."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.records import Settings
from campanula.stages.kernels.search.pruning import descending, kept_nodes, lay_out
from campanula.stages.kernels.search.records import (
    KEY_HISTORY,
    KEY_STATE,
    KEY_TARGET,
    Hypotheses,
    Nodes,
)
from campanula.stages.kernels.search.stacks import empty_stack


@pytest.mark.parametrize("size", [0, 1, 2, 7, 64])
def test_descending_is_stable(size):
    value = np.random.default_rng(size).integers(0, 5, size).astype(np.float64)
    expected = sorted(range(size), key=lambda i: -value[i])
    assert descending(value).tolist() == expected


# 3 nodes a stack, none 2.5 below the best
SETTINGS = Settings(np.ones(1), 0.0, 0, 2, 6, 1, 100, 3, 2.5)


def full_stack(score, target):
    """A stack of nodes with scores and targets; states are their numbers."""
    n, n_targets = len(score), max(target) + 1
    stack = empty_stack(n, n_targets, False, False, 1)
    stack.size[:] = n_targets, n
    stack.targets[:] = np.arange(4 * n_targets).reshape(-1, 4)
    stack.key[:, KEY_TARGET] = target
    stack.key[:, KEY_STATE] = np.arange(n)
    stack.key[:, KEY_HISTORY] = 0
    stack.score[:] = np.array(score)[:, None]
    stack.newest[:] = np.arange(n)[:, None]
    return stack


def test_the_best_nodes_are_kept():
    assert kept_nodes(full_stack([0, 5, 3, 4, 4], [0] * 5), SETTINGS).tolist() == [1, 3, 4]
    assert kept_nodes(full_stack([5, 1, 3], [0] * 3), SETTINGS).tolist() == [0, 2]
    assert kept_nodes(full_stack([-9.0], [0]), SETTINGS).tolist() == [0]


def test_nodes_stand_by_groups_the_best_first():
    n_groups, n_nodes = 4, 10
    size = np.array([n_nodes, n_groups, 0, 1, 1])
    numbers = [np.full(20, -1, np.int32) for _ in range(4)]
    group = np.full((9, 6), -1)
    nodes = Nodes(np.zeros(20), *numbers)
    hypotheses = Hypotheses(
        size,
        nodes,
        group,
        np.zeros(3, np.int64),
        np.zeros((1, 5), np.int32),
        np.zeros((1, 2)),
        np.zeros((1, 4), np.int64),
        np.zeros((1, 1), np.int32),
    )
    lay_out(full_stack([4, 5, 4.5], [2, 1, 2]), SETTINGS, hypotheses)
    assert size.tolist() == [13, 6, 0, 1, 1]
    assert group[4:6].tolist() == [[4, 5, 6, 7, 10, 1], [8, 9, 10, 11, 11, 2]]
    assert nodes.score[10:13].tolist() == [5.0, 4.5, 4.0]
    assert nodes.state[10:13].tolist() == [1, 2, 0]
    assert nodes.option[13] == -1
