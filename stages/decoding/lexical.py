"""Lexical features of one lattice: the part of a list of features that its words can have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from formats.columns import Floats, Ids, Ints
from formats.lattice import Lattice
from formats.lexical_names import LexicalFeature

if TYPE_CHECKING:
    from stages.kernels import lattice_kbest

NONE = np.zeros(0, np.int64)


class LexicalFeatures:
    """A list of features, numbered in its order; finds those that a lattice can have."""

    def __init__(self, features: Sequence[LexicalFeature]) -> None:
        self.names = [feature.name for feature in features]
        self._source: dict[str, int] = {}
        self._target: dict[str, int] = {}
        self._number: dict[str, Ints] = {}
        self._words: dict[str, Ints] = {}
        for template, arity in (("uni", 1), ("bigram", 2), ("trigram", 3), ("trigger", 2)):
            self._add(template, arity, features, (self._target,) * arity)
        self._add("pair", 2, features, (self._source, self._target))

    def _add(
        self,
        template: str,
        arity: int,
        features: Sequence[LexicalFeature],
        numbers: tuple[dict[str, int], ...],
    ) -> None:
        """Number the words of a template's features."""
        mine = [n for n, feature in enumerate(features) if feature.prefix == template]
        words = [
            [known.setdefault(w, len(known)) for w, known in zip(words, numbers, strict=True)]
            for words in (features[n].words for n in mine)
        ]
        self._number[template] = np.array(mine, np.int64)
        self._words[template] = np.array(words, np.int64).reshape(len(mine), arity)

    def local(self, lattice: Lattice) -> lattice_kbest.Local:
        """Features that an arc has of itself."""
        from stages.kernels.lattice_kbest import Local

        n_words, target = len(lattice.word), _local_numbers(self._target, lattice.word)
        source = np.array([self._source.get(word, -1) for word in lattice.source], np.int64)
        unigram = np.full(n_words, -1)
        words, number = self._found("uni", (target,), None)
        unigram[words[:, 0]] = number
        there = np.full(len(self._source), -1)
        there[source[source >= 0]] = source[source >= 0]
        words, number = self._found("pair", (there, target), None)
        return Local(source, unigram, *_by_key(words, number, n_words))

    def beyond(self, lattice: Lattice, weight: Floats | None = None) -> lattice_kbest.Beyond:
        """Features that look back; with weights (n_features,), those whose weight is not 0."""
        from stages.kernels.lattice_kbest import Beyond

        n_words, target = len(lattice.word), _local_numbers(self._target, lattice.word)
        bigram, trigram = (
            _by_key(*self._found(template, (target,) * arity, weight), n_words)
            for template, arity in (("bigram", 2), ("trigram", 3))
        )
        words, number = self._found("trigger", (target, target), weight)
        order = np.argsort(words[:, 1], kind="stable")
        words, number = words[order], number[order]
        triggers, place = np.unique(words[:, 0], return_inverse=True)
        left = np.full(n_words, -1)
        left[triggers] = np.arange(len(triggers))
        start = np.zeros(n_words + 1, np.int64)
        np.cumsum(np.bincount(words[:, 1], minlength=n_words), out=start[1:])
        return Beyond(*bigram, *trigram, start, place.reshape(-1), number, left, len(triggers))

    def _found(
        self, template: str, local: tuple[Ints, ...], weight: Floats | None
    ) -> tuple[Ints, Ints]:
        """Words (n, arity) in the lattice's numbers, and numbers, of features it can have."""
        words, number = self._words[template], self._number[template]
        words = np.stack([of[words[:, k]] for k, of in enumerate(local)], axis=1)
        there = (words >= 0).all(axis=1)
        if weight is not None:
            there &= weight[number] != 0.0
        return words[there], number[there]


def _local_numbers(known: dict[str, int], words: Iterable[str]) -> Ints:
    """Number in the lattice of every known word, -1 for one that it lacks."""
    local = np.full(len(known), -1)
    for number, word in enumerate(words):
        if (global_number := known.get(word)) is not None:
            local[global_number] = number
    return local


def _by_key(words: Ints, number: Ints, n_words: int) -> tuple[Ints, Ints]:
    """Sorted keys of word sequences (n, arity), and the feature of each."""
    key = words[:, 0]
    for k in range(1, words.shape[1]):
        key = key * n_words + words[:, k]
    order = np.argsort(key)
    return key[order], number[order]


def counts(pointer: Ints, feature: Ints, n_features: int) -> tuple[Ints, Ids, Ints]:
    """Features of rows (pointer (n + 1,)) that may repeat, each once with its count.

    Returns row, feature and count, by row, then by feature.
    """
    row = np.repeat(np.arange(len(pointer) - 1), np.diff(pointer))
    key, count = np.unique(row * n_features + feature, return_counts=True)
    return key // n_features, (key % n_features).astype(np.int32), count
