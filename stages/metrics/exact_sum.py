"""Sums of floats that are exact, and so the same in any order and any grouping.

Every float is a whole multiple of 2^-1074, the smallest positive float, and Python's integers are
added exactly.  The quotient at the end is rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass

SMALLEST = 1074  # floats are multiples of 2^-SMALLEST


@dataclass(slots=True)
class ExactSum:
    """A sum of finite floats; `units` is the sum in units of 2^-1074."""

    units: int = 0

    def add(self, value: float) -> None:
        """Add a finite number."""
        top, bottom = value.as_integer_ratio()
        # bottom is 2^b with b = bit_length - 1, and top / 2^b is top 2^(1074 - b) units
        self.units += top << (SMALLEST + 1 - bottom.bit_length())

    def mean(self, count: int) -> float:
        """Return the sum divided by a count above 0, correctly rounded."""
        return self.units / (count << SMALLEST)
