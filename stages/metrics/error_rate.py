"""What WER and TER share: edits over words of the references, of which fewer are better."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.metrics.metric import Metric, best


class ErrorRate(Metric):
    """Statistics are edits and words; a gain is 1 - edits / words, at least 0."""

    width: ClassVar[int] = 2
    higher_is_better: ClassVar[bool] = False

    def sentence_gains(self, stats: Ints) -> Floats:
        """1 - edits / words, at least 0; without a reference word 0."""
        return np.where(stats[:, 1] > 0, np.maximum(0.0, 1.0 - rates(stats)), 0.0)

    def corpus_values(self, sums: Ints) -> Floats:
        """1 - edits / words, which may fall below 0."""
        return 1.0 - rates(sums)

    def oracles(self, gain: Floats, stats: Ints | None, n: int) -> Ints:
        """The lowest rates: gains that are cut off at 0 tell them apart no more."""
        return best(gain if stats is None else 1.0 - rates(stats), n)


def rates(stats: Ints) -> Floats:
    """Edits over words (m,) of statistics (m, 2); 1 for edits of no word, 0 for none of none."""
    edits, words = stats[:, 0], stats[:, 1]
    of_nothing = (edits > 0).astype(np.float64)
    return np.divide(edits, words, out=of_nothing, where=words > 0)
