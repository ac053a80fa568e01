"""The columns are those that compiled models have in files: a change of them is a new format."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays import columns
from campanula.formats.model.hash_table import transition_table


def test_columns_of_a_transition() -> None:
    table = transition_table(*(np.array([value]) for value in (7, 5, 9)))
    row = table[table[:, columns.STATE] >= 0][0]
    assert row[[columns.STATE, columns.WORD, columns.TARGET]].tolist() == [7, 5, 9]
    assert table.shape[1] == columns.VALUE + 1 == 4


def test_columns_of_a_language_model() -> None:
    assert (columns.UNIGRAM_VALUE, columns.UNIGRAM_TARGET) == (0, 1)
    assert (columns.BACKOFF, columns.LOWER, columns.CONTEXT) == (0, 1, 2)
