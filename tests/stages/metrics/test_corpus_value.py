"""Corpus values of one hypothesis a list."""

from dataclasses import replace

import numpy as np
import pytest

from campanula.stages.metrics.corpus_value import CorpusValue, Value
from campanula.stages.metrics.wer import Wer
from tests.examples import random_lists


def scored(n_lists=4):
    lists, _ = random_lists(1, n_lists)
    return [replace(k, stats=np.stack([[j, 4] for j in range(len(k))])) for k in lists]


def test_statistics_and_gains_add_up():
    value = CorpusValue(Wer())
    lists = scored()
    for kbest in lists:
        value.add(kbest, len(kbest) - 1)
    found = value.value()
    edits = sum(len(kbest) - 1 for kbest in lists)
    assert found.metric == pytest.approx(100 * edits / 16)
    assert found.shown == f"{found.metric:.2f}"
    assert found.gain == pytest.approx(np.mean([kbest.gain[-1] for kbest in lists]))


def test_what_a_list_lacks_is_not_known():
    lists = scored()
    for spoilt, expected in (
        (replace(lists[1], gain=None), (True, False)),
        (replace(lists[1], stats=None), (False, True)),
        (replace(lists[1], stats=np.ones((len(lists[1]), 3), np.int64)), (False, True)),
    ):
        value = CorpusValue(Wer())
        for kbest in (lists[0], spoilt, *lists[2:]):
            value.add(kbest, 0)
        found = value.value()
        assert (found.metric is not None, found.gain is not None) == expected
    assert CorpusValue(Wer()).value() == Value()


def test_a_copy_goes_on_by_itself():
    value = CorpusValue(Wer())
    lists = scored()
    value.add(lists[0], 0)
    before, other = value.value(), value.copy()
    both = CorpusValue(Wer())
    both.add(lists[0], 0)
    for sums in (other, both):
        sums.add(lists[1], len(lists[1]) - 1)
    assert value.value() == before
    assert other.value() == both.value() != before
