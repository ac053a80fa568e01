"""Bigrams of a text, and the counts of classes of its words: what exchange.py works on."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.lm.exchange import Bigrams, Classes, Neighbours

TABLE = 1 << 22  # numbers whose n log n is kept: 32 MB


def bigrams_of(token: Ints, start: Ints, n_words: int) -> Bigrams:
    """Bigrams of the sentences token[start[i]:start[i + 1]].

    Word n_words stands between sentences, and at the text's ends.
    """
    n_sentences = len(start) - 1
    text = np.full(len(token) + n_sentences + 1, n_words, np.int64)
    sentence = np.repeat(np.arange(n_sentences), np.diff(start))
    text[np.arange(len(token)) + sentence + 1] = token
    size = n_words + 1
    key, count = np.unique(text[:-1] * size + text[1:], return_counts=True)
    left, right = key // size, key % size
    same = left == right
    twice = np.zeros(size, np.int64)
    twice[left[same]] = count[same]
    left, right, count = left[~same], right[~same], count[~same].astype(np.int64)
    turned = np.argsort(right, kind="stable")
    return Bigrams(
        _neighbours(left, right, count, size),
        _neighbours(right[turned], left[turned], count[turned], size),
        twice,
        np.bincount(text[1:], minlength=size),
        _n_log_n(min(TABLE, len(text))),
    )


def _neighbours(word: Ints, other: Ints, count: Ints, size: int) -> Neighbours:
    """Neighbours of words, which are sorted."""
    start = pointer_of(np.bincount(word, minlength=size))
    return Neighbours(start, other.astype(np.int32), count)


def _n_log_n(size: int) -> Floats:
    n = np.arange(size, dtype=np.float64)
    return n * np.log(np.maximum(n, 1.0))


def classes_of(of: Ints, n_classes: int, bigrams: Bigrams) -> Classes:
    """Counts of classes of words, of (n_words,) from 0 to n_classes - 1; the last word has its own.

    The class of each word is a copy.
    """
    size = n_classes + 1
    every = np.append(of, n_classes)
    after = bigrams.after
    left = np.repeat(every, np.diff(after.start))
    pair = np.zeros((size, size), np.int64)
    np.add.at(pair, (left, every[after.word]), after.times)
    np.add.at(pair, (every, every), bigrams.twice)
    count = np.zeros(size, np.int64)
    np.add.at(count, every, bigrams.total)
    return Classes(every, count, pair, pair.T.copy())
