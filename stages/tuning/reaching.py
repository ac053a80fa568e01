"""Which hypotheses reach a reference: have the words of one of the sentence's references."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References
from campanula.formats.text.words import words_of_text


def reaching(kbest: KBest, references: References | None) -> Flags:
    """Return the mask (n_hyps,) of the hypotheses with the words of a reference.

    Blanks do not count.  Without references no hypothesis reaches one.
    """
    if references is None:
        return np.zeros(len(kbest), np.bool_)
    goals = {tuple(words_of_text(text)) for text in references.of_sentence(kbest.sid, kbest.id)}
    return np.array([tuple(words_of_text(text)) in goals for text in kbest.text], np.bool_)
