"""Number the distinct n-grams of a text, one length after the other.

The n-grams of length n are numbered in the order of (number of the first n - 1 words, last word):
alphabetically, if the words are.  A sort of packed pairs does it, O(N log N) a length, with no
n-gram ever held as a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Ints


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The distinct n-grams of one length.

    `at` (N,): number of the n-gram that starts at a token, -1 where none does; `first` (K,): the
    place where each occurs first; `count` (K,): how often.
    """

    at: Ints
    first: Ints
    count: Ints


def ngrams(token: Ints, start: Ints, n_words: int, longest: int) -> Iterator[Ngrams]:
    """Yield the n-grams of length 1, 2, ... `longest`, inside sentences.

    token (N,), sentence i is token[start[i]:start[i + 1]]; a token of -1 is in no n-gram.  A
    length that does not occur has K = 0.
    """
    left = np.repeat(start[1:], np.diff(start)) - np.arange(len(token))
    at, n_before = np.zeros(len(token), np.int64), 1
    for length in range(1, longest + 1):
        place = np.flatnonzero((at >= 0) & (left >= length))
        last = token[place + (length - 1)]
        place, last = place[last >= 0], last[last >= 0]
        # Python's integers: a product past 2^63 must not go by in silence
        if n_before * n_words >= 1 << 63:
            raise OverflowError(f"{n_before} n-grams of {n_words} words cannot be packed")
        key = at[place] * n_words + last
        _, first, number, count = np.unique(
            key, return_index=True, return_inverse=True, return_counts=True
        )
        at = np.full(len(token), -1, np.int64)
        at[place] = number
        n_before = max(1, len(first))
        yield Ngrams(at, place[first], count)
