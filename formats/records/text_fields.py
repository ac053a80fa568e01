"""Text fields of k-best lists: their texts, and numbers that stand in them."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import LineError, ListError
from campanula.formats.records.kbest import KBest
from campanula.formats.records.texts import Texts
from campanula.formats.text.numbers import finite_number


def texts_of_field(kbest: KBest, name: str) -> Texts:
    """Return the texts (n_hyps,) of a list's field; raises ListError for a field that it lacks."""
    if name not in kbest.fields:
        present = ", ".join(kbest.fields) or "none"
        raise ListError(f"expected a text field {name!r}, found {present}")
    return kbest.fields[name]


def numbers_of_field(kbest: KBest, name: str) -> Floats:
    """Return the numbers (n_hyps,) in a list's field.

    Raises ListError for a field that it lacks, and for a text that is no finite number.
    """
    column = []
    for place, text in enumerate(texts_of_field(kbest, name)):
        try:
            column.append(finite_number(text))
        except LineError as error:
            raise ListError(f"hypothesis {place}: field {name!r}: {error}") from error
    return np.array(column, np.float64)
