"""Shortest decimals of doubles, against Python's repr, character by character."""

from __future__ import annotations

import math
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.arrays.types import Bytes, Floats, Ints, Words64
from campanula.formats.nbest.pages import spell as by_repr
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.text.powers import UP, powers
from campanula.stages.kernels.text.spelling import LONGEST, spell

MANY = 100_000
FINITE = st.floats(allow_nan=False, allow_infinity=False)
plain: Any = {"cache": True, "nogil": True, "_nrt": False}


@njit(**plain)
def spell_all(out: Bytes, end: Ints, bits: Ints, power: Words64) -> None:
    at = 0
    for i in range(len(bits)):
        at = spell(out, at, bits[i], power)
        end[i] = at


def spelled(values: Floats) -> list[str]:
    """Every number as the kernel writes it."""
    out, end = np.empty(LONGEST * (len(values) + 1), np.uint8), np.zeros(len(values), np.int64)
    spell_all(out, end, values.view(np.int64), powers(UP))
    text = out.tobytes()
    starts = [0, *end[:-1].tolist()]
    return [text[a:b].decode() for a, b in zip(starts, end.tolist(), strict=True)]


def check(values: Floats) -> None:
    """Compare with repr; a number that differs is told."""
    found = zip(values.tolist(), spelled(values), strict=True)
    assert [(value, text) for value, text in found if text != by_repr(value)] == []


def test_ends_and_edges() -> None:
    powers_of_two = [math.ldexp(1.0, k) for k in range(-1074, 1024)]
    beside = [math.nextafter(v, to) for v in powers_of_two for to in (0.0, math.inf)]
    tens = [float(f"{m}e{k}") for k in range(-323, 308) for m in (1, 2, 5, 9.5, 99, 123456789)]
    whole = [2.0**53 + 2 * k for k in range(-9, 9)] + [1e15, 1e16, 1e17, 123456789012345680.0]
    special = [0.0, -0.0, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 1e-4, 1e-5]
    values = np.array([*powers_of_two, *beside, *tens, *whole, *special])
    values = values[np.isfinite(values)]
    check(values)
    check(-values)


@pytest.mark.parametrize("seed", range(2))
def test_random_bits_and_numbers_of_models(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 500 if isinstance(spell_all, FunctionType) else MANY  # where Python runs the kernels
    bits = rng.integers(0, 1 << 63, n).view(np.float64)
    check(bits[np.isfinite(bits)])
    check(rng.normal(size=n) * 10.0 ** rng.integers(-8, 9, n))
    check(np.round(rng.normal(size=n) * 100, 3))
    check(rng.normal(size=n).astype(np.float32).astype(np.float64))
    check(rng.integers(-(10**17), 10**17, n).astype(np.float64))
    check(np.log(rng.random(n)))


@given(st.lists(FINITE, min_size=1, max_size=9))
def test_any_number(values: list[float]) -> None:
    check(np.array(values, np.float64))
