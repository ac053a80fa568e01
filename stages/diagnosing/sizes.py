"""Whole numbers by how often they come: lengths of lists and of texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Ints


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean, lowest, median and highest of numbers; the median of an even count is a mean of two."""

    mean: float
    lowest: int
    median: float
    highest: int


class Sizes:
    """Counts of whole numbers from 0; the memory grows with the highest, not with their number."""

    def __init__(self) -> None:
        self._count = np.zeros(0, np.int64)

    def add(self, sizes: Ints) -> None:
        """Count numbers (n,)."""
        fresh = np.bincount(sizes, minlength=len(self._count))
        fresh[: len(self._count)] += self._count
        self._count = fresh

    def count(self, size: int) -> int:
        """Return how often a number was added."""
        return int(self._count[size]) if size < len(self._count) else 0

    @property
    def n(self) -> int:
        """Number of numbers that were added."""
        return int(self._count.sum())

    @property
    def total(self) -> int:
        """Sum of all numbers."""
        return int(self._count @ np.arange(len(self._count)))

    def spread(self) -> Spread | None:
        """Return the spread of the numbers; None where there are none."""
        n = self.n
        if not n:
            return None
        places = np.flatnonzero(self._count)
        below = np.cumsum(self._count)
        # the two middle numbers, which of an odd count are the same
        middle = np.searchsorted(below, [(n + 1) // 2, n // 2 + 1])
        return Spread(self.total / n, int(places[0]), float(middle.mean()), int(places[-1]))
