"""The outlook of the oracle search against trying every end of the sentence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.metrics.reference_trie import BLEU_ORDER, reference_trie
from campanula.stages.kernels.oracle import (
    classes as oracle_classes,
)
from campanula.stages.kernels.oracle import (
    ngrams as oracle_ngrams,
)
from campanula.stages.kernels.oracle import (
    tails as oracle_tails,
)
from campanula.stages.kernels.oracle.records import NGrams, OptionClasses, Tails


def sequences(rng: np.random.Generator, n: int, n_types: int, longest: int) -> list[Ints]:
    return [rng.integers(n_types, size=rng.integers(longest + 1)) for _ in range(n)]


def flat(parts: list[Ints]) -> tuple[Ids, Ints]:
    end = np.cumsum([0, *map(len, parts)])
    return np.concatenate([np.zeros(0), *parts]).astype(np.int32), end


def end_of(tails: Tails, classes: OptionClasses, ngrams: NGrams, i: int, u: int) -> Ids:
    """Types of the end from place i on after context u."""
    words: list[int] = []
    while i < len(tails.bounds):
        c = oracle_tails.choice_after(tails, ngrams, i, u)
        following = classes.word[classes.start[c] : classes.start[c + 1]]
        for t in following.tolist():
            u = oracle_ngrams.context_of(ngrams, oracle_ngrams.longest_match(ngrams, u, t))
        words += following.tolist()
        i = int(tails.behind[c])
    return np.array(words, np.int32)


@pytest.mark.parametrize("seed", range(6))
def test_tails_are_the_best_ends(seed: int) -> None:
    """The worth of each end is the maximum over all ways to go on, context by context."""
    rng = np.random.default_rng(seed)
    n, n_types, weight = 4, 3, np.array([0.0, 1.0, 2.5, 4.0, 7.0, 1.5])
    refs = flat(sequences(rng, 2, n_types, 6))
    ngrams = oracle_ngrams.ngrams_of(reference_trie(*refs, n_types, BLEU_ORDER))
    count = np.zeros((n, 2), np.int32)
    count[:, 0], count[:-1, 1] = 2, rng.integers(3, size=n - 1)
    parts = [rng.integers(-1, n_types, size=rng.integers(3)) for _ in range(count.sum())]
    word, end = flat(parts)
    options = np.arange(len(parts), dtype=np.int32)
    classes = oracle_classes.classes_of(count, options, word, end)
    tails = oracle_tails.tails(classes, ngrams, n_types, weight)

    worth = oracle_tails.Worth(ngrams, weight, *oracle_tails.contexts_before(ngrams, n_types))

    def ends(i: int) -> Iterator[list[int]]:
        if i == n:
            yield []
        for k in range(min(2, n - i)):
            for c in range(classes.first[i, k], classes.first[i, k] + classes.n_classes[i, k]):
                for more in ends(i + k + 1):
                    yield [*classes.word[classes.start[c] : classes.start[c + 1]], *more]

    for i in range(n):
        every = [np.array(words, np.int32) for words in ends(i)]
        for u in range(len(ngrams.letter)):
            if ngrams.depth[u] == 4:
                continue
            best = max(oracle_tails.worth_of(worth, u, words, 0, len(words))[0] for words in every)
            fits = []
            for words in every:
                marks = np.zeros(ngrams.base[-1], np.int64)
                oracle_ngrams.read(ngrams, u, words, 0, len(words), marks, oracle_ngrams.DOWN)
                value, _ = oracle_tails.worth_of(worth, u, words, 0, len(words))
                if value == pytest.approx(best):
                    fits.append((len(words), [int(x).bit_count() for x in marks]))
            words = end_of(tails, classes, ngrams, i, u)
            marks = np.zeros(ngrams.base[-1], np.int64)
            oracle_ngrams.read(ngrams, u, words, 0, len(words), marks, oracle_ngrams.DOWN)
            assert (len(words), [int(x).bit_count() for x in marks]) in fits
