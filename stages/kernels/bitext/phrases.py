"""Number the phrases of a text in the order in which the lines of a phrase table sort.

In a line of the table the field separator follows the phrase, and in the vocabulary it is a word
like others.  So phrases sort as lines do when compared as lists of word numbers that end in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Flags, Ints
from campanula.stages.kernels.bitext.ngrams import ngrams


@dataclass(frozen=True, slots=True)
class PhraseKeys:
    """A key for every phrase of a text: `key[length - 1, place]`, -1 where no phrase starts.

    `first` (K,) and `length` (K,): a place where the phrase of a key stands, and its length.
    """

    key: Ints
    first: Ints
    length: Ints


@dataclass(frozen=True, slots=True)
class SortedPhrases:
    """Phrases in the order of the table: `at` (K,) a place where each stands, `length` (K,).

    `number` (M,): the number among these of the phrase of every key asked for.
    """

    number: Ints
    at: Ints
    length: Ints


def phrase_keys(token: Ints, start: Ints, n_words: int, longest: int) -> PhraseKeys:
    """Return keys of all phrases of up to `longest` words inside sentences; -1 is in no phrase."""
    key = np.full((longest, len(token)), -1, np.int64)
    firsts, lengths = [], []
    n_keys = 0
    for i, level in enumerate(ngrams(token, start, n_words, longest)):
        # n-grams of each length are numbered from 0: keys go on behind those of shorter ones
        np.add(level.at, n_keys, out=key[i], where=level.at >= 0)
        firsts.append(level.first)
        lengths.append(np.full(len(level.first), i + 1))
        n_keys += len(level.first)
    return PhraseKeys(key, np.concatenate(firsts), np.concatenate(lengths))


def number_phrases(keys: PhraseKeys, key: Ints, token: Ints, separator: int) -> SortedPhrases:
    """Number the phrases of `key` (M,) from 0 in the order of the table, without gaps."""
    present = np.zeros(len(keys.first), bool)
    present[key] = True
    used = np.flatnonzero(present)
    longest = len(keys.key)
    offset = np.arange(longest)
    place = keys.first[used, None] + offset
    inside = offset < keys.length[used, None]
    # minimum: a place behind the text is never inside a phrase, but must not be out of bounds
    word = np.where(inside, token[np.minimum(place, max(0, len(token) - 1))], separator)
    used = used[np.lexsort(word.T[::-1])]  # lexsort's last key counts most
    number = np.empty(len(keys.first), np.int64)
    number[used] = np.arange(len(used))
    return SortedPhrases(number[key], keys.first[used], keys.length[used])


def wanted(keys: PhraseKeys, begin: int) -> Flags:
    """Return whether each key (K,) occurs at place `begin` of the text or later."""
    occurs = np.zeros(len(keys.first) + 1, bool)
    occurs[keys.key[:, begin:]] = True  # -1 falls on the extra last entry
    return occurs[:-1]
