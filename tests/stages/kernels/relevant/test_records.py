"""Pointers of packed sets."""

import numpy as np

from tests.stages.kernels.relevant.packed import packed


def test_pointers_go_from_0_to_the_ends_of_what_they_point_into():
    sets = packed(seed=1).sets
    for pointer, array in (
        (sets.pointer, sets.gain),
        (sets.common_pointer, sets.common),
        (sets.rare_pointer, sets.rare),
        (sets.valued_pointer, sets.value),
        (sets.binary_pointer, sets.binary_code),
    ):
        assert (pointer[0], pointer[-1]) == (0, len(array))
        assert (np.diff(pointer) >= 0).all()
