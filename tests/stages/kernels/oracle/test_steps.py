"""The steps of the oracle search, one by one."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.oracle import steps as oracle_steps


def steps(place: list[int], swap: bool, n_classes: list[list[int]]) -> list[list[int]]:
    rows = np.empty((12, 6), np.int64)
    n = oracle_steps.steps_from(
        np.array(place, np.int32), swap, np.array(n_classes, np.int32), rows
    )
    return rows[:n].tolist()


def test_monotone_steps_begin_at_the_first_free_word() -> None:
    n_classes = [[1, 1], [1, 0], [1, 0]]
    assert steps([0, 0, 0, 0, 0, 0], False, n_classes) == [[0, 1, 1, 0, 0, 0], [0, 2, 2, 0, 0, 0]]
    assert steps([1, 0, 0, 0, 0, 0], False, n_classes) == [[1, 1, 2, 0, 0, 0]]


def test_a_swap_leaves_a_gap_that_one_block_fills_at_once() -> None:
    n_classes = [[1, 0], [1, 1], [1, 0]]
    found = steps([0, 0, 0, 0, 0, 0], True, n_classes)
    assert found == [[0, 1, 1, 0, 0, 0], [1, 1, 0, 1, 2, 1], [1, 2, 0, 1, 3, 1]]
    assert steps([0, 1, 3, 1, 0, 0], True, n_classes) == [[0, 1, 3, 0, 0, 1]]
