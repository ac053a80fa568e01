"""Eight digits of doubles, against Python's own format, character by character."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.arrays.types import Bytes, Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.text.eight_digits import LEAST, MOST, can_spell, spell_eight
from campanula.stages.kernels.text.spelling import LONGEST

MANY = 20_000
plain: Any = {"cache": True, "nogil": True, "_nrt": False}


@njit(**plain)
def spell_all(out: Bytes, end: Ints, values: Floats) -> None:
    at = 0
    for i in range(len(values)):
        at = spell_eight(out, at, values[i])
        end[i] = at


def assert_spelled(values: Floats) -> None:
    assert can_spell(values).all()
    out, end = np.empty(LONGEST * (len(values) + 1), np.uint8), np.zeros(len(values), np.int64)
    spell_all(out, end, values)
    text = out.tobytes()
    starts = [0, *end[:-1].tolist()]
    found = [text[a:b].decode() for a, b in zip(starts, end.tolist(), strict=True)]
    assert found == [f"{value:.8g}" for value in values.tolist()]


def test_logarithms() -> None:
    rng = np.random.default_rng(0)
    assert_spelled(np.log10(rng.random(MANY)))
    assert_spelled(-(10.0 ** rng.uniform(-13.9, 6.9, MANY)))


def test_halves_and_their_neighbours() -> None:
    """Numbers in the middle of two of eight digits, some exactly there, and those beside them."""
    rng = np.random.default_rng(1)
    whole = rng.integers(10**7, 10**8, MANY // 8) + 0.5
    for power in (2.0**-4, 2.0**-7, 1e-3, 1e-7, 1e-10):
        middle = whole * power
        middle = middle[middle < MOST]
        assert_spelled(np.concatenate([middle, np.nextafter(middle, 0), np.nextafter(middle, 1e9)]))
    quarter = rng.integers(10**6, 10**7, 1000) + rng.choice([0.25, 0.75], 1000)
    assert_spelled(quarter)
    assert_spelled(np.floor(quarter / 100) + rng.choice([0.03125, 0.09375], 1000))


def test_powers_of_ten_and_their_neighbours() -> None:
    power = 10.0 ** np.arange(-13, 7)
    values = np.concatenate(
        [power, np.nextafter(power, 0), np.nextafter(power, 1e9), 9.99999996 * power]
    )
    values = values[values < MOST]
    assert_spelled(np.concatenate([values, -values, [0.0, LEAST]]))


@given(st.floats(LEAST, math.nextafter(MOST, 0)))
def test_any(value: float) -> None:
    assert_spelled(np.array([value, -value]))


@pytest.mark.parametrize("value", [-0.0, math.nextafter(LEAST, 0), MOST, -1e30, math.inf, math.nan])
def test_what_it_cannot_write(value: float) -> None:
    assert not can_spell(np.array([value])).any()
