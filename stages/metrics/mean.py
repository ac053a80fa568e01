"""Metrics whose corpus value is the mean of sentence gains."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.report import Report

UNIT = 1_000_000_000  # gains add up as whole numbers, in parts of 1/UNIT


class Mean(Metric):
    """Statistics are the gain in units of 1/UNIT, and 1."""

    width: ClassVar[int] = 2
    silence: ClassVar[float | None] = None
    digits: ClassVar[int] = 4

    def possible(self, stats: Ints) -> Flags:
        """A gain of at most 1, of one hypothesis."""
        return np.asarray((stats[:, 0] <= UNIT) & (stats[:, 1] == 1))

    def sentence_gains(self, stats: Ints) -> Floats:
        """The gain itself."""
        return stats[:, 0] / UNIT

    def corpus_values(self, sums: Ints) -> Floats:
        """Means; 0 of nothing."""
        total, count = sums[:, 0] / UNIT, sums[:, 1]
        return np.divide(total, count, out=np.zeros(len(sums)), where=count > 0)

    def report(self, sums: npt.ArrayLike) -> Report:
        """The mean."""
        value = float(self.corpus_values(np.asarray(sums)[None])[0])
        return Report(self.name, self.signature(), value, f"{value:.{self.digits}f}")

    @abstractmethod
    def signature(self) -> tuple[str, ...]:
        """Parts of the signature in a report."""


def in_units(gain: Floats) -> Ints:
    """Statistics (n_hyps, 2) of gains (n_hyps,)."""
    units = np.rint(gain * UNIT).astype(np.int64)
    return np.stack([units, np.ones_like(units)], axis=1)
