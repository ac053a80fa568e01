"""Arrays of options as the kernels take them: what a store begins with, and a copied word."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.columns import UNIGRAM_TARGET, UNIGRAM_VALUE
from campanula.formats.arrays.types import Floats, Ids
from campanula.formats.model.model import Model
from campanula.stages.decoding.sparse.options import FIRST_OPTIONS, FIRST_PLACES
from campanula.stages.decoding.written_features import lm_weights
from campanula.stages.kernels.records import (
    COPIED,
    ESTIMATED,
    KIND,
    LENGTH,
    LM_STATE,
    PHRASES,
    PLAIN,
    ROW,
    SCORES,
    UNKNOWN,
    UNKNOWN_LOG,
    WORDS,
    LanguageModel,
    Options,
    RowWeights,
    Table,
)


def row_weights_of(model: Model, weight: Floats, first_weight: float) -> RowWeights:
    """Return the weights of what rows of the phrase table have by themselves."""
    scores = slice(SCORES, SCORES + model.score.shape[1])
    return RowWeights(
        lm=lm_weights(model, weight),
        first=first_weight,
        word=float(weight[WORDS]),
        phrase=float(weight[PHRASES]),
        score=np.ascontiguousarray(weight[scores]),
    )


def table_of(model: Model) -> Table:
    """Return a model's phrase table as the kernels read it."""
    return Table(
        row_start=model.row_start,
        target_start=model.target_start,
        target_word=model.target_word,
        score=model.score,
        reordering=model.reordering,
        kind=model.kind,
        hierarchical=np.array(model.hierarchical, np.bool_),
        to_lm=model.to_lm,
    )


def no_options(n_columns: int, n_lms: int) -> Options:
    """Return memory for the first options, which grows as they come."""
    return Options(
        score=np.zeros((FIRST_OPTIONS, n_columns)),
        info=np.zeros((FIRST_OPTIONS, LM_STATE + n_lms), np.int32),
        lm_word=np.zeros((FIRST_PLACES, n_lms), np.int32),
        rest=np.zeros((FIRST_PLACES, n_lms)),
    )


def copied_option(
    lm_word: Ids, lm: LanguageModel, weight: Floats, row_weights: RowWeights, n_columns: int
) -> Options:
    """Return the option that copies an unknown word, with places from 0 on.

    lm_word (n_lms,): numbers of the word in the language models; weight: of the dense features.
    """
    n_lms = len(lm_word)
    # two places: options.rest has an entry behind a phrase's last word, too
    rest = np.zeros((2, n_lms))
    rest[0] = lm.unigram_value[lm_word, UNIGRAM_VALUE]
    plain = UNKNOWN_LOG * weight[UNKNOWN] - weight[WORDS] + weight[PHRASES]  # Moses: -1 a word
    score = np.zeros((1, n_columns))
    score[0, PLAIN] = plain
    score[0, ESTIMATED] = plain + (row_weights.lm[0] + row_weights.first) * rest[0, 0]
    score[0, ESTIMATED] += row_weights.lm[1:] @ rest[0, 1:]
    info = np.zeros((1, LM_STATE + n_lms), np.int32)
    info[0, ROW] = -1  # no row of the table
    info[0, LENGTH] = 1
    info[0, KIND] = -1
    info[0, LM_STATE:] = lm.unigram[lm_word, UNIGRAM_TARGET]
    info[0, COPIED] = 1
    return Options(score, info, np.stack([lm_word, np.zeros_like(lm_word)]), rest)
