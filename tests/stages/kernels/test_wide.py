"""Whole numbers of 32 bits become 64 bits wide."""

import numpy as np

from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.wide import wide


@njit(cache=False)
def last_or_none(numbers):
    """The last number, or -1; `wide` gives both ways one type."""
    last = wide(-1)
    for number in numbers:
        last = wide(number)
    return last << 33


def test_a_number_of_32_bits_has_room_for_64():
    assert last_or_none(np.array([1, 3], np.int32)) == 3 << 33
    assert last_or_none(np.empty(0, np.int32)) == -(1 << 33)
