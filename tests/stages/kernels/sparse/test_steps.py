"""What stands at a step and before it."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.sparse import steps as kernels
from campanula.stages.kernels.sparse.weights import marks_key

INFO = np.array([[0, 2, 0, 0, 0, 0], [0, 1, 3, 0, 0, 0]], np.int32)
STEPS = kernels.DerivationSteps(
    hyp=np.array([0, 0, 2]),
    option=np.array([1, 0, 0]),
    start=np.array([3, 0, 1]),
    end=np.array([4, 3, 2]),
    info=INFO,
    word=np.array([0, 1, 0, 1, 0], np.int32),
    source=np.array([5, 6, 7, 8]),
    mark=np.array([11, 12]),
)


def test_the_first_steps_are_those_of_new_derivations():
    assert [kernels.is_first(step, STEPS) for step in range(3)] == [True, False, True]
    assert [kernels.place_before(step, STEPS) for step in range(3)] == [(-1, 0), (3, 4), (-1, 0)]


def test_phrases_are_those_of_the_words():
    assert kernels.words_of(0, STEPS) == (3, 4)
    assert kernels.target_phrase(0, STEPS) == marks_key(np.array([12]), 0, 1)
    assert kernels.target_phrase(1, STEPS) == marks_key(np.array([11, 12]), 0, 2)
    assert kernels.source_phrase(1, STEPS) == marks_key(STEPS.source, 0, 3)
