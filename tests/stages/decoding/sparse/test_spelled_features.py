"""Steps of derivations as arrays; names of features are proved in kernels/sparse."""

from __future__ import annotations

import numpy as np

from campanula.formats.records.texts import Texts
from campanula.stages.decoding.sparse.spelled_features import StepWords, spelling_of, steps_of


def test_steps_belong_to_their_derivations():
    none = np.zeros(0, np.int64)
    words = StepWords(np.zeros((1, 6), np.int32), np.zeros(1, np.int32), none, none)
    column = np.arange(3, dtype=np.int32)
    steps = steps_of(np.array([0, 2, 2, 3]), (column, column + 1, column + 2), words)
    assert steps.hyp.tolist() == [0, 0, 2]
    assert [steps.option.tolist(), steps.end.tolist()] == [[0, 1, 2], [2, 3, 4]]
    assert steps.start.dtype == np.int64
    assert steps.info is words.info


def test_words_are_spelled_by_their_numbers():
    spelling = spelling_of(Texts.of(["ab", "ü"]))
    assert spelling.blob[spelling.start[1] :].tobytes().decode() == "ü"
    assert spelling.blob.flags.writeable
    assert spelling.extra_start.tolist() == [0]
