"""Weights of sparse features as the search reads them, and what it must know of each option.

Features that are local to a block belong to the option's score, those of its orientation to its
reordering scores; for those of neighbours the search is given keys (kernels.sparse_seams).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from formats.errors import DataError
from formats.sparse_names import (
    BY_PREFIX,
    ORIENTATIONS,
    PREFIXES,
    TEMPLATES,
    Phrase,
    SparseFeature,
    split_name,
)
from formats.vocabulary import Vocabulary

if TYPE_CHECKING:
    from stages.kernels.search_records import Seams, Table

Ints = NDArray[np.int64]
Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
SourcePhrase = tuple[bytes, ...]

TURNS = {"orient", "back", "forw"}  # features of the orientation
SEAMS = {"ng", "tph", "sph", "bound"}  # features that the search adds at the seam of two blocks


@dataclass(frozen=True)
class SparseWeights:
    """Templates of sparse features that are on, and weights by name, from the file `source`."""

    templates: tuple[str, ...]
    theta: Mapping[str, float]
    source: str = "weights"


class SparseOptions:
    """Sparse weights, and arrays beside those of the options.

    Weights of value 0 or of templates that are off have no part in the search.  `target_number`
    gives a target word its number.  Raises DataError for a weight whose name no feature has.
    """

    def __init__(
        self,
        given: SparseWeights,
        source: Vocabulary,
        target_number: Callable[[bytes], int],
    ) -> None:
        self.sources: list[SourcePhrase] = []
        self._source, self._target_number = source, target_number
        self._new_words: dict[bytes, int] = {}
        self._node_words: dict[int, SourcePhrase] = {}
        self._phrase_keys: dict[tuple[Phrase, str], int] = {}
        features = features_of(given)
        self._read_weights(features)
        self.turns = any(feature.prefix in TURNS for feature in features)
        self._seamed = any(feature.prefix in SEAMS for feature in features)
        self._phrase = np.zeros((1024, 2), np.int64)
        self._context = np.zeros((1024, 2), np.int64)
        self._useful = np.zeros(4096, np.int32)

    def _read_weights(self, features: dict[SparseFeature, float]) -> None:
        """Key every feature, and collect what features of neighbours begin with."""
        from stages.kernels import sparse_weights
        from stages.kernels.search_records import SparseTable

        key = np.array([self._key(feature) for feature in features], np.int64)
        on = np.zeros(len(PREFIXES), np.bool_)
        begins: dict[str, list[int]] = {"sph": [], "tph": []}
        useful: list[int] = []
        jumps: dict[int, float] = {}
        for feature, value in features.items():
            prefix, phrases = feature.prefix, feature.phrases
            on[PREFIXES.index(prefix)] = True
            if prefix in begins:
                begins[prefix].append(self._phrase_key(phrases[0], prefix[0]))
            elif prefix == "ng":
                useful += self._numbers(phrases[0][:-1], "t")
            elif prefix == "bound":
                useful += self._numbers(phrases[0], "t")
            elif prefix == "jump":
                jumps[int(feature.head)] = value
        values = np.array(list(features.values()))
        self.weights = SparseTable(*sparse_weights.table_of(key, values), on)
        self._begins = [np.array(begins[prefix], np.int64) for prefix in ("sph", "tph")]
        self._useful_words = np.array(useful, np.int32)
        far = max((abs(jump) for jump in jumps if abs(jump) <= 1000), default=0)
        self.jump = np.array([jumps.get(jump, 0.0) for jump in range(-far, far + 1)])

    def _key(self, feature: SparseFeature) -> int:
        """Key of a feature, as the kernels make it (sparse_blocks, sparse_seams)."""
        from stages.kernels import sparse_weights as kernels

        prefix, head, phrases = feature.prefix, feature.head, feature.phrases
        kind, sides, number = PREFIXES.index(prefix), BY_PREFIX[prefix].sides, -2
        if head:
            number = ORIENTATIONS.index(head) if head in ORIENTATIONS else int(head)
        if prefix in ("block", "back", "forw", "tph", "sph"):
            a, b = (self._phrase_key(p, side) for p, side in zip(phrases, sides, strict=True))
            return int(kernels.phrases_key(kind, number, a, b))
        if prefix == "plen":
            return int(kernels.phrases_key(kind, number, 0, self._phrase_key(phrases[0], "t")))
        numbers = [number] if head else []
        for k, phrase in enumerate(phrases):
            numbers += [kernels.SEPARATOR] * (k > 0) + self._numbers(phrase, sides[k])
        return int(kernels.numbers_key(kind, np.array(numbers, np.int64)))

    def _phrase_key(self, phrase: Phrase, side: str) -> int:
        from stages.kernels import sparse_weights

        key = self._phrase_keys.get((phrase, side))
        if key is None:
            word = np.array(self._numbers(phrase, side), np.int32)
            key = int(sparse_weights.phrase_key(word, 0, len(word)))
            self._phrase_keys[phrase, side] = key
        return key

    def _numbers(self, phrase: Phrase, side: str) -> list[int]:
        number = self._source_number if side == "s" else self._target_number
        return [number(word.encode()) for word in phrase]

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
        from stages.kernels import sparse_blocks

        first, count = table.row_start[nodes], np.diff(table.row_start)[nodes]
        owner = np.repeat(np.arange(len(nodes)), count)
        row = np.arange(len(owner)) + np.repeat(first - np.cumsum(count) + count, count)
        phrases = [self._node_words[node] for node in nodes.tolist()]
        begin, end = table.target_start[row], table.target_start[row + 1]
        source, start = self._flat(phrases)
        return sparse_blocks.block_scores(
            source, start, owner, table.target_word, begin, end, self.weights
        )

    def phrases_of(self, nodes: Ints) -> list[SourcePhrase]:
        """Source phrases of trie nodes."""
        return [self._node_words[node] for node in nodes.tolist()]

    def _flat(self, phrases: list[SourcePhrase]) -> tuple[Ids, Ints]:
        start = np.zeros(len(phrases) + 1, np.int64)
        np.cumsum([len(phrase) for phrase in phrases], out=start[1:])
        numbers = [self._source_number(word) for phrase in phrases for word in phrase]
        return np.array(numbers, np.int32), start

    def add(
        self,
        phrases: list[SourcePhrase],
        owner: Ints,
        places: int,
        score: Floats,
        info: Ids,
        word: Ids,
    ) -> None:
        """Take in options that are new: `score` and `info` (search.Options) change in place.

        Option x has source phrase phrases[owner[x]].  `places` are those taken before its words.
        """
        from stages.kernels import sparse_blocks

        source, start = self._flat(phrases)
        begin = info[:, 2].astype(np.int64)
        end = begin + info[:, 1]
        local = sparse_blocks.block_scores(source, start, owner, word, begin, end, self.weights)
        score[:, :2] += local[:, None]
        key = sparse_blocks.block_keys(source, start, owner, word, begin, end)
        turn = sparse_blocks.orientation_scores(key, self.weights)
        score[:, 2:] += turn
        n = len(self.sources)
        forward = np.flatnonzero(turn[:, 3:].any(axis=1))
        info[forward, 3] = -2 - (n + forward)  # forward scores of its own
        context = np.where(self._begins_with(key), key, -1)
        useful = np.where(np.isin(word, self._useful_words), word, -1).astype(np.int32)
        self._phrase = extended(self._phrase, n, key)
        self._context = extended(self._context, n, context)
        self._useful = extended(self._useful, places, useful)
        self.sources += [phrases[x] for x in owner.tolist()]

    def _begins_with(self, key: Ints) -> NDArray[np.bool_]:
        found = [np.isin(key[:, side], self._begins[side]) for side in range(2)]
        return np.stack(found, axis=1)

    def seams(self, word: Ids) -> Seams:
        """What the search needs of neighbours; `word` are the options' words."""
        from stages.kernels.search_records import Seams

        key, value, _ = self.weights
        arrays = (self._phrase, self._context, word, self._useful)
        return Seams(int(self._seamed), key, value, *arrays, self.jump)


