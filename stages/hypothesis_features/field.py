"""Numbers in a text field of the lists, such as a key of JSON lines."""

from __future__ import annotations

import argparse

from campanula.formats.records.text_fields import numbers_of_field
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the flag of the field."""
    p.add_argument("--field", required=True, metavar="NAME", help="field of the lists")


def values(field: str) -> FeatureValues:
    """Return the values of the feature: the numbers of a field."""
    return FeatureValues(lambda kbest: numbers_of_field(kbest, field), f"field:{field}")


FEATURE = Feature("numbers that stand in a field of the lists", ("field",), add_flags, values)
