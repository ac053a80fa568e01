"""Decimals read as doubles, against Python's float, bit by bit."""

from __future__ import annotations

import math
import random
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.arrays.types import Bytes, Ints, Words64
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.text.numbers import UNDECIDED, read
from campanula.stages.kernels.text.powers import DOWN, powers

DIGITS = st.text("0123456789", max_size=24)
SPELT = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "-", "+"]),
    DIGITS,
    st.sampled_from(["", "."]),
    DIGITS,
)
EXPONENT = st.sampled_from(["", "e5", "E-5", "e+12", "e-30", "e300", "e-320", "e", "e-", "e99999"])
plain: Any = {"cache": True, "nogil": True, "_nrt": False}


@njit(**plain)
def read_all(byte: Bytes, start: Ints, end: Ints, bits: Ints, power: Words64) -> None:
    for i in range(len(start)):
        bits[i], end[i] = read(byte, start[i], power)


def values(tokens: list[str]) -> list[float | None]:
    """Every token's value; None for what is not read, or not to its end."""
    byte = np.frombuffer((" ".join(tokens) + " " * 16).encode(), np.uint8)
    length = np.array([len(token) for token in tokens])
    start = np.concatenate([[0], np.cumsum(length + 1)[:-1]])
    end, bits = np.zeros_like(start), np.zeros_like(start)
    read_all(byte, start, end, bits, powers(DOWN))
    found = bits.view(np.float64).tolist()
    whole = (bits != UNDECIDED) & (end == start + length)
    return [value if is_read else None for value, is_read in zip(found, whole, strict=True)]


def expected(token: str) -> float | None:
    """What float makes of it."""
    try:
        return float(token)
    except ValueError:
        return None


def check(tokens: list[str]) -> int:
    """Compare those that are read; return how many."""
    pairs = list(zip(tokens, values(tokens), strict=True))
    wrong = [
        (token, value)
        for token, value in pairs
        if value is not None and value.hex() != getattr(expected(token), "hex", str)()
    ]
    assert wrong == []
    return sum(value is not None for _, value in pairs)


@given(st.lists(st.builds("{}{}".format, SPELT, EXPONENT), min_size=1, max_size=9))
def test_decimals(tokens: list[str]) -> None:
    check(tokens)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=9))
def test_all_normal_doubles_are_read(numbers: list[float]) -> None:
    normal = [value for value in numbers if value == 0.0 or abs(value) >= 2.3e-308]
    assert check([repr(value) for value in normal] or ["0"]) == max(len(normal), 1)


def test_what_is_no_number_is_not_read() -> None:
    odd = ["", "-", ".", "+-3", "e5", "1e", "1_0", "nan", "inf", "0x1", "1,5", "-.", "1e+", "1.2.3"]
    assert values(odd) == [None] * len(odd)
    assert values(["1e400", "5e-324"]) == [None, None]  # left to float
    assert values(["-0", ".5", "5.", "+3", "1E5"]) == [0.0, 0.5, 5.0, 3.0, 1e5]


def test_between_two_doubles() -> None:
    """Halfway goes to the even one; a digit far behind decides."""
    rng = random.Random(1)
    halves = [str(2 * rng.randrange(1 << 52, 1 << 53) + 1) for _ in range(300)]
    assert check(halves) == len(halves)
    assert check([f"{half}.0000001" for half in halves]) < len(halves)  # two answers: left to float
    for tokens in ([f"{int(half) / 4!r}" for half in halves], [f"{half}e-20" for half in halves]):
        assert check(tokens) > 0


@pytest.mark.parametrize("form", ["{!r}", "{:.17e}", "{:.6f}", "{:.3f}", "{:.25e}", "{:.19g}"])
def test_random_numbers(form: str) -> None:
    rng = np.random.default_rng(len(form))
    n = 200 if isinstance(read_all, FunctionType) else 20_000  # where Python runs the kernels
    bits = rng.integers(0, 1 << 63, n).view(np.float64)
    models = rng.normal(size=n) * 10.0 ** rng.integers(-6, 7, n)
    for numbers in (bits[np.isfinite(bits)].tolist(), models.tolist()):
        tokens = [form.format(value) for value in numbers if math.isfinite(value)]
        assert check(tokens) >= 0.9 * len(tokens)  # the others, few, are left to float
