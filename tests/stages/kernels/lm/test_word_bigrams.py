"""Bigrams of a text, counted with dictionaries."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from campanula.stages.kernels.lm.word_bigrams import bigrams_of, classes_of


def test_bigrams_of_a_text() -> None:
    sentences = [[0, 1, 1], [], [2, 0], [1, 1, 1]]
    token = np.array([word for sentence in sentences for word in sentence])
    start = np.cumsum([0, *map(len, sentences)])
    bigrams = bigrams_of(token, start, 3)
    text = [3, 0, 1, 1, 3, 3, 2, 0, 3, 1, 1, 1, 3]
    pairs = Counter(pairwise(text))
    for side, beside in enumerate((bigrams.after, bigrams.before)):
        found = {}
        for word in range(4):
            part = slice(beside.start[word], beside.start[word + 1])
            for other, n in zip(
                beside.word[part].tolist(), beside.times[part].tolist(), strict=True
            ):
                found[(other, word) if side else (word, other)] = n
        assert found == {pair: n for pair, n in pairs.items() if pair[0] != pair[1]}
    assert bigrams.twice.tolist() == [pairs[w, w] for w in range(4)]
    assert bigrams.total.tolist() == [2, 5, 1, 4]
    assert bigrams.n_log_n[[0, 1, 2]].tolist() == [0, 0, 2 * np.log(2)]


def test_counts_of_classes() -> None:
    bigrams = bigrams_of(np.array([0, 1, 1, 2]), np.array([0, 4]), 3)
    classes = classes_of(np.array([0, 1, 0]), 2, bigrams)
    assert classes.class_of.tolist() == [0, 1, 0, 2]
    assert classes.total.tolist() == [2, 2, 1]
    assert classes.pair.tolist() == [[0, 1, 1], [1, 1, 0], [1, 0, 0]]
    assert (classes.turned == classes.pair.T).all()
