"""What a feature is."""

import argparse

import numpy as np
import pytest

from campanula.stages.hypothesis_features.feature import FeatureValues, nothing_left
from campanula.stages.hypothesis_features.table import FEATURES
from tests.examples import random_lists


def test_a_check_at_the_end_may_be_left_out() -> None:
    values = FeatureValues(lambda kbest: np.zeros(len(kbest)), "zero")
    assert values.finish is nothing_left
    values.finish()
    (kbest, *_), _ = random_lists(seed=1, n_lists=1)
    assert values.of_list(kbest).tolist() == [0.0] * len(kbest)


@pytest.mark.parametrize("name", list(FEATURES))
def test_the_options_are_flags(name: str) -> None:
    p = argparse.ArgumentParser()
    FEATURES[name].add_flags(p)
    options = FEATURES[name].options
    if FEATURES[name].name:  # arguments, and flags that may be left out
        expected = {
            "words" if f"{{{option}}}" in FEATURES[name].name else None for option in options
        }
        assert {*vars(p.parse_args(["words", "words"])).values()} == expected
        return
    argv = [word for option in options for word in (f"--{option}", "words")]
    assert vars(p.parse_args(argv)) == dict.fromkeys(options, "words")
