"""The score that the lists have, as the program that made them gave it."""

from __future__ import annotations

import argparse

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import ListError
from campanula.formats.records.kbest import KBest
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues


def add_flags(p: argparse.ArgumentParser) -> None:
    """The score has no flags."""


def scores(kbest: KBest) -> Floats:
    """Scores (n,) of a list; raises ListError for one that has none."""
    if kbest.score is None:
        raise ListError("expected scores, found none")
    return kbest.score


def values() -> FeatureValues:
    """Scores of the lists."""
    return FeatureValues(scores, "score")


FEATURE = Feature("the score that the lists have", (), add_flags, values)
