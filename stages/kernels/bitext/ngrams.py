"""Number the distinct n-grams of a text, one length after the other.

The n-grams of length n are numbered in the order of (number of the first n - 1 words, last word):
alphabetically, if the words are.  One sort serves all lengths: it sorts all places of the text by
the words that follow, up to the longest n-gram.  It is a radix sort: a stable pass for each word,
from the last to the first, in time that does not depend on the size of the vocabulary.  No n-gram
is ever held as a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Ints

Numbers = NDArray[np.integer]

DIGIT = 16  # NumPy's stable argsort is a radix sort for integers of 16 bits, not for wider ones
FEW = 200_000  # up to so many tokens arrays are sorted sooner than kernels are loaded
MOST = 1 << 31  # kernels keep places in 32 bits, and pack two words or more into a key


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
    left = _words_left(token, start)
    most = min(longest, int(left.max(initial=0)))
    if FEW < len(token) < MOST and n_words < MOST:
        yield from by_kernels(token, left, n_words, most)
    else:
        yield from by_arrays(token, left, n_words, most)
    for _ in range(most, longest):
        none = np.zeros(0, np.int64)
        yield Ngrams(np.full(len(token), -1, np.int64), none, none)


def by_kernels(token: Ints, left: Ints, n_words: int, longest: int) -> Iterator[Ngrams]:
    """Yield the n-grams as sorted by kernels, which are faster but take time to load.

    left (N,): words from each place up to the end of its sentence.
    """
    from campanula.stages.kernels.bitext import place_sort

    order = place_sort.sorted_places(token, left, longest, n_words.bit_length())
    depth, shared = place_sort.shared_words(token, left, order, longest)
    for length in range(1, longest + 1):
        yield Ngrams(*place_sort.numbered(order, depth, shared, length))


def by_arrays(token: Ints, left: Ints, n_words: int, longest: int) -> Iterator[Ngrams]:
    """Yield the same n-grams as by_kernels, by passes over arrays."""
    # from 1 on: 0 stands for no word, and sorts first; 16 bits, if enough, are one pass a word
    number: Numbers = (token + 1).astype(np.uint16 if n_words < 1 << DIGIT else np.int64)
    words = [_words_at(number, left, k) for k in range(longest)]
    order = _sorted_places(words, len(token))
    opens = np.zeros(len(order), np.bool_)  # where a row's n-gram is not that of the row before
    for length in range(1, longest + 1):
        at = np.full(len(token), -1, np.int64)
        word = words[length - 1][order]
        opens[0] = True  # not before the loop: a text without tokens has no row 0
        opens[1:] |= word[1:] != word[:-1]
        inside = word > 0
        place = order[inside]
        new = np.flatnonzero(opens[inside])
        at[place] = np.cumsum(opens[inside]) - 1
        # reduceat: of the places of an n-gram the first in the text
        yield Ngrams(at, np.minimum.reduceat(place, new), np.diff(new, append=len(place)))


def _words_left(token: Ints, start: Ints) -> Ints:
    """Return how many words (N,) there are from each place to its sentence's end or the next -1."""
    end = np.repeat(start[1:], np.diff(start))
    none = np.flatnonzero(token < 0)
    if len(none):
        following = np.append(none, len(token))[np.searchsorted(none, np.arange(len(token)))]
        end = np.minimum(end, following)
    return end - np.arange(len(token))


def _words_at(number: Numbers, left: Ints, k: int) -> Numbers:
    """Return the number (N,), from 1 on, of the word k places after each, 0 if there is none."""
    size = len(number) - k
    word = np.zeros_like(number)
    np.multiply(number[k:], left[:size] > k, out=word[:size])
    return word


def _sorted_places(words: list[Numbers], size: int) -> Ints:
    """Return the places (size,) sorted by words, of which words[k] (size,) has the k-th of each."""
    order = np.arange(size)
    for column in reversed(words):
        word = column[order]
        for shift in range(0, 8 * word.itemsize, DIGIT):
            digit = (word >> shift).astype(np.uint16, copy=False)
            if shift and not digit.any():  # all equal: small vocabularies have no higher digits
                continue
            turned = np.argsort(digit, kind="stable")
            order, word = order[turned], word[turned]
    return order
