"""Sentences for the tests of the search's kernels."""

from __future__ import annotations

import numpy as np

from campanula.stages.decoding.sparse.options import no_seams
from campanula.stages.kernels.records import (
    Jumps,
    LanguageModel,
    Options,
    Outlook,
    Sentence,
    Settings,
)

PLACES = np.zeros(1, np.int32)
NO_LM = LanguageModel(
    np.full((8, 4), -1, np.int32),
    np.zeros((8, 4), np.float32),
    np.zeros((1, 2), np.int32),
    np.zeros((1, 2), np.float32),
    np.zeros((1, 4), np.int32),
    np.zeros((1, 4), np.float32),
    3,
    np.zeros(1, np.int64),
    np.zeros(1, np.int64),
)
NO_OPTIONS = Options(
    np.zeros((1, 8)), np.zeros((1, 6), np.int32), PLACES.reshape(1, 1), np.zeros((1, 1))
)


def settings_of(split=0, **more):
    return Settings(np.ones(1), 0.0, split, 2, 6, 1, 100, 100, np.inf)._replace(**more)


def sentence_of(n_words, split=0, outlook=None, options=NO_OPTIONS, lm=NO_LM, settings=None):
    """A sentence without jump costs and sparse features."""
    none, flat = np.zeros((n_words, 1), np.int32), np.zeros((n_words + 1, 1))
    starts = np.zeros((n_words, 1), np.int64)
    empty = Outlook(
        none, none, PLACES, np.zeros(1), flat, np.zeros(n_words + 1), np.zeros((1, 3)), starts
    )
    cost = np.zeros((n_words + 1, n_words))
    jumps = Jumps(cost, cost, np.zeros(n_words))
    given = settings or settings_of(split)
    return Sentence(n_words, outlook or empty, jumps, options, lm, given, no_seams())
