"""Rows of several sets, sentence by sentence."""

from campanula.stages.kernels.relevant.joining import joined_rows
from tests.stages.kernels.relevant.packed import rows
from tests.stages.tuning.relevant.random_sets import random_sets


def test_rows_stand_sentence_by_sentence_in_the_order_of_the_sets():
    sets = random_sets(1, n_sentences=5, n_sets=3, size=2, binary=False)
    every = [rows(lists) for lists in sets]
    for first, last in ((0, 5), (1, 4), (2, 2)):
        expected = [[z for one in sets for z in one[i]] for i in range(first, last)]
        found = joined_rows(every, first, last)
        if first == last:
            assert found.list_pointer.tolist() == [0]
            continue
        others = rows(expected)
        for name in found._fields:
            assert getattr(found, name).tolist() == getattr(others, name).tolist()
