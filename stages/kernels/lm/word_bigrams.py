"""Bigrams of a text, and the counts of classes of its words, for exchange.py."""

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
    # one such word between two sentences: the same one ends the first and begins the second
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
    left = left[~same]
    right = right[~same]
    count = count[~same].astype(np.int64)
    turned = np.argsort(right, kind="stable")
    return Bigrams(
        _neighbours(left, right, count, size),
        _neighbours(right[turned], left[turned], count[turned], size),
        twice,
        np.bincount(text[1:], minlength=size),
        _n_log_n(min(TABLE, len(text))),
    )


def _neighbours(word: Ints, other: Ints, count: Ints, size: int) -> Neighbours:
    """Neighbours of words; `word` is sorted, and other and count are parallel to it."""
    start = pointer_of(np.bincount(word, minlength=size))
    return Neighbours(start, other.astype(np.int32), count)


def _n_log_n(size: int) -> Floats:
    n = np.arange(size, dtype=np.float64)
    # log 1 = 0 in the place of log 0, so that 0 log 0 is 0
    return n * np.log(np.maximum(n, 1.0))


def classes_of(class_of: Ints, n_classes: int, bigrams: Bigrams) -> Classes:
    """Classes class_of (n_words,), from 0 to n_classes - 1, with their counts.

    The word between sentences gets class n_classes.  class_of is copied.
    """
    size = n_classes + 1
    every = np.append(class_of, n_classes)
    after = bigrams.after
    left = np.repeat(every, np.diff(after.start))
    pair = np.zeros((size, size), np.int64)
    np.add.at(pair, (left, every[after.word]), after.times)
    np.add.at(pair, (every, every), bigrams.twice)
    count = np.zeros(size, np.int64)
    np.add.at(count, every, bigrams.total)
    return Classes(every, count, pair, pair.T.copy())
