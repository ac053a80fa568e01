"""Stacks of the oracle search: the best of a linked list, and what is kept from then on."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from campanula.stages.kernels.oracle.stacks import best_of, empty_stacks, raise_least

FOLLOWING = np.array([-1, 0, 1, 2], np.int32)


def test_the_best_of_a_stack_are_the_oldest_of_equals() -> None:
    value = np.array([0.5, 0.9, 0.5, 0.9])
    stacks = empty_stacks(1)
    assert best_of(stacks, 0, FOLLOWING, value, 3).tolist() == [0]
    assert best_of(stacks, 1, FOLLOWING, value, 3).tolist() == []
    stacks.head[2], stacks.size[2] = 3, 4
    assert best_of(stacks, 2, FOLLOWING, value, 3).tolist() == [1, 3, 0]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.integers(1, 6))
def test_least_is_the_value_of_the_last_one_kept(values: list[int], keep: int) -> None:
    value, following = np.array(values, float), np.arange(-1, len(values) - 1, dtype=np.int32)
    stacks = empty_stacks(1)
    stacks.head[0], stacks.size[0] = len(values) - 1, len(values)
    raise_least(stacks, 0, following, value, keep)
    if len(values) <= keep:
        assert stacks.least[0] == -1.0
        return
    assert stacks.least[0] == sorted(values, reverse=True)[keep - 1]
    value += 10.0
    raise_least(stacks, 0, following, value, keep)  # nothing came since
    assert stacks.least[0] < 10.0
