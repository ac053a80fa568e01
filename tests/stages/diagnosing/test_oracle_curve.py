"""The oracle of the first k: the twin's, whichever list is the longest, and by the metric."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from campanula.stages.diagnosing.oracle_curve import OracleCurve, oracle_place, round_numbers
from campanula.stages.metrics.wer import Wer
from tests.examples import random_lists
from tests.naive import diagnosis as naive
from tests.plain import plain


def test_round_numbers():
    assert list(islice(round_numbers(), 8)) == [1, 2, 5, 10, 20, 50, 100, 200]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("longest", [1, 2, 6, 23])
@pytest.mark.parametrize("longest_last", [False, True])
def test_mean_gains_are_the_twins(seed, longest, longest_last):
    lists, _ = random_lists(seed, 5, max_size=longest)
    if longest_last:  # each longer list adds values of k, for which those before count whole
        lists = sorted(lists, key=len)
    curve = OracleCurve(None)
    for kbest in lists:
        curve.add(kbest)
    found = {oracle.k: oracle.value.gain for oracle in curve.values()}
    assert found == pytest.approx(naive.oracle_gains([plain(kbest) for kbest in lists]))
    assert list(found) == sorted(found)


def test_an_error_rate_goes_by_its_statistics():
    (kbest, *_), _ = random_lists(3, 1, max_size=5)
    kbest = kbest.take(np.array([0, 0, 0]))
    kbest = replace(kbest, stats=np.array([[3, 4], [1, 4], [0, 4]]), gain=np.array([0.9, 0.5, 0.1]))
    assert [oracle_place(kbest, Wer(), k) for k in (1, 2, 3)] == [0, 1, 2]
    assert [oracle_place(kbest, None, k) for k in (1, 2, 3)] == [0, 0, 0]
    curve = OracleCurve(Wer())
    curve.add(kbest)
    assert [(o.k, o.value.shown) for o in curve.values()] == [
        (1, "75.00"),
        (2, "25.00"),
        (3, "0.00"),
    ]


def test_without_gains_there_is_no_oracle():
    lists, _ = random_lists(1, 3)
    curve = OracleCurve(None)
    for kbest in (lists[0], replace(lists[1], gain=None), lists[2]):
        curve.add(kbest)
    assert curve.values() == []
    assert OracleCurve(None).values() == []
