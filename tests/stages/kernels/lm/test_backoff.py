"""The search of n-grams, and a small model by hand; more in tests/stages/test_language_model."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.lm.backoff import Backoff, find, sentence_scores

BEGIN, END, A = range(3)
# unigrams <s> </s> a; bigrams <s> a, a a, a </s>
MODEL = Backoff(
    (np.arange(3), np.array([BEGIN << 32 | A, A << 32 | END, A << 32 | A])),
    (np.array([-9, -1, -2], np.float32), np.array([-0.5, -0.25, -0.125], np.float32)),
    (np.array([-0.75, 0, -4], np.float32), np.zeros(3, np.float32)),
)


def scores(*sentences: list[int]) -> list[float]:
    pointer = np.cumsum([0, *map(len, sentences)])
    word = np.array([word for sentence in sentences for word in sentence], np.int64)
    return sentence_scores(MODEL, word, pointer).tolist()


def test_by_hand() -> None:
    assert scores([BEGIN, A, A, END]) == [-0.5 - 0.125 - 0.25]
    assert scores([BEGIN, END], [BEGIN], [BEGIN, A, BEGIN, END]) == [
        -0.75 - 1,
        0.0,
        -0.5 - (4 + 9) - (0.75 + 1),
    ]


def test_sentences_do_not_see_each_other() -> None:
    alone = scores([BEGIN, A]) + scores([BEGIN, A, END])
    assert scores([BEGIN, A], [BEGIN, A, END]) == alone


def test_no_sentence() -> None:
    assert scores() == []


@pytest.mark.parametrize("size", [0, 1, 7])
def test_find(size: int) -> None:
    key = np.sort(np.random.default_rng(size).choice(1 << 36, size, replace=False))
    places = np.arange(size)
    assert find(key, key >> 32, key & 0xFFFFFFFF).tolist() == places.tolist()
    assert (find(key, key >> 32, (key & 0xFFFFFFFF) + 1) < places.size).all()
    assert find(key, np.full(2, -1), np.zeros(2, np.int64)).tolist() == [-1, -1]
    assert find(key, np.full(1, 1 << 20), np.zeros(1, np.int64)).tolist() == [-1]
