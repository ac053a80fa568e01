"""Number the distinct n-grams of a text, one length after the other.

The n-grams of length n are numbered in the order of (number of the first n - 1 words, last word):
alphabetically, if the words are.  One sort serves all lengths: that of all places by the words that
follow, up to the longest n-gram.  It goes word by word from the last to the first, and every pass
keeps the order of the one before where words are the same, in time that does not depend on how many
words there are (radix sort); no n-gram is ever held as a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Ints

Numbers = NDArray[np.integer]

DIGIT = 16  # bits of a number that NumPy sorts by in one pass
FEW = 200_000  # tokens that are sorted without kernels
MOST = 1 << 31  # tokens, and words, that kernels take


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
    """The n-grams by kernels, which take less time and longer to load."""
    from campanula.stages.kernels.bitext import place_sort

    order = place_sort.sorted_places(token, left, longest, n_words.bit_length())
    depth, shared = place_sort.shared_words(token, left, order, longest)
    for length in range(1, longest + 1):
        yield Ngrams(*place_sort.numbered(order, depth, shared, length))


def by_arrays(token: Ints, left: Ints, n_words: int, longest: int) -> Iterator[Ngrams]:
    """The same by passes over arrays."""
    number: Numbers = (token + 1).astype(np.uint16 if n_words < 1 << DIGIT else np.int64)
    words = [_words_at(number, left, k) for k in range(longest)]
    order = _sorted_places(words, len(token))
    opens = np.zeros(len(order), np.bool_)  # where a row's n-gram is not that of the row before
    for length in range(1, longest + 1):
        at = np.full(len(token), -1, np.int64)
        word = words[length - 1][order]
        opens[0] = True
        opens[1:] |= word[1:] != word[:-1]
        inside = word > 0
        place = order[inside]
        new = np.flatnonzero(opens[inside])
        at[place] = np.cumsum(opens[inside]) - 1
        yield Ngrams(at, np.minimum.reduceat(place, new), np.diff(new, append=len(place)))


def _words_left(token: Ints, start: Ints) -> Ints:
    """Words (N,) from each place up to the end of its sentence, or to the next token of -1."""
    end = np.repeat(start[1:], np.diff(start))
    none = np.flatnonzero(token < 0)
    if len(none):
        following = np.append(none, len(token))[np.searchsorted(none, np.arange(len(token)))]
        end = np.minimum(end, following)
    return end - np.arange(len(token))


def _words_at(number: Numbers, left: Ints, k: int) -> Numbers:
    """The word's number (N,), from 1 on, k places behind each place, 0 where there is none."""
    size = len(number) - k
    word = np.zeros_like(number)
    np.multiply(number[k:], left[:size] > k, out=word[:size])
    return word


def _sorted_places(words: list[Numbers], size: int) -> Ints:
    """Places (size,) by the words from each on, one array (size,) after the other."""
    order = np.arange(size)
    for column in reversed(words):
        word = column[order]
        for shift in range(0, 8 * word.itemsize, DIGIT):
            digit = (word >> shift).astype(np.uint16, copy=False)
            if shift and not digit.any():
                continue
            turned = np.argsort(digit, kind="stable")
            order, word = order[turned], word[turned]
    return order
