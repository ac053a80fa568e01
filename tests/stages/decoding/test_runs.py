"""Runs of places."""

import numpy as np

from campanula.stages.decoding.runs import places


def test_places():
    pointer, place = places(np.array([5, 0, 9], np.int32), np.array([2, 0, 3], np.int32))
    assert pointer.tolist() == [0, 2, 2, 5]
    assert place.tolist() == [5, 6, 9, 10, 11]
    pointer, place = places(np.zeros(0, np.int32), np.zeros(0, np.int32))
    assert pointer.tolist() == [0]
    assert not len(place)
