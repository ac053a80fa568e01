"""Weights of sparse features by the keys that the kernels make, and what they ask of blocks.

A block's share of a score is that of its local features, and that of each orientation.  What looks
beyond a block (n-grams of the text, neighbouring phrases, boundary words, triggers) is asked at the
seam (kernels/sparse/seams.py), which is given the block's keys and what may matter of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.formats.feature_names.sparse import (
    BY_PREFIX,
    ORIENTATIONS,
    PREFIXES,
    Phrase,
    SparseFeature,
)

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Triggers

TURNS = {"orient", "back", "forw"}  # features of the orientation
WORDS = {"bigram", "trigram", "bound", "trigger"}  # features of words on both sides of a seam
PHRASES = {"tph": 1, "sph": 0}  # features of neighbouring phrases, and their side
TWO_PHRASES = {"block", "back", "forw", *PHRASES}


class Blocks(NamedTuple):
    """What the search must know of n blocks with some places of words.

    local (n,) scores; turn (n, 6) scores by orientation, backward, then forward; phrase (n, 2) keys
    of source and target; context (n, 2), the same where a feature begins with them, else -1;
    useful, left, right (places,) as in records.Seams and Triggers.
    """

    local: Floats
    turn: Floats
    phrase: Ints
    context: Ints
    useful: Ids
    left: Ids
    right: Ids


class SparseKeys:
    """Weights of features, none of them 0.  The two functions give words their numbers."""

    def __init__(
        self,
        features: Mapping[SparseFeature, float],
        source_number: Callable[[str], int],
        target_number: Callable[[str], int],
    ) -> None:
        from campanula.stages.kernels.records import SparseTable
        from campanula.stages.kernels.sparse import weights as sparse_weights

        self._number = {"s": source_number, "t": target_number}
        self._phrase_keys: dict[tuple[Phrase, str], int] = {}
        key = np.array([self.key(feature) for feature in features], np.int64)
        on = np.zeros(len(PREFIXES), np.bool_)
        jumps: dict[int, float] = {}
        for feature, value in features.items():
            on[PREFIXES.index(feature.prefix)] = True
            if feature.prefix == "jump":
                jumps[int(feature.head)] = value
        values = np.array(list(features.values()))
        self.table = SparseTable(*sparse_weights.table_of(key, values), on)
        used = {feature.prefix for feature in features}
        self.turns, self.seamed = not used.isdisjoint(TURNS), bool(used & WORDS | used & {*PHRASES})
        far = max((abs(jump) for jump in jumps if abs(jump) <= 1000), default=0)
        self.jump = np.array([jumps.get(jump, 0.0) for jump in range(-far, far + 1)])
        self._find_words(features)
        self._find_phrases(features)
        self._find_triggers(features)

    def _find_words(self, features: Mapping[SparseFeature, float]) -> None:
        """Words that those features have which cross a seam, and those they begin with."""
        useful: list[int] = []
        crossing: list[list[int]] = []
        for feature in features:
            if feature.prefix in WORDS:
                numbers = self._numbers([w for phrase in feature.phrases for w in phrase], "t")
                # two words or three; two are padded with the last, which asks nothing more
                crossing.append((numbers + numbers[-1:] * 2)[:3])
                if feature.prefix != "trigger":
                    useful += numbers[:-1]
        self.crossing = np.array(crossing, np.int64).reshape(-1, 3)
        self._useful = np.array(sorted(set(useful)), np.int64)

    def _find_phrases(self, features: Mapping[SparseFeature, float]) -> None:
        """Keys of the pairs of neighbouring phrases, by side."""
        self.neighbours: list[Ints] = []
        for prefix in ("sph", "tph"):
            pairs = [f.phrases for f in features if f.prefix == prefix]
            keys = [[self._phrase_key(phrase, prefix[0]) for phrase in pair] for pair in pairs]
            self.neighbours.append(np.array(keys, np.int64).reshape(-1, 2))

    def _find_triggers(self, features: Mapping[SparseFeature, float]) -> None:
        """Words that trigger and are triggered, numbered in order, and the pairs by the second."""
        pairs = [(f.phrases, value) for f, value in features.items() if f.prefix == "trigger"]
        words = [[self._numbers(phrase, "t")[0] for phrase in phrases] for phrases, _ in pairs]
        word = np.array(words, np.int64).reshape(-1, 2)
        value = np.array([v for _, v in pairs])
        self._left, first = np.unique(word[:, 0], return_inverse=True)
        self._right, right = np.unique(word[:, 1], return_inverse=True)
        order = np.lexsort((first, right))
        self._start = pointer_of(np.bincount(right))
        self._first, self._value = first[order].astype(np.int32), value[order]
        self._second, self.has_triggers = right[order], len(pairs) > 0

    def key(self, feature: SparseFeature) -> int:
        """Key of a feature, as the kernels make it (kernels/sparse)."""
        from campanula.stages.kernels.sparse import weights as kernels

        prefix, head, phrases = feature.prefix, feature.head, feature.phrases
        kind = PREFIXES.index(prefix)
        sides = BY_PREFIX[prefix].sides
        number = -2
        if head:
            number = ORIENTATIONS.index(head) if head in ORIENTATIONS else int(head)
        if prefix in TWO_PHRASES:
            a, b = (self._phrase_key(p, side) for p, side in zip(phrases, sides, strict=True))
            return int(kernels.phrases_key(kind, number, a, b))
        if prefix == "plen":
            return int(kernels.phrases_key(kind, number, 0, self._phrase_key(phrases[0], "t")))
        numbers = [number] if head else []
        for k, phrase in enumerate(phrases):
            numbers += [kernels.SEPARATOR] * (k > 0) + self._numbers(phrase, sides[k])
        return int(kernels.numbers_key(kind, np.array(numbers, np.int64)))

    def _phrase_key(self, phrase: Phrase, side: str) -> int:
        from campanula.stages.kernels.sparse import weights as sparse_weights

        key = self._phrase_keys.get((phrase, side))
        if key is None:
            word = np.array(self._numbers(phrase, side), np.int32)
            key = int(sparse_weights.phrase_key(word, 0, len(word)))
            self._phrase_keys[phrase, side] = key
        return key

    def _numbers(self, phrase: Phrase | list[str], side: str) -> list[int]:
        return [self._number[side](word) for word in phrase]

    def scores(
        self, source: Ids, start: Ints, owner: Ints, word: Ids, begin: Ints, end: Ints
    ) -> Floats:
        """Scores (n,) of the local features of blocks.

        Block x has the source words start[owner[x]] to start[owner[x] + 1] of `source`, and the
        target words begin[x] to end[x] of `word`.
        """
        from campanula.stages.kernels.sparse import blocks as sparse_blocks

        return sparse_blocks.block_scores(source, start, owner, word, begin, end, self.table)

    def blocks(
        self, source: Ids, start: Ints, owner: Ints, word: Ids, begin: Ints, end: Ints
    ) -> Blocks:
        """All about blocks, which are given as in `scores`."""
        from campanula.stages.kernels.sparse import blocks as sparse_blocks

        key = sparse_blocks.block_keys(source, start, owner, word, begin, end)
        begins = [np.isin(key[:, side], self.neighbours[side][:, 0]) for side in range(2)]
        return Blocks(
            local=self.scores(source, start, owner, word, begin, end),
            turn=sparse_blocks.orientation_scores(key, self.table),
            phrase=key,
            context=np.where(np.stack(begins, axis=1), key, -1),
            useful=np.where(np.isin(word, self._useful), word, -1).astype(np.int32),
            left=places_in(self._left, word),
            right=places_in(self._right, word),
        )

    def triggers(self, left: Ids, right: Ids, there: tuple[Ids, Ids]) -> Triggers:
        """Triggers of a sentence: `left` and `right` by place, `there` those of its places."""
        from campanula.stages.kernels.records import Triggers

        bit = np.full(len(self._left), -1, np.int32)
        sides = (self._left, self._right)
        if len(bit):
            is_left, is_right = (np.zeros(len(words) + 1, np.bool_) for words in sides)
            is_left[there[0]], is_right[there[1]] = True, True  # the last place is that of -1
            used = np.unique(self._first[is_left[self._first] & is_right[self._second]])
            bit[used] = np.arange(len(used))
        return Triggers(left, right, self._start, self._first, self._value, bit)


def places_in(words: Ints, word: Ids) -> Ids:
    """Place of each word (n,) among sorted words, -1 for one that is not there."""
    if not len(words):
        return np.full(len(word), -1, np.int32)
    place = np.searchsorted(words, word).clip(max=len(words) - 1)
    return np.where(words[place] == word, place, -1).astype(np.int32)


def no_triggers() -> Triggers:
    """Triggers when no pair has a weight."""
    from campanula.stages.kernels.records import Triggers

    words = np.zeros(0, np.int32)
    return Triggers(words, words, np.zeros(1, np.int64), words, np.zeros(0), words)
