"""Sums of floats that are exact, and so the same in any order and any grouping.

A float is a whole number of 2^-1074, the smallest there is, and whole numbers of Python add up
exactly.  The quotient at the end is rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass

SMALLEST = 1074  # floats are multiples of 2^-SMALLEST


@dataclass(slots=True)
class ExactSum:
    """A sum of finite floats; `units` is it in units of 2^-1074."""

    units: int = 0

    def add(self, value: float) -> None:
        """Add a finite number."""
        top, bottom = value.as_integer_ratio()
        self.units += top << (SMALLEST + 1 - bottom.bit_length())

    def mean(self, count: int) -> float:
        """The sum divided by a count above 0, correctly rounded."""
        return self.units / (count << SMALLEST)
