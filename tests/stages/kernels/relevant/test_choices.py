"""The pair of hypotheses of an update, by the formulas of the paper."""

import numpy as np
import pytest

from campanula.stages.kernels.relevant.choices import NOBODY, alternative, value_of
from campanula.stages.kernels.relevant.records import EQUATION_7, PERCEPTRON, TABLE_II, Rule
from tests.stages.kernels.relevant.packed import packed_lists

UPDATES = [TABLE_II, EQUATION_7, PERCEPTRON]


def test_values_are_those_of_the_paper():
    table_ii, equation_7, perceptron = (Rule(update, False, 1.0, 1.0) for update in UPDATES)
    assert value_of(table_ii, 0.5, 3.0) == -1.0
    assert value_of(equation_7, 0.5, 3.0) == 0.0
    assert value_of(equation_7, 0.5, -3.0) == 8.0
    assert value_of(perceptron, 0.5, 3.0) == -3.0


@pytest.mark.parametrize("update", UPDATES)
def test_ties_go_to_the_first(update):
    alternatives = [[(f"{j}", {f"f{j}": 1.0}, 0.5) for j in range(4)]]
    sets = packed_lists(alternatives, [[("t", {"f9": 1.0}, 1.0)]]).sets
    assert alternative(sets, 0, 0, np.zeros(5), Rule(update, False, 1.0, 1.0)) == 1


def test_eq_7_has_no_alternative_where_all_are_truths():
    one = [[("t", {"f9": 1.0}, 1.0)]]
    sets = packed_lists(one, one, apart=True).sets
    assert alternative(sets, 0, 0, np.zeros(1), Rule(EQUATION_7, False, 1.0, 1.0)) == NOBODY
    sets = packed_lists(one).sets
    assert alternative(sets, 0, 0, np.zeros(1), Rule(EQUATION_7, False, 1.0, 1.0)) == NOBODY
    assert alternative(sets, 0, 0, np.zeros(1), Rule(TABLE_II, False, 1.0, 1.0)) == 0
