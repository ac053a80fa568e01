"""Log probabilities of sentences under a back-off n-gram model, all words at once.

    log p(w_i | h) = prob(h w_i)                      when the model has the n-gram h w_i
                     backoff(h) + log p(w_i | h')     otherwise, h' without the first word of h

With c_n(i) the number of the n-gram that ends at word i, -1 where the model has none,
c_n(i) = find(c_{n-1}(i - 1), w_i): a search in the sorted keys of an order for all words together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Floats, Ints


class Backoff(NamedTuple):
    """The n-grams of each order: sorted `key` (count,), natural logarithms `prob` and `backoff`.

    A key is `number of the context << 32 | last word`; an n-gram's number is the place of its key.
    Unigrams have no context: their number is the word's.
    """

    key: tuple[Ints, ...]
    prob: tuple[npt.NDArray[np.float32], ...]
    backoff: tuple[npt.NDArray[np.float32], ...]


def find(key: Ints, context: Ints, word: Ints) -> Ints:
    """Numbers (m,) of the n-grams of contexts (m,) and words (m,); -1 where there is none.

    So it is for a context of -1, too.
    """
    wanted = context << 32 | word
    place = np.searchsorted(key, wanted)
    inside = np.minimum(place, len(key) - 1)
    known = key[inside] == wanted if len(key) else np.zeros(len(wanted), np.bool_)
    return np.where(known & (context >= 0), place, -1)


def sentence_scores(model: Backoff, word: Ints, pointer: Ints) -> Floats:
    """Log probabilities (n,) of sentences word[pointer[j]:pointer[j + 1]], the first word given.

    A sentence has at least its first word, <s>.  Sums are of 64 bits, word after word, and of a
    word from the longest context down.
    """
    first = np.zeros(len(word), np.bool_)
    first[pointer[:-1]] = True
    ends = [word]
    for key in model.key[1:]:
        context = np.concatenate([[-1], ends[-1][:-1]])
        ends.append(find(key, np.where(first, -1, context), word))
    step = np.where(first, 0.0, _steps(model, ends))
    sentence = np.repeat(np.arange(len(pointer) - 1), np.diff(pointer))
    score: Floats = np.bincount(sentence, step, len(pointer) - 1).astype(np.float64)  # in order
    return score


def _steps(model: Backoff, ends: list[Ints]) -> Floats:
    """Log probability of every word: back-off weights, then that of the longest n-gram found."""
    total = np.zeros(len(ends[0]))
    open_ = np.ones(len(ends[0]), np.bool_)  # no n-gram found yet
    for n in range(len(ends), 0, -1):
        number = ends[n - 1]
        found = open_ & (number >= 0)
        total[found] += model.prob[n - 1][number[found]]
        open_ &= ~found
        if n > 1:
            context = np.concatenate([[-1], ends[n - 2][:-1]])
            backed = open_ & (context >= 0)
            total[backed] += model.backoff[n - 2][context[backed]]
    return total
