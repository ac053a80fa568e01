"""Sentence scores of a model without contexts; the rest is in tests/stages/test_language_model."""

from __future__ import annotations

import numpy as np

from stages.kernels.search import LanguageModel
from stages.kernels.sentence_scores import sentence_scores


def unigram_model() -> LanguageModel:
    """A model of the words 0 and 1 (the end), with one state."""
    table, state = np.full((9, 4), -1, np.int32), np.zeros((1, 4), np.int32)
    unigram = np.zeros((2, 2), np.int32)
    unigram[:, 0] = np.array([-1.5, -0.25], np.float32).view(np.int32)
    views = [view for part in (table, unigram, state) for view in (part, part.view(np.float32))]
    return LanguageModel(*views, 3, 0, 1)


def test_sums_of_a_model_without_contexts() -> None:
    pointer = np.array([0, 0, 2, 3])
    score = sentence_scores(unigram_model(), np.array([0, 0, 1], np.int32), pointer)
    assert score.tolist() == [-0.25, -3.25, -0.5]


def test_no_sentence() -> None:
    score = sentence_scores(unigram_model(), np.zeros(0, np.int32), np.zeros(1, np.int64))
    assert score.shape == (0,)
