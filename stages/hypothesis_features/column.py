"""A number a hypothesis that another program made, such as COMET or a second model."""

from __future__ import annotations

import argparse

from campanula.formats.arrays.types import Floats
from campanula.formats.records.kbest import KBest
from campanula.formats.text.score_column import read_scores
from campanula.stages.hypothesis_features.feature import Feature, FeatureValues


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the flag of the file."""
    p.add_argument(
        "--file",
        required=True,
        metavar="FILE",
        help="a number a line in the order of the lists, or number or id of the sentence, place in "
        "the list (from 0) and number, apart by tabs",
    )


def values(file: str) -> FeatureValues:
    """Return the values of the feature: the numbers in a file."""
    scores = read_scores(file)

    def of_list(kbest: KBest) -> Floats:
        return scores.scores_of(kbest.sid, len(kbest), kbest.id)

    return FeatureValues(of_list, f"column:{scores.digest()}", scores.finish)


FEATURE = Feature("numbers that another program made", ("file",), add_flags, values)
