"""The number of words, or of characters, of a hypothesis."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.records.texts import Texts
from campanula.formats.text.words import words_of_text
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues

UNITS: dict[str, Callable[[str], int]] = {
    "words": lambda text: len(words_of_text(text)),
    "characters": len,
}


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the flag of the unit."""
    p.add_argument("--unit", choices=list(UNITS), default="words")


def lengths(texts: Texts, unit: str) -> Floats:
    """Return the number of words or characters of every text (n,)."""
    size = UNITS[unit]
    return np.array([size(text) for text in texts], np.float64)


def values(unit: str = "words") -> FeatureValues:
    """Return the values of the feature: lengths in words or characters."""
    return FeatureValues(lambda kbest: lengths(kbest.text, unit), f"length:{unit}")


FEATURE = Feature("number of words or characters", ("unit",), add_flags, values)
