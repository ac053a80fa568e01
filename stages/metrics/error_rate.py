"""The common part of WER, CER, SER and TER: errors over words; lower is better."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.metrics.metric import Bounds, Metric, best


class ErrorRate(Metric):
    """Statistics are edits and words; a gain is 1 - edits / words, not cut off at 0.

    Gains cut off at 0 would tie all hypotheses that have an error a word or more.
    """

    width: ClassVar[int] = 2
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[Bounds] = (0.0, math.inf)  # more edits than words: above 100 %
    silence: ClassVar[float | None] = None  # an empty hypothesis is right for an empty reference

    def sentence_gains(self, stats: Ints) -> Floats:
        """Return 1 - edits / words (n_hyps,), which may be below 0; no words count as one."""
        edits = stats[:, 0]
        words = stats[:, 1]
        return 1.0 - edits / np.where(words > 0, words, self.one_word)

    @property
    def one_word(self) -> int:
        """Number that stands for one word in the statistics."""
        return 1

    def corpus_values(self, sums: Ints) -> Floats:
        """Return 1 - edits / words (m,), which may be below 0."""
        return 1.0 - rates(sums)

    def oracles(self, gain: Floats, stats: Ints | None, n: int) -> Ints:
        """Return the places of the n lowest rates, also where another program made the gains."""
        return best(gain if stats is None else self.sentence_gains(stats), n)


def rates(stats: Ints) -> Floats:
    """Return edits over words (m,) of statistics (m, 2); without words 1 for any edits, else 0."""
    edits = stats[:, 0]
    words = stats[:, 1]
    of_nothing = (edits > 0).astype(np.float64)
    # sums without words are of empty references: edits there are errors all the same
    return np.divide(edits, words, out=of_nothing, where=words > 0)
