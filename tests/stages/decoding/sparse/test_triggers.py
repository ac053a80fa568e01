"""Numbers of the words of trigger pairs, and which pairs a sentence can have."""

from __future__ import annotations

import numpy as np

from campanula.stages.decoding.sparse.triggers import TriggerPairs, places_in


def test_only_pairs_with_both_words_in_the_sentence_get_a_bit() -> None:
    pairs = TriggerPairs(np.array([[7, 9], [5, 9], [5, 3]]), np.array([1.0, 2.0, 3.0]))
    assert len(pairs) == 3
    mark = np.array([5, 7, 9, 3, 8])
    left, right = pairs.lefts(mark), pairs.rights(mark)
    assert left.tolist() == [0, 1, -1, -1, -1]
    assert right.tolist() == [-1, -1, 1, 0, -1]
    found = pairs.of_sentence(left, right, (left[1:3], right[1:3]))
    # second words in order, 3 and 9: 3 is triggered by 5, 9 by 5 and by 7
    assert found.start.tolist() == [0, 1, 3]
    assert found.first.tolist() == [0, 0, 1]
    assert found.value.tolist() == [3.0, 2.0, 1.0]
    assert found.bit.tolist() == [-1, 0]  # the sentence has 7 and 9, but not 5


def test_places_in() -> None:
    word = np.array([5, 1, 2, 9, 0])
    assert places_in(np.array([1, 5]), word).tolist() == [1, 0, -1, -1, -1]
    assert places_in(np.zeros(0, np.int64), word).tolist() == [-1] * 5
