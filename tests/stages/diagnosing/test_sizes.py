"""Sizes: mean, median and ends of counted numbers are those of the numbers themselves."""

from statistics import mean, median

import numpy as np
import pytest

from campanula.stages.diagnosing.sizes import Sizes, Spread


@pytest.mark.parametrize("seed", range(6))
def test_the_spread_is_that_of_all_numbers(seed):
    rng = np.random.default_rng(seed)
    parts = [rng.integers(0, high, n) for high, n in ((5, 3), (40, 6), (1, 2), (9, 1 + seed))]
    sizes = Sizes()
    for part in parts:
        sizes.add(part)
    numbers = np.concatenate(parts).tolist()
    expected = Spread(mean(numbers), min(numbers), median(numbers), max(numbers))
    assert sizes.spread() == expected
    assert (sizes.n, sizes.total) == (len(numbers), sum(numbers))
    assert [sizes.count(n) for n in range(50)] == [numbers.count(n) for n in range(50)]


def test_no_number_has_no_spread():
    assert Sizes().spread() is None
    assert (Sizes().n, Sizes().total, Sizes().count(0)) == (0, 0, 0)
