"""Pairs that have the substrings of a test set (Tillmann and Zhang, section VI).

Wanted are all source substrings of up to 12 words that occur in the test set, and for each at least
one pair that has it, if there is one.  A pair is taken, in the order of the corpus, if it has a
substring that too few pairs taken so far have.  So one pass is enough, and only the substrings are
in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from campanula.formats.arrays.types import Flags
from campanula.formats.text.corpus import read_corpus, read_with_words


class SubstringSelection:
    """Chooses pairs; lines: those of the test texts, count: how many pairs a substring gets."""

    def __init__(self, lines: Iterable[str], longest: int, count: int) -> None:
        from campanula.stages.kernels.bitext.substrings import substrings

        test = read_corpus(lines, "test texts")
        self._words = test.words
        self._count = count
        self._rank = {word: place for place, word in enumerate(test.words)}
        self._wanted = substrings(test.token, test.start, longest)

    def choose(self, source: Sequence[str], first: int) -> Flags:
        """Return which of consecutive pairs (n,) are taken; `first` is the number of the first."""
        from campanula.stages.kernels.bitext.substrings import choose

        corpus = read_with_words(source, self._words)
        return choose(self._wanted, corpus.token, corpus.start, self._count, first)

    def __str__(self) -> str:
        n = len(self._wanted.pairs) - 1
        there = int(np.count_nonzero(self._wanted.pairs))
        return f"{there} of {n} substrings are in the corpus"
