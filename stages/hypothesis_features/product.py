"""The product of two numbers of the lists.

add-feature product LM Length dev.kbest           makes the feature LM*Length
"""

from __future__ import annotations

import argparse

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import ListError
from campanula.formats.records.kbest import KBest
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues
from campanula.stages.hypothesis_features.named import numbers_of


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the names of the two features."""
    p.add_argument("first", metavar="A", help="a feature of the lists, or `score`")
    p.add_argument("second", metavar="B", help="another, or the same for its square")


def products(kbest: KBest, first: str, second: str) -> Floats:
    """Return products (n_hyps,); raises ListError for one that is not finite."""
    with np.errstate(over="ignore"):  # what is not finite is refused by name
        product: Floats = numbers_of(kbest, first) * numbers_of(kbest, second)
    if not np.isfinite(product).all():
        place = int(np.flatnonzero(~np.isfinite(product))[0])
        raise ListError(f"hypothesis {place}: expected a finite product, found {product[place]}")
    return product


def values(first: str, second: str) -> FeatureValues:
    """Return the values of the feature: products of two others."""
    return FeatureValues(lambda kbest: products(kbest, first, second), f"product:{first}:{second}")


FEATURE = Feature(
    "two features multiplied", ("first", "second"), add_flags, values, "{first}*{second}"
)
