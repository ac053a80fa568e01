"""What happens at a seam: words on both sides, and what is remembered."""

from __future__ import annotations

import numpy as np

from stages.kernels import sparse_seams
from stages.kernels import sparse_weights as kernels
from stages.kernels.search_records import Options, Seams

# options: words (4, 5, 6), (7), none
INFO = np.array([[0, 3, 0, 0, 0, 0], [0, 1, 4, 0, 0, 0], [0, 0, 6, 0, 0, 0]], np.int32)
WORD = np.array([4, 5, 6, 0, 7, 0, 0], np.int32)
OPTIONS = Options(np.zeros((3, 8)), INFO, WORD, np.zeros(7))
PHRASE = np.array([[21, 31], [22, 32], [23, 33]])


def seams(key=0, useful=WORD):
    table = kernels.table_of(np.array([key], np.int64), np.array([1.0]))
    return Seams(1, *table, PHRASE, PHRASE, WORD, useful, np.zeros(1))


def score(key, history, option):
    return sparse_seams.seam_score(np.array([history]), 0, option, OPTIONS, seams(key))


def test_words_and_phrases_meet():
    assert score(kernels.key_of(kernels.BOUNDARY, 9, -1, 4, -2), [-1, -1, 9, 8], 0) == 1.0
    assert score(kernels.key_of(kernels.NGRAM, 9, 4, 5, -2), [-1, -1, 9, 8], 0) == 1.0
    assert score(kernels.key_of(kernels.NGRAM, 8, 9, 4, -2), [-1, -1, 9, 8], 0) == 1.0
    assert score(kernels.key_of(kernels.NGRAM, 8, 9, 4, -2), [-1, -1, 9, 8], 2) == 0.0
    assert score(kernels.phrases_key(kernels.TARGET_PHRASES, -2, 30, 32), [30, -1, -1, -1], 1) == 1
    assert score(kernels.phrases_key(kernels.SOURCE_PHRASES, -2, 20, 22), [-1, 20, -1, -1], 1) == 1


def after(history, option, useful=WORD):
    return sparse_seams.history_after(np.array([history]), 0, option, OPTIONS, seams(useful=useful))


def test_the_last_two_words_are_remembered():
    assert after([-1, -1, 9, 8], 0) == (31, 21, 6, 5)
    assert after([-1, -1, 9, 8], 1) == (32, 22, 7, 9)
    assert after([-1, -1, 9, 8], 2) == (33, 23, 9, 8)
    useless = np.where(WORD == 6, -1, WORD).astype(np.int32)
    assert after([-1, -1, 9, 8], 0, useless) == (31, 21, -1, -1)
