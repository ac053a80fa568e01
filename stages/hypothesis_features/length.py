"""The number of words, or of characters, of a hypothesis."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.model.vocabulary import words_of
from campanula.formats.records.texts import Texts
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues

UNITS: dict[str, Callable[[bytes], int]] = {
    "words": lambda text: len(words_of(text)),
    "characters": lambda text: len(text.decode()),
}


def add_flags(p: argparse.ArgumentParser) -> None:
    """Flag of the unit."""
    p.add_argument("--unit", choices=list(UNITS), default="words")


def lengths(texts: Texts, unit: str) -> Floats:
    """Number of words or characters of every text (n,)."""
    size = UNITS[unit]
    bounds = pairwise(texts.pointer.tolist())
    return np.array([size(texts.blob[start:end]) for start, end in bounds], np.float64)


def values(unit: str = "words") -> FeatureValues:
    """Lengths in words or characters."""
    return FeatureValues(lambda kbest: lengths(kbest.text, unit), f"length:{unit}")


FEATURE = Feature("number of words or characters", ("unit",), add_flags, values)
