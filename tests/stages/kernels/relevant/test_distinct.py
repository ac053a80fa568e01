"""Hypotheses that equal no earlier one, against comparing all pairs."""

import numpy as np
import pytest

from campanula.stages.kernels.relevant.distinct import hash_of, leave_best, mark_new
from tests.stages.kernels.relevant.packed import rows
from tests.stages.tuning.relevant.random_sets import random_sets


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_what_equals_an_earlier_one_is_not_new(seed, apart):
    sets = random_sets(seed, n_sets=9, size=2, binary=False, again=0.5)
    lists = [[z for one in sets for z in one[i]] for i in range(len(sets[0]))]
    truths = np.array([0, 1, 2, 3, 4, 18], np.int32)
    new = np.empty(6 * 18, np.bool_)
    with np.errstate(over="ignore"):
        mark_new(rows(lists), truths, apart, new)
    expected = []
    for hypotheses, n in zip(lists, truths.tolist(), strict=True):
        for j, z in enumerate(hypotheses):
            before = hypotheses[:j] if apart or j < n else hypotheses[n:j]
            expected.append(z not in before)
    assert new.tolist() == expected


def test_derivations_of_one_text_have_different_hashes():
    """Else a list of many would take the square of their number."""
    values = [0.0, -0.0, *np.linspace(-3, -1, 1000)]
    lists = rows([[("text", {"lm": value, "tm": -1.0}, 0.5) for value in values]])
    with np.errstate(over="ignore"):
        hashes = [int(hash_of(lists, j)) for j in range(len(values))]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 1001


def test_of_the_truths_the_first_of_the_highest_gain_is_left():
    gains = [0.5, 0.75, 0.75, 0.25, 0.75]
    hypotheses: list[tuple[str, dict[str, float], float]]
    hypotheses = [(f"{j}", {}, gain) for j, gain in enumerate(gains)]
    lists = [hypotheses] * 3
    new = np.array([True, True, False, True, True] * 3)
    leave_best(rows(lists), np.array([4, 0, 1], np.int32), new)
    assert new.reshape(3, 5).tolist() == [
        [False, True, False, False, True],
        [True, True, False, True, True],
        [True, True, False, True, True],
    ]
