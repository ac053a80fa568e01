"""The score that the lists have, as the program that made them gave it."""

from __future__ import annotations

import argparse

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import ListError
from campanula.formats.records.kbest import KBest
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add nothing: the score has no flags."""


def scores(kbest: KBest) -> Floats:
    """Return the scores (n_hyps,) of a list; raises ListError for a list without."""
    if kbest.score is None:
        raise ListError("expected scores, found none")
    return kbest.score


def values() -> FeatureValues:
    """Return the values of the feature: the lists' scores."""
    return FeatureValues(scores, "score")


FEATURE = Feature("the score that the lists have", (), add_flags, values)
