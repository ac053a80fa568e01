"""Counts of listed lexical features in the paths of a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.arrays.types import Ints
from campanula.formats.feature_names.lexical import LexicalFeature, parse_name
from campanula.formats.feature_names.sparse import TEMPLATES, WORDS
from campanula.formats.records.texts import Texts

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.arcs import LatticeArcs
    from campanula.stages.kernels.graph.lexical import Beyond, Local
    from campanula.stages.kernels.graph.paths import Paths


class LexicalFeatures:
    """A list of features, numbered in its order; finds the features that fire in paths."""

    def __init__(self, features: Sequence[LexicalFeature]) -> None:
        self.features = features
        self.names = [feature.name for feature in features]
        self._source: dict[str, int] = {}
        self._target: dict[str, int] = {}
        self._number: dict[str, Ints] = {}
        self._words: dict[str, Ints] = {}
        for prefix in ("uni", "bigram", "trigram", "trigger"):
            self._add(prefix, (self._target,) * sum(WORDS[prefix]))
        self._add("pair", (self._source, self._target))

    @classmethod
    def of(cls, names: Iterable[str]) -> LexicalFeatures:
        """Return the lexical features among the names of a list."""
        return cls([feature for feature in map(parse_name, names) if feature is not None])

    def without(self, templates: Iterable[str]) -> LexicalFeatures:
        """Return the features that none of the templates has."""
        counted = {prefix for name in templates for prefix in TEMPLATES[name].prefixes}
        return LexicalFeatures([f for f in self.features if f.prefix not in counted])

    def _add(self, prefix: str, numbers: tuple[dict[str, int], ...]) -> None:
        """Number the words of one kind of features; numbers: a vocabulary for each word."""
        of_kind = [n for n, feature in enumerate(self.features) if feature.prefix == prefix]
        words = [
            [number.setdefault(w, len(number)) for w, number in zip(words, numbers, strict=True)]
            for words in (self.features[n].words for n in of_kind)
        ]
        self._number[prefix] = np.array(of_kind, np.int64)
        # without features of this kind the array is (0,), but `_possible` asks for its columns
        self._words[prefix] = np.array(words, np.int64).reshape(len(of_kind), len(numbers))

    def count(
        self, source: Texts, word: Texts, arcs: LatticeArcs, paths: Paths
    ) -> tuple[Ints, Ints]:
        """Return the path and the feature (n,) of every time that a feature fires in a path.

        source: the words of the sentence; word: the target words that the arcs' phrases number.
        """
        from campanula.stages.kernels.graph.lexical import local_features, path_features

        if not self.names:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        own = local_features(arcs, self.local(source, word))
        fired = path_features(paths, arcs, own, self.beyond(word))
        return np.repeat(np.arange(len(paths.offset) - 1), lengths_of(fired.pointer)), fired.feature

    def local(self, source: Texts, word: Texts) -> Local:
        """Return the features that depend on one arc: words, and source words with target words."""
        from campanula.stages.kernels.graph.lexical import Local

        n_words = len(word)
        target = _local_numbers(self._target, word)
        numbers = np.array([self._source.get(f, -1) for f in source], np.int64)
        unigram = np.full(n_words, -1)
        words, number = self._possible("uni", (target,))
        unigram[words[:, 0]] = number
        # source words keep their own numbers; -1: not in the sentence
        source_number = np.full(len(self._source), -1)
        source_number[numbers[numbers >= 0]] = numbers[numbers >= 0]
        words, number = self._possible("pair", (source_number, target))
        return Local(numbers, unigram, *_by_key(words, number, n_words))

    def beyond(self, word: Texts) -> Beyond:
        """Return the features that depend on earlier words of a path."""
        from campanula.stages.kernels.graph.lexical import Beyond

        n_words = len(word)
        target = _local_numbers(self._target, word)
        bigram, trigram = (
            _by_key(*self._possible(prefix, (target,) * arity), n_words)
            for prefix, arity in (("bigram", 2), ("trigram", 3))
        )
        words, number = self._possible("trigger", (target, target))
        # by the second word, since a path looks up which earlier words trigger the word it comes to
        order = np.argsort(words[:, 1], kind="stable")
        words = words[order]
        number = number[order]
        triggers, place = np.unique(words[:, 0], return_inverse=True)
        left = np.full(n_words, -1)  # a bit for each first word, set once a path has had it
        left[triggers] = np.arange(len(triggers))
        start = np.zeros(n_words + 1, np.int64)
        np.cumsum(np.bincount(words[:, 1], minlength=n_words), out=start[1:])
        return Beyond(*bigram, *trigram, start, place.reshape(-1), number, left, len(triggers))

    def _possible(self, prefix: str, local: tuple[Ints, ...]) -> tuple[Ints, Ints]:
        """Return the features of a kind whose words the sentence has: words (n, arity), numbers.

        local: the sentence's number of each listed word, -1 for none, for each of the arity words;
        the words returned have these numbers.
        """
        listed = self._words[prefix]
        words = np.stack([numbers[listed[:, k]] for k, numbers in enumerate(local)], axis=1)
        # a feature with a word that the sentence lacks cannot fire: kernels search only the others
        possible = (words >= 0).all(axis=1)
        return words[possible], self._number[prefix][possible]


def _local_numbers(vocabulary: dict[str, int], words: Iterable[str]) -> Ints:
    """Return the sentence's number of every word of a vocabulary, -1 for a word not in it."""
    local = np.full(len(vocabulary), -1)
    for number, word in enumerate(words):
        if (global_number := vocabulary.get(word)) is not None:
            local[global_number] = number
    return local


def _by_key(words: Ints, number: Ints, n_words: int) -> tuple[Ints, Ints]:
    """Return the sorted keys (n,) of word sequences (n, arity), and the feature of each.

    A key is the sequence read as a number in base n_words.
    """
    key = words[:, 0]
    # numbers are below n_words, so no two sequences have one key
    for k in range(1, words.shape[1]):
        key = key * n_words + words[:, k]
    order = np.argsort(key)
    return key[order], number[order]
