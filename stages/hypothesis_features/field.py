"""Numbers in a text field of the lists, such as a key of JSON lines."""

from __future__ import annotations

import argparse

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import LineError, ListError
from campanula.formats.records.kbest import KBest
from campanula.formats.text.numbers import finite_number
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the flag of the field."""
    p.add_argument("--field", required=True, metavar="NAME", help="field of the lists")


def numbers(kbest: KBest, field: str) -> Floats:
    """Return the numbers (n_hyps,) of a list's field; raises ListError for other texts."""
    if field not in kbest.fields:
        problem = f"expected a text field {field!r}, found {', '.join(kbest.fields) or 'none'}"
        raise ListError(problem)
    column = []
    for place, text in enumerate(kbest.fields[field]):
        try:
            column.append(finite_number(text))
        except LineError as error:
            raise ListError(f"hypothesis {place}: field {field!r}: {error}") from error
    return np.array(column, np.float64)


def values(field: str) -> FeatureValues:
    """Return the values of the feature: the numbers of a field."""
    return FeatureValues(lambda kbest: numbers(kbest, field), f"field:{field}")


FEATURE = Feature("numbers that stand in a field of the lists", ("field",), add_flags, values)
