"""Word error rate: word edits to the nearest reference (Niessen et al. 2000)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from campanula.formats import __version__
from campanula.formats.arrays.types import Ints
from campanula.stages.metrics.error_rate import ErrorRate
from campanula.stages.metrics.metric import LOWERCASE, TOKENIZE
from campanula.stages.metrics.report import Report

if TYPE_CHECKING:
    from campanula.stages.metrics.sentence import SentenceTexts


class Wer(ErrorRate):
    """Statistics are edits to the nearest reference, and its words."""

    own_name: ClassVar[str] = "wer"
    gain_names: ClassVar[tuple[str, ...]] = ("1-wer",)
    takes: ClassVar[tuple[str, ...]] = (LOWERCASE, TOKENIZE)
    title: ClassVar[str] = "WER"

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Return statistics (n_hyps, 2)."""
        from campanula.stages.kernels.metrics.edits import word_errors

        return word_errors(*sentence.words[:4])

    def report(self, sums: npt.ArrayLike) -> Report:
        """Return the rate in percent; sacrebleu has no WER, so the version is that of campanula."""
        # corpus values are 1 less the rate, so that higher ones are better
        value = 100.0 * (1.0 - float(self.corpus_values(np.asarray(sums)[None])[0]))
        settings = (f"nrefs:{self.n_refs}", f"case:{self.case}", f"tok:{self.tokenize}")
        version = f"version:campanula-{__version__}"
        return Report(self.title, (*settings, version), value, f"{value:.{self.digits}f}")
