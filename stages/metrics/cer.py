"""Character error rate: edits of characters to the nearest reference, white space left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from campanula.formats.arrays.types import Ints
from campanula.stages.metrics.metric import LOWERCASE
from campanula.stages.metrics.wer import Wer

if TYPE_CHECKING:
    from campanula.stages.metrics.sentence import SentenceTexts


class Cer(Wer):
    """Statistics are edits to the nearest reference, and its characters: WER's of `tok:char`."""

    own_name: ClassVar[str] = "cer"
    gain_names: ClassVar[tuple[str, ...]] = ("1-cer",)
    takes: ClassVar[tuple[str, ...]] = (LOWERCASE,)
    title: ClassVar[str] = "CER"

    def statistics(self, sentence: SentenceTexts) -> Ints:
        """Return statistics (n_hyps, 2)."""
        from campanula.stages.kernels.metrics.edits import word_errors

        return word_errors(*sentence.characters[:4])
