"""What WER and TER share: edits over words of the references, of which fewer are better."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.metrics.metric import Bounds, Metric, best


class ErrorRate(Metric):
    """Statistics are edits and words; a gain is 1 - edits / words, not cut off at 0.

    A gain that were cut off would make a tie of all that have an error a word or more.
    """

    width: ClassVar[int] = 2
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[Bounds] = (0.0, math.inf)  # more edits than words: above 100 %
    silence: ClassVar[float | None] = None  # silence where nothing is to be said is right

    def sentence_gains(self, stats: Ints) -> Floats:
        """1 - edits / words, which falls below 0; edits of no word count as of one."""
        edits, words = stats[:, 0], stats[:, 1]
        return 1.0 - edits / np.where(words > 0, words, self.one_word)

    @property
    def one_word(self) -> int:
        """A word as the statistics count it."""
        return 1

    def corpus_values(self, sums: Ints) -> Floats:
        """1 - edits / words, which may fall below 0."""
        return 1.0 - rates(sums)

    def oracles(self, gain: Floats, stats: Ints | None, n: int) -> Ints:
        """The lowest rates, whoever made the gains."""
        return best(gain if stats is None else self.sentence_gains(stats), n)


def rates(stats: Ints) -> Floats:
    """Edits over words (m,) of statistics (m, 2); 1 for edits of no word, 0 for none of none."""
    edits, words = stats[:, 0], stats[:, 1]
    of_nothing = (edits > 0).astype(np.float64)
    return np.divide(edits, words, out=of_nothing, where=words > 0)
