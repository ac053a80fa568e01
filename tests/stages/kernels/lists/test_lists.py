"""Sizes of lists, from their pointers."""

import numpy as np

from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.packing import join
from tests.examples import random_lists


def test_sizes_are_told_from_the_pointers():
    records, rows = random_lists(seed=3, n_lists=4)
    lists = join([record.features for record in records])
    assert lists.n_lists == 4
    assert lists.n_hyps == sum(len(kbest) for kbest in rows)
    assert lists.n_entries == sum(len(row) for kbest in rows for row, _ in kbest)


def test_no_lists_have_no_hypotheses():
    none, ids, floats = np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0)
    lists = Lists(none, none, ids, none, floats, none, ids, floats, none, ids)
    assert (lists.n_lists, lists.n_hyps, lists.n_entries) == (0, 0, 0)
