"""Metrics whose corpus value is the mean of sentence gains."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.report import Report

UNIT = 1_000_000_000  # gains are added as whole multiples of 1/UNIT, exact in any order


class Mean(Metric):
    """Statistics are the gain in units of 1/UNIT, and 1."""

    width: ClassVar[int] = 2
    silence: ClassVar[float | None] = None
    digits: ClassVar[int] = 4

    def possible(self, stats: Ints) -> Flags:
        """Return which rows (n,) are a gain of at most 1 and a count of 1."""
        # gains may be below 0, so numbers may be, too: the check of other metrics is left out
        return np.asarray((stats[:, 0] <= UNIT) & (stats[:, 1] == 1))

    def sentence_gains(self, stats: Ints) -> Floats:
        """Return the gains (n_hyps,) in the statistics."""
        return stats[:, 0] / UNIT

    def corpus_values(self, sums: Ints) -> Floats:
        """Return the means (m,); 0 for a sum of no sentences."""
        total = sums[:, 0] / UNIT
        count = sums[:, 1]
        return np.divide(total, count, out=np.zeros(len(sums)), where=count > 0)

    def report(self, sums: npt.ArrayLike) -> Report:
        """Return the mean."""
        value = float(self.corpus_values(np.asarray(sums)[None])[0])
        return Report(self.name, self.signature(), value, f"{value:.{self.digits}f}")

    @abstractmethod
    def signature(self) -> tuple[str, ...]:
        """Return the parts of the signature in a report."""


def in_units(gain: Floats) -> Ints:
    """Return the statistics (n_hyps, 2) of gains (n_hyps,)."""
    units = np.rint(gain * UNIT).astype(np.int64)
    return np.stack([units, np.ones_like(units)], axis=1)
