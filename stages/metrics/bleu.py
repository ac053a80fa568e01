"""BLEU, with six sentence gains (kernels/metrics/bleu.py has their formulas)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy.typing as npt

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.metrics.metric import LOWERCASE, PERCENT, TOKENIZE, Bounds, Metric

if TYPE_CHECKING:
    from campanula.stages.metrics.report import Report
    from campanula.stages.metrics.sacrebleu_parts import Judge
    from campanula.stages.metrics.sentence import SentenceTexts

SMOOTHED = {"floor": 0.1, "add-k": 1.0}
"""The gains that have a setting, `--smooth-value`, with sacrebleu's defaults."""

UNPENALISED = "gain_without_brevity_penalty"
# columns of the statistics
LENGTH = 0
REF_LENGTH = 1
MATCHES = slice(2, 6)
TOTALS = slice(6, 10)


class Bleu(Metric):
    """Statistics in sacrebleu's order: c, r, matches of 1..4, totals of 1..4."""

    own_name: ClassVar[str] = "bleu"
    width: ClassVar[int] = 10
    gain_names: ClassVar[tuple[str, ...]] = ("bleu+1", "he-deng", "none", "floor", "add-k", "exp")
    takes: ClassVar[tuple[str, ...]] = (LOWERCASE, TOKENIZE)
    has_bleu_statistics: ClassVar[bool] = True
    bounds: ClassVar[Bounds] = PERCENT
    most_settings: ClassVar[int] = 1  # of a smoothing
    further_gain_names: ClassVar[tuple[str, ...]] = (UNPENALISED,)

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Return statistics (n_hyps, 10)."""
        from campanula.stages.kernels.metrics.ngram_matches import bleu_statistics

        return bleu_statistics(*sentence.words)

    def sentence_gains(self, stats: Ints) -> Floats:
        """Return smoothed BLEU of each hypothesis (n_hyps,)."""
        from campanula.stages.kernels.metrics import bleu as kernel

        smoothing = {
            "bleu+1": kernel.ADD_K,
            "he-deng": kernel.HE_DENG,
            "none": kernel.NONE,
            "floor": kernel.FLOOR,
            "add-k": kernel.ADD_K,
            "exp": kernel.EXP,
        }[self.gain]
        amount = self.gain_settings[0] if self.gain_settings else SMOOTHED.get(self.gain, 1.0)
        return kernel.bleu_gains(stats, smoothing, amount)

    def further_gains(self, stats: Ints) -> dict[str, Floats]:
        """Return the gain as if the reference were as long as the hypothesis: no brevity penalty.

        Tillmann and Zhang plot its mean over a training corpus (section VI-A).
        """
        # a copy: the statistics are written to the output after this
        as_long = stats.copy()
        as_long[:, REF_LENGTH] = stats[:, LENGTH]
        return {UNPENALISED: self.sentence_gains(as_long)}

    def possible(self, stats: Ints) -> Flags:
        """Return which rows (n,) have matches <= n-grams <= words, order by order."""
        matches, totals, words = _counts(stats)
        return super().possible(stats) & ((matches <= totals) & (totals <= words)).all(axis=1)

    def all_possible(self, stats: Ints) -> bool:
        """Return whether `possible` is true of all rows, without a mask of rows: this is faster."""
        matches, totals, words = _counts(stats)
        sound = (stats >= 0).all() and (matches <= totals).all() and (totals <= words).all()
        return bool(sound)

    def corpus_values(self, sums: Ints) -> Floats:
        """Return BLEU (m,) in [0, 1], smoothed as sacrebleu's corpus BLEU (exp)."""
        from campanula.stages.kernels.metrics.bleu import corpus_bleu

        return corpus_bleu(sums)

    def report(self, sums: npt.ArrayLike) -> Report:
        """Return sacrebleu's BLEU, in percent; without its tokenizers sacrebleu is not loaded."""
        if self.tokenize == "none":
            from campanula.stages.metrics import corpus_bleu

            return corpus_bleu.report(self.judged(sums).tolist(), self.n_refs, self.case)
        from campanula.stages.metrics import sacrebleu_parts

        return sacrebleu_parts.report(self.judge(), self.judged(sums), self.n_refs)

    def judge(self) -> Judge:
        """Return sacrebleu's BLEU."""
        from campanula.stages.metrics import sacrebleu_parts

        return sacrebleu_parts.bleu(self.tokenize, self.lowercase)


def _counts(stats: Ints) -> tuple[Ints, Ints, Ints]:
    """Return matches and n-grams by order (n, 4), and words (n, 1), of statistics (n, 10)."""
    return stats[:, MATCHES], stats[:, TOTALS], stats[:, LENGTH, None]
