"""chrF2 and chrF2++: F-score of n-grams of characters, and of words (Popovic 2015, 2017)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.metrics.metric import PERCENT, Bounds, Metric

if TYPE_CHECKING:
    from campanula.stages.metrics.report import Report
    from campanula.stages.metrics.sacrebleu_parts import Judge
    from campanula.stages.metrics.sentence import SentenceTexts

CHARACTERS = 6
"""The longest n-gram of characters."""


class Chrf(Metric):
    """Statistics, order by order: n-grams of the hypothesis, of the reference, matches.

    The reference is that of highest chrF.
    """

    own_name: ClassVar[str] = "chrf"
    width: ClassVar[int] = 3 * CHARACTERS
    bounds: ClassVar[Bounds] = PERCENT
    gain_names: ClassVar[tuple[str, ...]] = ("chrf",)
    word_order: ClassVar[int] = 0

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Return statistics (n_hyps, width)."""
        from campanula.stages.kernels.metrics.chrf import best_reference
        from campanula.stages.kernels.metrics.ngram_matches import chrf_counts

        counts = chrf_counts(*sentence.characters, CHARACTERS)
        if self.word_order:
            words = chrf_counts(*sentence.parts, self.word_order)
            counts = np.concatenate([counts, words], axis=2)
        # orders side by side: the reference is chosen by all of them, not order by order
        return best_reference(counts.reshape(*counts.shape[:2], -1))

    def sentence_gains(self, stats: Ints) -> Floats:
        """Return chrF of each hypothesis (n_hyps,)."""
        from campanula.stages.kernels.metrics.chrf import chrf

        return chrf(stats)

    def possible(self, stats: Ints) -> Flags:
        """Return which rows (n,) have no more matches than n-grams of either side."""
        counts = stats.reshape(len(stats), -1, 3)
        matches = counts[:, :, 2] <= np.minimum(counts[:, :, 0], counts[:, :, 1])
        return super().possible(stats) & matches.all(axis=1)

    def corpus_values(self, sums: Ints) -> Floats:
        """Return chrF (m,) in [0, 1]."""
        from campanula.stages.kernels.metrics.chrf import chrf

        return chrf(sums)

    def report(self, sums: npt.ArrayLike) -> Report:
        """Return sacrebleu's chrF, in percent."""
        from campanula.stages.metrics import sacrebleu_parts

        return sacrebleu_parts.report(self.judge(), self.judged(sums), self.n_refs)

    def judge(self) -> Judge:
        """Return sacrebleu's chrF, or chrF++ with a word order of 2."""
        from campanula.stages.metrics import sacrebleu_parts

        return sacrebleu_parts.chrf(self.word_order, self.lowercase)


class ChrfPlusPlus(Chrf):
    """Statistics as those of Chrf, then those of n-grams of up to two words."""

    own_name: ClassVar[str] = "chrf++"
    width: ClassVar[int] = 3 * (CHARACTERS + 2)
    gain_names: ClassVar[tuple[str, ...]] = ("chrf++",)
    word_order: ClassVar[int] = 2
