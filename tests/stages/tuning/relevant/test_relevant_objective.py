import numpy as np
import pytest

from campanula.formats.records.names import Names
from campanula.stages.kernels.relevant.records import EQUATION_7, Rule
from campanula.stages.tuning.relevant.relevant_objective import RelevantObjective
from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from campanula.stages.tuning.restraints import Restraints
from tests.naive import relevant_set as naive
from tests.stages.tuning.relevant.random_sets import (
    FEATURES,
    random_sets,
    records_of,
    sentences_of,
)


def test_the_objective_is_eq_5_with_l2_of_what_is_free():
    sets = random_sets(1, binary=False)
    data = RelevantSets.of([SetOfLists.of(records_of(one), "set") for one in sets], apart=True)
    limits = Restraints.of(Names(FEATURES), freeze=["f2*"])
    w = np.random.default_rng(1).normal(size=len(FEATURES))
    named = dict(zip(FEATURES, w.tolist(), strict=True))
    free = [f for f in FEATURES if not f.startswith("f2")]
    for penalty in (0.0, 0.5):
        objective = RelevantObjective(data, Rule(EQUATION_7, False, 1.0, 1.0), penalty, limits)
        slow = naive.objective(
            sentences_of(sets), named, FEATURES, "eq7", penalty=penalty, free=free
        )
        assert objective.value(w) == pytest.approx(slow, rel=1e-12)
