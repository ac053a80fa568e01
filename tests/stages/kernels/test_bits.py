"""Whole numbers in LLVM's terms are those of Python."""

from __future__ import annotations

from campanula.stages.kernels.bits import natural, trailing_zeros
from campanula.stages.kernels.compiled import njit


@njit(cache=False)
def lowest(number):
    return trailing_zeros(number)


@njit(cache=False)
def entry(row, place):
    return row[natural(place)]


def test_the_lowest_bit_is_found_in_kernels_and_in_python():
    for number in (1, 2, 12, 1 << 62, ~0b111, -1):
        expected = next(k for k in range(64) if number >> k & 1)
        assert lowest(number) == expected
        assert trailing_zeros(number) == expected


def test_a_natural_number_is_the_number():
    assert [entry((5, 6, 7), place) for place in (0, 2)] == [5, 7]
    assert natural(3) == 3
