"""What jumps cost, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.search.jumps import jump_logs, sentence_jumps

NONE = np.zeros((2, 0, 0))


def test_logs_are_those_of_the_words_on_either_side():
    rng = np.random.default_rng(1)
    table = rng.random((2, 4, 5)).astype(np.float32)
    row = np.array([3, 0, 2, 2, 1])  # the start, and four words
    found = jump_logs(row, table)
    assert found.shape == (2, 5, 4)
    for e, s in np.ndindex(5, 4):
        column = min(max(s - e, -2), 2) + 2
        assert found[0, e, s] == table[0, row[e], column]
        assert found[1, e, s] == table[1, row[s + 1], column]


def test_distance_alone():
    jumps = sentence_jumps(3, 0.5, NONE, np.ones(2), np.zeros(1))
    distance = -0.5 * np.abs(np.arange(4)[:, None] - np.arange(3))
    np.testing.assert_array_equal(jumps.cost, distance)
    np.testing.assert_array_equal(jumps.ahead, distance)
    assert jumps.in_order.tolist() == [0.0, 0.0, 0.0]


def test_all_parts():
    logs = -np.random.default_rng(2).random((2, 4, 3))
    sparse, weight = np.array([0.25, 1.0, -0.5]), np.array([2.0, -3.0])
    jumps = sentence_jumps(3, -0.5, logs, weight, sparse)
    for e, s in np.ndindex(4, 3):
        cost = 0.5 * abs(s - e) + weight @ logs[:, e, s]
        cost += sparse[s - e + 1] if abs(s - e) <= 1 else 0.0
        assert jumps.cost[e, s] == pytest.approx(cost)
        # negative weights promise nothing, and sparse features are left out
        assert jumps.in_order[s] == pytest.approx(2.0 * logs[0, s, s])
        assert jumps.ahead[e, s] == pytest.approx(2.0 * (logs[0, e, s] - logs[0, s, s]))
