"""Millions of names of Tillmann and Zhang's templates over the words of a text.

Blocks are random spans of the two sides.  n-grams are those of the target text, each once, and then
random words; so many look-ups of a search find a weight, and many do not.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.feature_names.sparse import PREFIXES
from campanula.formats.records.texts import Texts
from campanula.stages.decoding.sparse.spelled_features import (
    SpelledSteps,
    StepWords,
    spelling_of,
    steps_of,
)

TEMPLATES = (
    "block",
    "block-orientation",
    "target-phrases",
    "source-phrases",
    "phrase-length",
    "word-pair",
    "jump",
    "ngram",
    "boundary",
)
SHARES = {
    "trigram": 24,
    "pair": 16,
    "bigram": 10,
    "bound": 10,
    "block": 10,
    "back": 9,
    "forw": 9,
    "tph": 6,
    "sph": 6,
}
"""Number of features of each kind in a hundred; rare kinds are only in the first piece."""

PIECE = 1 << 18
LONGEST = 3  # words of a block's side
NGRAM = {"bigram": 2, "trigram": 3}


class TemplateNames:
    """Makes names over the words of two texts, sentence i of one being the other's translation."""

    def __init__(
        self, source: list[str], target: list[str], piece: int = PIECE, seed: int = 1
    ) -> None:
        self._piece = piece
        self._rng = np.random.default_rng(seed)
        source_words = [line.split() for line in source]
        target_words = [line.split() for line in target]
        vocabulary = {word: None for words in target_words for word in words}
        number = {word: k for k, word in enumerate(vocabulary)}
        self._target = np.array([number[w] for words in target_words for w in words], np.int32)
        self._source = spelling_of(Texts.of(w for words in source_words for w in words))
        self._spelling = spelling_of(Texts.of(vocabulary))
        self._size = min(len(self._source.start) - 1, len(self._target)) - LONGEST

    def pieces(self) -> Iterator[tuple[Bytes, Ints]]:
        """Yield pieces of names without end: bytes and pointers; some names occur twice."""
        k = 0
        while True:
            steps = self._steps(self._piece)
            yield steps.names(self._rows(k))
            k += 1

    def _steps(self, n: int) -> SpelledSteps:
        """n blocks of words near each other in the two texts."""
        start = self._rng.integers(0, self._size, n)
        end = start + self._rng.integers(1, LONGEST + 1, n)
        info = np.zeros((n, 3), np.int32)
        info[:, 1] = self._rng.integers(1, LONGEST + 1, n)
        # near each other, as a word and its translation are
        info[:, 2] = np.clip(start + self._rng.integers(-3, 4, n), 0, self._size)
        none = np.zeros(0, np.int64)
        words = StepWords(info, self._target, none, none)
        steps = steps_of(np.array([0, n]), (np.arange(n), start, end), words)
        return SpelledSteps(steps, self._source, self._spelling)

    def _rows(self, k: int) -> Ids:
        """Rows (n, 5) of features, as kernels.sparse.fired has them."""
        rng = self._rng
        row = np.zeros((self._piece, 5), np.int32)
        shares = np.array([*SHARES.values()]) / 100
        kind = rng.choice([PREFIXES.index(prefix) for prefix in SHARES], self._piece, p=shares)
        row[:, 0] = kind
        row[:, 1] = rng.integers(1, self._piece, self._piece)
        for prefix in ("back", "forw"):
            row[kind == PREFIXES.index(prefix), 2] = rng.integers(0, 3)
        words = self._target[rng.integers(0, self._size, (self._piece, 3))]
        of_words = np.isin(kind, [PREFIXES.index(p) for p in ("trigram", "bigram", "bound")])
        row[of_words, 2:] = words[of_words]  # each as often as the text has it
        pair = kind == PREFIXES.index("pair")
        row[pair, 3] = words[pair, 1]  # the block's first source word
        for prefix, n in NGRAM.items():
            there = np.flatnonzero(kind == PREFIXES.index(prefix))[: self._new_ngrams(k)]
            first = k * self._piece // 4 + np.arange(len(there))
            first = first[first < self._size]
            for column in range(n):
                row[there[: len(first)], 2 + column] = self._target[first + column]
        if k == 0:
            self._add_few(row)
        return row

    def _new_ngrams(self, k: int) -> int:
        """Number of n-grams of the text itself in piece k."""
        return max(0, min(self._piece // 4, self._size - k * self._piece // 4))

    def _add_few(self, row: Ids) -> None:
        """Write jumps, words and phrases with lengths over the first rows."""
        jumps = np.arange(-12, 13)
        row[: len(jumps)] = 0
        row[: len(jumps), 0], row[: len(jumps), 2] = PREFIXES.index("jump"), jumps
        n = min(len(self._spelling.start) - 1, self._piece // 4)
        words = slice(len(jumps), len(jumps) + n)
        row[words] = 0
        row[words, 0], row[words, 2] = PREFIXES.index("uni"), np.arange(n)
        lengths = slice(words.stop, words.stop + self._piece // 20)
        row[lengths, 0], row[lengths, 2] = PREFIXES.index("plen"), 1
