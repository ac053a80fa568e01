"""Trigger pairs with a weight: the second word of a pair may stand anywhere after the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ids, Ints

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Triggers


class TriggerPairs:
    """Pairs of words (n, 2), fingerprints, and their weights (n,).

    First words are numbered in the order of their fingerprints, and so are second words.
    """

    def __init__(self, word: Ints, value: Floats) -> None:
        self._left, first = np.unique(word[:, 0], return_inverse=True)
        self._right, right = np.unique(word[:, 1], return_inverse=True)
        # a search comes to the second word of a pair and asks which first words trigger it
        order = np.lexsort((first, right))
        self._start = pointer_of(np.bincount(right))
        self._first = first[order].astype(np.int32)
        self._second = right[order]
        self._value = value[order]

    def __len__(self) -> int:
        return len(self._value)

    def lefts(self, mark: Ints) -> Ids:
        """Return the numbers (n,) of words as first words of pairs, -1 for others."""
        return places_in(self._left, mark)

    def rights(self, mark: Ints) -> Ids:
        """Return the numbers (n,) of words as second words of pairs, -1 for others."""
        return places_in(self._right, mark)

    def of_sentence(self, left: Ids, right: Ids, used: tuple[Ids, Ids]) -> Triggers:
        """Return the triggers of a sentence.

        left, right: number of each place's word as first or second word of pairs, -1 for none;
        used: these of the sentence's places.  Only first words with a second word in the sentence
        get a bit, so that few bits are needed.
        """
        from campanula.stages.kernels.records import Triggers

        bit = np.full(len(self._left), -1, np.int32)
        sides = (self._left, self._right)
        if len(bit):
            is_left, is_right = (np.zeros(len(words) + 1, np.bool_) for words in sides)
            is_left[used[0]] = True  # -1 sets the last entry, which no word has
            is_right[used[1]] = True
            # pairs of which the sentence has both words
            firsts = np.unique(self._first[is_left[self._first] & is_right[self._second]])
            bit[firsts] = np.arange(len(firsts))
        return Triggers(left, right, self._start, self._first, self._value, bit)


def places_in(words: Ints, word: Ints) -> Ids:
    """Return the place of each `word` (n,) among the sorted `words`, -1 for one not among them."""
    if not len(words):
        return np.full(len(word), -1, np.int32)
    # a word after the last one gets a place that exists, and then compares as unequal
    place = np.searchsorted(words, word).clip(max=len(words) - 1)
    return np.where(words[place] == word, place, -1).astype(np.int32)


def no_triggers() -> Triggers:
    """Return the Triggers of a search in which no pair has a weight."""
    from campanula.stages.kernels.records import Triggers

    words = np.zeros(0, np.int32)
    return Triggers(words, words, np.zeros(1, np.int64), words, np.zeros(0), words)
