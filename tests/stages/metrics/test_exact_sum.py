"""Sums of floats: exact, in any order."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.stages.metrics.exact_sum import ExactSum

finite = st.floats(allow_nan=False, allow_infinity=False)


def summed(values: list[float]) -> ExactSum:
    total = ExactSum()
    for value in values:
        total.add(value)
    return total


@given(st.lists(st.floats(-1e6, 1.0), min_size=1))
def test_the_mean_is_the_exact_one_rounded_once(values: list[float]) -> None:
    exact = sum(map(Fraction, values)) / len(values)
    assert summed(values).mean(len(values)) == float(exact)


@given(st.lists(finite), st.randoms(use_true_random=False))
def test_the_order_and_the_grouping_do_not_matter(values: list[float], rng: random.Random) -> None:
    mixed = rng.sample(values, len(values))
    half = len(values) // 2
    parts = ExactSum(summed(mixed[:half]).units + summed(mixed[half:]).units)
    assert parts == summed(values)


def test_what_floats_lose_is_kept() -> None:
    assert summed([1.0, 1e-300, -1.0]).mean(1) == 1e-300
    assert summed([5e-324, 5e-324]).mean(2) == 5e-324
    assert summed([0.1] * 10).mean(10) == 0.1


def test_what_is_no_number_is_refused() -> None:
    for value in (math.nan, math.inf):
        with pytest.raises((ValueError, OverflowError)):
            ExactSum().add(value)
