"""n-grams that a translation shares with its references: their places, which were won and lost.

An n-gram counts at most as many times as it is in one reference, the one that has it most often, as
in BLEU (Papineni et al. 2002).  If the translation has it more often, the later ones do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

LONGEST = 4
Words = Sequence[str]
NGram = tuple[str, ...]


class Expected:
    """n-grams of the references of a sentence; most: how many times each may count."""

    def __init__(self, references: Iterable[Words]) -> None:
        self.most: Counter[NGram] = Counter()
        for words in references:
            # the union of counters has the larger count: that of one reference, not the sum of all
            self.most |= Counter(ngram for n in _lengths() for ngram in _ngrams(words, n))

    def hits(self, words: Words) -> Counter[NGram]:
        """The n-grams of a translation that count, with their numbers."""
        return self.most & Counter(ngram for n in _lengths() for ngram in _ngrams(words, n))

    def marks(self, words: Words) -> list[int]:
        """For every word the length of the longest n-gram with it that counts, 0 for none."""
        marks = [0] * len(words)
        for n in _lengths():
            # a copy, since every place that counts uses up one of its n-gram
            left = Counter(self.most)
            for start, ngram in enumerate(_ngrams(words, n)):
                if left[ngram] > 0:
                    left[ngram] -= 1
                    # lengths ascend, so that a longer n-gram covers the marks of shorter ones
                    marks[start : start + n] = [n] * n
        return marks


def _lengths() -> range:
    return range(1, LONGEST + 1)


def _ngrams(words: Words, n: int) -> list[NGram]:
    return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]


def won_and_lost(
    sentences: Iterable[tuple[Expected, Words, Words]], most: int
) -> tuple[list[tuple[NGram, int]], list[tuple[NGram, int]]]:
    """n-grams that count more times after than before, and those that count fewer times.

    Each with the difference, the largest first, of equal ones the longer n-gram first; at most
    `most` of each.  sentences: the n-grams of the references, words before, words after.
    """
    change: Counter[NGram] = Counter()
    for expected, before, after in sentences:
        if list(before) != list(after):
            change.update(expected.hits(after))
            # the operator `-` of counters would drop the n-grams that were lost
            change.subtract(expected.hits(before))
    ranked = sorted(change.items(), key=lambda item: (-abs(item[1]), -len(item[0]), item[0]))
    won = [(ngram, count) for ngram, count in ranked if count > 0]
    lost = [(ngram, -count) for ngram, count in ranked if count < 0]
    return won[:most], lost[:most]
