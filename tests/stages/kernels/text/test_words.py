"""Words in bytes, and their product, against Python's whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.arrays.types import Bytes, Ints, Words64
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.text.words import BLOCK, get, leading_zeros, move, put, wide_product

WORD = st.integers(0, (1 << 64) - 1)
plain: Any = {"cache": False, "nogil": True}


@njit(**plain)
def products(a: Words64, b: Words64, more: Words64, high: Words64, low: Words64) -> None:
    for i in range(len(a)):
        high[i], low[i] = wide_product(a[i], b[i], more[i])


@njit(**plain)
def swapped(byte: Bytes, out: Bytes) -> None:
    """Two words, the second first, from an odd place to another; then sixteen bytes."""
    put(out, 3, np.int64(get(byte, 9)))
    put(out, 11, np.int64(get(byte, 1)))
    move(out, 20, byte, 2)


@njit(**plain)
def count_zeros(words: Words64, out: Ints) -> None:
    for i in range(len(words)):
        out[i] = leading_zeros(words[i])


def test_leading_zeros() -> None:
    words = np.array([0, 1, 2, 255, 1 << 62, (1 << 64) - 1], np.uint64)
    out = np.zeros(len(words), np.int64)
    count_zeros(words, out)
    assert out.tolist() == [64, 63, 62, 56, 1, 0]


@given(st.lists(st.tuples(WORD, WORD, WORD), min_size=1, max_size=9))
def test_products(rows: list[tuple[int, int, int]]) -> None:
    a, b, more = np.array(rows, np.uint64).T.copy()
    high, low = np.zeros_like(a), np.zeros_like(a)
    products(a, b, more, high, low)
    found = [int(h) << 64 | int(x) for h, x in zip(high, low, strict=True)]
    assert found == [x * y + z for x, y, z in rows]


def test_bytes_at_any_place() -> None:
    byte = np.arange(200, 240, dtype=np.uint8)
    out = np.zeros(40, np.uint8)
    swapped(byte, out)
    assert out[3:19].tolist() == [*range(209, 217), *range(201, 209)]
    assert out[20 : 20 + BLOCK].tolist() == list(range(202, 202 + BLOCK))
    assert out[:3].sum() == out[19] == out[36:].sum() == 0
