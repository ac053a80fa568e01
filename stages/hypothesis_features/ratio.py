"""One number of the lists over another, such as a log probability per token.

add-feature ratio LogProb Tokens dev.kbest        makes the feature LogProb/Tokens
"""

from __future__ import annotations

import argparse

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import ListError
from campanula.formats.records.kbest import KBest
from campanula.stages.command import finite_float
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues
from campanula.stages.hypothesis_features.named import numbers_of


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the names of the two features, and the ratio where the second is 0."""
    p.add_argument("numerator", metavar="A", help="a feature of the lists, or `score`")
    p.add_argument("denominator", metavar="B", help="the feature, or `score`, that divides it")
    what = "the ratio where B is 0, such as that of an empty text (default: an error)"
    p.add_argument("--where-zero", type=finite_float, metavar="X", help=what)


def ratios(kbest: KBest, numerator: str, denominator: str, where_zero: float | None) -> Floats:
    """Return ratios (n_hyps,), where_zero for those over 0.

    Raises ListError for a ratio that is not finite, and over 0 where where_zero is None.
    """
    above = numbers_of(kbest, numerator)
    below = numbers_of(kbest, denominator)
    zero = below == 0.0
    if zero.any() and where_zero is None:
        place = int(np.flatnonzero(zero)[0])
        problem = f"expected {denominator!r} other than 0, found 0; --where-zero gives the ratio"
        raise ListError(f"hypothesis {place}: {problem}")
    ratio = np.full(len(kbest), 0.0 if where_zero is None else where_zero)
    with np.errstate(over="ignore"):  # what is not finite is refused by name
        np.divide(above, below, out=ratio, where=~zero)
    if not np.isfinite(ratio).all():
        place = int(np.flatnonzero(~np.isfinite(ratio))[0])
        problem = f"expected a finite ratio, found that of {above[place]} and {below[place]}"
        raise ListError(f"hypothesis {place}: {problem}")
    return ratio


def values(numerator: str, denominator: str, where_zero: float | None = None) -> FeatureValues:
    """Return the values of the feature: ratios of two others."""
    otherwise = "" if where_zero is None else f":{where_zero!r}"
    signature = f"ratio:{numerator}:{denominator}{otherwise}"
    return FeatureValues(lambda kbest: ratios(kbest, numerator, denominator, where_zero), signature)


OPTIONS = ("numerator", "denominator", "where_zero")
FEATURE = Feature(
    "one feature over another", OPTIONS, add_flags, values, "{numerator}/{denominator}"
)
