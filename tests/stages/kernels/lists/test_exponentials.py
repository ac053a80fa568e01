"""Powers of e beside the library's."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.lists.exponentials import exponentials, largest


def powers(x: np.ndarray, shift: float = 0.0) -> np.ndarray:
    out = np.empty(len(x))
    exponentials(x, shift, out)
    return out


def test_powers_are_those_of_the_library_to_two_units_in_the_last_place() -> None:
    rng = np.random.default_rng(1)
    x = -np.concatenate([np.linspace(0.0, 708.0, 20_001), rng.exponential(2.0, 20_000), [1e-300]])
    expected = np.exp(x)
    assert (np.abs(powers(x) - expected) <= 2 * np.spacing(expected)).all()


def test_zero_gives_one_and_what_is_far_below_next_to_nothing() -> None:
    found = powers(np.array([3.0, -1e5, -np.inf]), shift=3.0)
    assert found[0] == 1.0
    assert found[1] == found[2] == pytest.approx(np.exp(-708), rel=1e-15)


def test_a_shift_is_taken_off_first() -> None:
    x = np.random.default_rng(2).normal(0.0, 3.0, 101)
    assert powers(x, x.max()) == pytest.approx(np.exp(x - x.max()), rel=1e-15)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 101])
def test_the_largest(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    assert largest(x) == x.max()
    assert largest(np.full(n, -np.inf)) == -np.inf
