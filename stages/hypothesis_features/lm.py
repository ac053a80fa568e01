"""Natural log probability of a hypothesis under an ARPA language model, <s> and </s> included."""

from __future__ import annotations

import argparse

from campanula.stages.hypothesis_features.feature import Feature, FeatureValues


def add_flags(p: argparse.ArgumentParser) -> None:
    """Add the flags of the language model."""
    p.add_argument(
        "--arpa",
        required=True,
        metavar="FILE",
        help="ARPA file, may be compressed, or a binary of KenLM's",
    )
    p.add_argument(
        "--classes",
        metavar="MAP",
        help="the model is one over classes of words: `word<TAB>class` a line",
    )
    p.add_argument(
        "--cache",
        metavar="DIR",
        help="folder of compiled models (default: campanula in the user's cache folder)",
    )


def values(arpa: str, classes: str | None = None, cache: str | None = None) -> FeatureValues:
    """Return the values of the feature: natural log probabilities under the model in a file."""
    from campanula.stages.decoding.kenlm_scorer import open_scorer

    scorer = open_scorer(arpa, classes, cache)
    return FeatureValues(lambda kbest: scorer(kbest.text), f"lm:{scorer.digest}")


FEATURE = Feature(
    "log probability under a language model", ("arpa", "classes", "cache"), add_flags, values
)
