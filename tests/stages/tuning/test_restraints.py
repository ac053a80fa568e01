import argparse

import numpy as np
import pytest

from campanula.formats.records.names import Names
from campanula.stages.command import UsageError
from campanula.stages.tuning import restraints

NAMES = Names(["LM0", "TranslationModel0_0", "TranslationModel0_1", "tgt_[x]"])


def limits(*argv):
    p = argparse.ArgumentParser()
    restraints.add_flags(p)
    return restraints.Restraints.of(NAMES, p.parse_args(argv))


def test_patterns_choose_what_moves():
    assert limits().free.tolist() == [1, 1, 1, 1]
    assert limits("--freeze", "Trans*").free.tolist() == [1, 0, 0, 1]
    assert limits("--only", "LM0", "--only", "tgt_*").free.tolist() == [1, 0, 0, 1]
    assert limits("--only", "T*", "--freeze", "*_1").free.tolist() == [0, 1, 0, 0]


def test_bounds_are_intervals_of_a_pattern():
    found = limits("--bounds", "Trans*", "0", "inf", "--bounds", "LM0", "0.1", "2")
    assert found.low.tolist() == [0.1, 0, 0, -np.inf]
    assert found.high.tolist() == [2, np.inf, np.inf, np.inf]


@pytest.mark.parametrize(
    "argv",
    [
        ["--freeze", "nobody*"],
        ["--freeze", "*"],
        ["--bounds", "LM0", "2", "1"],
        ["--bounds", "LM0", "low", "1"],
        ["--bounds", "LM0", "nan", "1"],
    ],
)
def test_what_makes_no_sense_is_refused(argv):
    with pytest.raises(UsageError):
        limits(*argv)
