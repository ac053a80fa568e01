"""What changes in the features of a sentence's own options."""

from __future__ import annotations

import numpy as np

from campanula.stages.decoding.own_options import OwnOptions
from campanula.stages.kernels.records import SCORES

NONE = np.zeros((0, 1), np.int32)


def test_changes_are_added_to_the_columns_they_are_of():
    change = np.array([[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]])
    own = OwnOptions(NONE, NONE, np.array([7, 4]), change, np.array([0, 2, 1]))
    value = np.zeros((2, SCORES + 4))
    own.add_changes(value, np.array([0, 1, 3]), np.array([1, 0, 1]))
    assert value[:, SCORES:].tolist() == [[2.0, 200.0, 20.0, 0.0], [3.0, 300.0, 30.0, 0.0]]
    arcs = np.zeros((SCORES + 4, 3))
    own.add_to_arcs(arcs, np.array([1, 0, 1]))
    assert arcs[SCORES:].tolist() == [[2, 1, 2], [200, 100, 200], [20, 10, 20], [0, 0, 0]]


def test_options_of_the_store_have_places():
    own = OwnOptions(NONE, NONE, np.array([7, 4, 9]), np.zeros((3, 2)), np.array([0, 2]))
    assert own.places(np.array([9, 7, 7, 4], np.int32)).tolist() == [2, 0, 0, 1]
