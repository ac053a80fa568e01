"""Natural log probability of a hypothesis under an ARPA language model, <s> and </s> included."""

from __future__ import annotations

import argparse

from campanula.stages.hypothesis_features.feature import Feature, FeatureValues


def add_flags(p: argparse.ArgumentParser) -> None:
    """Flag of the language model."""
    p.add_argument("--arpa", required=True, metavar="FILE", help="ARPA file, may be compressed")


def values(arpa: str) -> FeatureValues:
    """Scores of the language model in a file."""
    from campanula.stages.decoding.language_model import SentenceScorer

    scorer = SentenceScorer(arpa)
    return FeatureValues(lambda kbest: scorer(kbest.text), f"lm:{scorer.digest}")


FEATURE = Feature("log probability under a language model", ("arpa",), add_flags, values)
