"""Lists of the best paths to each node."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.graph.best_paths import empty_path, sort_list, with_another
from campanula.stages.kernels.memory import ROOM


def test_the_first_node_has_the_empty_path():
    paths = empty_path(3, np.array([[7, 8]]))
    assert paths.begin.tolist() == [0, 1, 0, 0]
    assert paths.step[0].tolist() == [-1, -1]
    assert (paths.score[0], paths.key[0].tolist(), paths.history[0].tolist()) == (0, [0, 0], [7, 8])


def test_lists_are_sorted_with_all_their_columns_and_grow():
    rng, n = np.random.default_rng(3), 2 * ROOM
    score = rng.integers(0, 9, n) / 2
    paths = empty_path(2, np.zeros((1, 1), np.int64))
    for k in range(1, n):
        if k == len(paths.score):
            paths = with_another(paths, k)
        paths.score[k] = score[k]
        for column in (paths.step, paths.key, paths.history):
            column[k] = k
    sort_list(paths, 1, n)
    order = sorted(range(1, n), key=lambda k: -score[k])
    assert paths.score[1:n].tolist() == score[order].tolist()
    for column in (paths.step, paths.key, paths.history):
        assert column[1:n, 0].tolist() == order
