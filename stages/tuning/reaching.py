"""Which hypotheses reach a reference: their words are those of one of the references."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.formats.text.words import words_of_text


def reaching(kbest: KBest, references: References | None) -> Flags:
    """Mask (n_hyps,) of the hypotheses whose words are a reference's; blanks do not count."""
    if references is None:
        return np.zeros(len(kbest), np.bool_)
    goals = {tuple(words_of_text(text)) for text in references.of_sentence(kbest.sid, kbest.id)}
    return np.array([tuple(words_of_text(text)) in goals for text in kbest.text], np.bool_)
