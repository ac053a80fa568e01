"""Translation edit rate: word edits and shifts of phrases (Snover et al. 2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.metrics.error_rate import ErrorRate

if TYPE_CHECKING:
    from campanula.stages.metrics.report import Report
    from campanula.stages.metrics.sacrebleu_parts import Judge
    from campanula.stages.metrics.sentence import SentenceTexts


class Ter(ErrorRate):
    """Statistics are the fewest edits to a reference and the references' average length.

    Both are n_refs times as large, and so whole numbers.
    """

    own_name: ClassVar[str] = "ter"
    gain_names: ClassVar[tuple[str, ...]] = ("1-ter",)

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Return statistics (n_hyps, 2)."""
        from campanula.stages.kernels.metrics.edits import translation_errors

        return translation_errors(*sentence.words[:4])

    @property
    def one_word(self) -> int:
        """One word in the statistics: it counts once for each reference."""
        return self.n_refs

    def report(self, sums: npt.ArrayLike) -> Report:
        """Return sacrebleu's TER, in percent."""
        from campanula.stages.metrics import sacrebleu_parts

        return sacrebleu_parts.report(self.judge(), self.judged(sums), self.n_refs)

    def judge(self) -> Judge:
        """Return sacrebleu's TER, which here tells case apart unless `lowercase` is set."""
        from campanula.stages.metrics import sacrebleu_parts

        return sacrebleu_parts.ter(self.lowercase)

    def judged(self, stats: npt.ArrayLike) -> Floats:
        """Return edits and the references' average length, not times n_refs."""
        return np.asarray(stats, np.float64) / self.n_refs
