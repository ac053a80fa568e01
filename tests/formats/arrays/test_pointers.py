from __future__ import annotations

import numpy as np

from campanula.formats.arrays.pointers import expand, lengths_of, pointer_of


def test_pointers_of_lengths() -> None:
    assert pointer_of([2, 0, 3]).tolist() == [0, 2, 2, 5]
    assert pointer_of(np.array([255, 1], np.uint8)).tolist() == [0, 255, 256]
    assert pointer_of([]).tolist() == [0]


def test_lengths_are_those_of_the_pointers() -> None:
    assert lengths_of(pointer_of([2, 0, 3])).tolist() == [2, 0, 3]


def test_expand_gives_every_place_of_every_run() -> None:
    pointer, place = expand(np.array([5, 0, 9], np.int32), np.array([2, 0, 3], np.int32))
    assert pointer.tolist() == [0, 2, 2, 5]
    assert place.tolist() == [5, 6, 9, 10, 11]
    pointer, place = expand(np.zeros(0, np.int32), np.zeros(0, np.int32))
    assert pointer.tolist() == [0]
    assert not len(place)
