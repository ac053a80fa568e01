"""Weights of sparse features as the search reads them, and what it must know of each option.

Features that are local to a block belong to the option's score, those of its orientation to its
reordering scores; for those of neighbours the search is given keys (kernels/sparse/seams.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.growing import extended
from campanula.formats.arrays.pointers import expand, pointer_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import TEMPLATES, SparseFeature, split_name
from campanula.formats.model.vocabulary import Vocabulary
from campanula.formats.weights import Weights
from campanula.stages.decoding.sparse_keys import SparseKeys, no_triggers
from campanula.stages.kernels.records import (
    BACKWARD,
    ESTIMATED,
    KIND,
    LENGTH,
    ORIENTATIONS,
    PLACE,
    PLAIN,
)

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Options, Seams, Table

SourcePhrase = tuple[bytes, ...]


@dataclass(frozen=True)
class SparseWeights:
    """Templates of sparse features that are on, and weights by name, from the file `source`.

    `listed` are single features that are on, too.
    """

    templates: tuple[str, ...]
    theta: Mapping[str, float]
    source: str = "weights"
    listed: tuple[str, ...] = ()


class SparseOptions:
    """Sparse weights, and arrays beside those of the options.

    Weights of value 0 or of features that are off have no part in the search.  `target_number`
    gives a target word its number.  Raises DataError for a weight whose name no feature has.
    """

    def __init__(
        self,
        given: SparseWeights,
        source: Vocabulary,
        target_number: Callable[[bytes], int],
    ) -> None:
        self.sources: list[SourcePhrase] = []
        self._source = source
        self._new_words: dict[bytes, int] = {}
        self._node_words: dict[int, SourcePhrase] = {}
        features = features_of(given)
        self.digest = digest_of(features)
        self.keys = SparseKeys(
            features,
            lambda word: self._source_number(word.encode()),
            lambda word: target_number(word.encode()),
        )
        self.turns = self.keys.turns
        self._phrase = np.zeros((1024, 2), np.int64)
        self._context = np.zeros((1024, 2), np.int64)
        self._useful = np.zeros(4096, np.int32)
        self._left = np.zeros(4096, np.int32)
        self._right = np.zeros(4096, np.int32)

    def _source_number(self, word: bytes) -> int:
        number = self._source.find(word)
        if number < 0:
            number = self._new_words.setdefault(word, len(self._source) + len(self._new_words))
        return number

    def meet(self, words: list[bytes], node: Ints) -> None:
        """Learn which source phrases the trie nodes (n, longest) of a sentence stand for."""
        for i, row in enumerate(node.tolist()):
            for k, number in enumerate(row):
                if number and number not in self._node_words:
                    self._node_words[number] = tuple(words[i : i + k + 1])

    def row_scores(self, nodes: Ints, table: Table) -> Floats:
        """Scores of the local features of all rows of the nodes, in order."""
        first = table.row_start[nodes]
        count = table.row_start[nodes + 1] - first
        _, row = expand(first, count)
        owner = np.repeat(np.arange(len(nodes)), count)
        phrases = self._flat(self.phrases_of(nodes))
        begin, end = table.target_start[row], table.target_start[row + 1]
        return self.keys.scores(*phrases, owner, table.target_word, begin, end)

    def phrases_of(self, nodes: Ints) -> list[SourcePhrase]:
        """Source phrases of trie nodes."""
        return [self._node_words[node] for node in nodes.tolist()]

    def _flat(self, phrases: list[SourcePhrase]) -> tuple[Ids, Ints]:
        """Numbers of the words of source phrases, and where those of each begin (n + 1,)."""
        numbers = [self._source_number(word) for phrase in phrases for word in phrase]
        return np.array(numbers, np.int32), pointer_of([len(phrase) for phrase in phrases])

    def add(
        self,
        phrases: list[SourcePhrase],
        owner: Ints,
        places: int,
        options: Options,
        word: Ids,
    ) -> None:
        """Take in options that are new, whose score and info change in place.

        Option x has source phrase phrases[owner[x]].  `places` are those taken before its words.
        """
        score, info = options.score, options.info
        begin = info[:, PLACE].astype(np.int64)
        blocks = self.keys.blocks(*self._flat(phrases), owner, word, begin, begin + info[:, LENGTH])
        score[:, [PLAIN, ESTIMATED]] += blocks.local[:, None]
        score[:, BACKWARD:] += blocks.turn
        n = len(self.sources)
        forward = np.flatnonzero(blocks.turn[:, ORIENTATIONS:].any(axis=1))
        info[forward, KIND] = -2 - (n + forward)  # forward scores of its own
        self._phrase = extended(self._phrase, n, blocks.phrase)
        self._context = extended(self._context, n, blocks.context)
        self._useful = extended(self._useful, places, blocks.useful)
        self._left = extended(self._left, places, blocks.left)
        self._right = extended(self._right, places, blocks.right)
        self.sources += [phrases[x] for x in owner.tolist()]

    def seams(self, word: Ids, info: Ids, option: Ints | None = None) -> Seams:
        """What the search needs of neighbours; `word` and `info` are the options'.

        Triggers are those of some options, or of all.
        """
        from campanula.stages.kernels.records import Seams

        keys = self.keys
        place = np.zeros(0, np.int64)
        if keys.has_triggers:
            option = np.arange(len(self.sources)) if option is None else option
            _, place = expand(info[option, PLACE], info[option, LENGTH])
        triggers = keys.triggers(self._left, self._right, (self._left[place], self._right[place]))
        arrays = (self._phrase, self._context, word, self._useful)
        return Seams(
            int(keys.seamed), keys.table.key, keys.table.value, *arrays, keys.jump, triggers
        )


def features_of(given: SparseWeights) -> dict[SparseFeature, float]:
    """Features that are on, with their weights other than 0."""
    on = {prefix for name in given.templates for prefix in TEMPLATES[name].prefixes}
    listed = set(given.listed)
    features: dict[SparseFeature, float] = {}
    for name, value in given.theta.items():
        prefix = name.partition("_")[0]
        if prefix not in on and name not in listed:
            continue
        feature = split_name(name)
        if feature is None:
            problem = f"expected a name as the decoder writes those of {prefix}_"
            raise DataError(given.source, f"feature {name!r}", problem)
        if value != 0.0:
            features[feature] = value
    return features


def digest_of(features: Mapping[SparseFeature, float]) -> str:
    """Digest of weights, "" of none."""
    by_name = {str(feature): value for feature, value in features.items()}
    return Weights(by_name).digest() if by_name else ""


def no_seams() -> Seams:
    """What the search is given when there are no sparse features."""
    from campanula.stages.kernels.records import Seams

    pairs = np.zeros((0, 2), np.int64)
    words = np.zeros(0, np.int32)
    table = (np.full(1, -1, np.int64), np.zeros(1))
    return Seams(0, *table, pairs, pairs, words, words, np.zeros(1), no_triggers())
