"""Which hypotheses reach a reference: their words are those of one of the references."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags
from campanula.formats.records.kbest import KBest
from campanula.formats.text.references import References


def reaching(kbest: KBest, references: References | None) -> Flags:
    """Mask (n_hyps,) of the hypotheses whose words are a reference's; blanks do not count."""
    if references is None:
        return np.zeros(len(kbest), np.bool_)
    goals = {tuple(text.split()) for text in references.texts(kbest.sid)}
    return np.array([tuple(text.split()) in goals for text in kbest.text], np.bool_)
