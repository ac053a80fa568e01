"""Powers of ten in 128 bits, against fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from campanula.stages.kernels.text.powers import DOWN, LEAST, MOST, RECIPROCALS, UP, powers


@pytest.mark.parametrize("rounded", [UP, DOWN])
def test_every_power_is_as_near_as_128_bits_allow(rounded: bool) -> None:
    table = powers(rounded)
    assert len(table) == MOST - LEAST + 1
    for k, (high, low) in enumerate(table.tolist(), LEAST):
        number = high << 64 | low
        assert number >> 127 == 1
        exponent = (k * 217706) >> 16  # floor(k log2 10), as the readers of numbers have it
        exact = Fraction(10) ** k / Fraction(2) ** (exponent - 127)
        up = rounded or k in RECIPROCALS
        assert number == (-(-exact // 1) if up else exact // 1)


def test_the_table_cannot_be_written_to() -> None:
    assert not powers(UP).flags.writeable
    assert powers(UP) is powers(UP)
