import tracemalloc

import numpy as np
import pytest

from campanula.formats.records.names import Names
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.restraints import Restraints

NAMES = Names(["LM0", "TranslationModel0_0", "TranslationModel0_1", "tgt_[x]"])


def free(**settings):
    return Restraints.of(NAMES, **settings).free.tolist()


def test_patterns_choose_what_moves():
    assert free() == [1, 1, 1, 1]
    assert free(freeze=["Trans*"]) == [1, 0, 0, 1]
    assert free(only=["LM0", "tgt_*"]) == [1, 0, 0, 1]
    assert free(only=["T*"], freeze=["*_1"]) == [0, 1, 0, 0]


def test_bounds_are_intervals_of_a_pattern():
    found = Restraints.of(NAMES, bounds=[("Trans*", 0.0, np.inf), ("LM0", 0.1, 2.0)])
    assert found.low.tolist() == [0.1, 0, 0, -np.inf]
    assert found.high.tolist() == [2, np.inf, np.inf, np.inf]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"freeze": ["nobody*"]}, "`freeze`: no feature matches"),
        ({"freeze": ["*"]}, "no weight free"),
        ({"bounds": [("LM0", 2.0, 1.0)]}, "LOW at most HIGH"),
        ({"bounds": [("LM0", np.nan, 1.0)]}, "LOW at most HIGH"),
        ({"only": "LM0"}, "`only`: expected a list of patterns"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, words):
    with pytest.raises(Misfit, match=words):
        Restraints.of(NAMES, **settings)


def test_patterns_take_a_byte_a_feature():
    names = Names(f"f{k}" for k in range(50000))
    Restraints.of(names, ["f?"])  # what is imported on the way
    tracemalloc.start()
    limits = Restraints.of(names, ["f?"], ["f*"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert limits.free.sum() == 50000 - 10
    assert peak < 12 * len(names)  # the mask and the free ones