def features_of(given: SparseWeights) -> dict[SparseFeature, float]:
    """Features of the templates that are on, with their weights other than 0."""
    on = {prefix for name in given.templates for prefix in TEMPLATES[name].prefixes}
    features: dict[SparseFeature, float] = {}
    for name, value in given.theta.items():
        prefix = name.partition("_")[0]
        if prefix not in on:
            continue
        feature = split_name(name)
        if feature is None:
            problem = f"expected a name as the decoder writes those of {prefix}_"
            raise DataError(given.source, f"feature {name!r}", problem)
        if value != 0.0:
            features[feature] = value
    return features


def no_seams() -> Seams:
    """What the search is given when there are no sparse features."""
    from stages.kernels.search_records import Seams

    pairs, words = np.zeros((0, 2), np.int64), np.zeros(0, np.int32)
    table = (np.full(1, -1, np.int64), np.zeros(1))
    return Seams(0, *table, pairs, pairs, words, words, np.zeros(1))


def extended(array: NDArray[Any], size: int, more: NDArray[Any]) -> NDArray[Any]:
    """Array with `more` written behind its first `size` rows; a larger copy when they don't fit."""
    if size + len(more) > len(array):
        larger = np.zeros((2 * (size + len(more)), *array.shape[1:]), dtype=array.dtype)
        larger[:size] = array[:size]
        array = larger
    array[size : size + len(more)] = more
    return array
