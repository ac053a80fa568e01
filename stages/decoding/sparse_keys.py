"""Weights of sparse features by the keys that the kernels make, and what they ask of blocks.

A block's share of a score is that of its local features, and that of each orientation.  What looks
beyond a block (n-grams of the text, neighbouring phrases, boundary words, triggers) is asked at the
seam (kernels/sparse/seams.py), which is given the block's keys and what may matter of its words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints
from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.decoding.feature_index import UNITS, FeatureIndex, parsed_index
from campanula.stages.threads import in_order

if TYPE_CHECKING:
    from campanula.stages.kernels.records import Triggers

TURNS = ["orient", "back", "forw", "hback", "hforw"]  # features of the orientation
HIERARCHICAL = TURNS[3:]
WORDS = ["bigram", "trigram", "bound", "trigger"]  # features of words on both sides of a seam
PHRASES = ["sph", "tph"]  # features of neighbouring phrases, by side
TRIGRAM = PREFIXES.index("trigram")
FARTHEST = 1000  # words of a jump that has a weight
SPAN = 1 << 21  # features that a thread looks at at a time

NO_MARKS = np.zeros(0, np.int64)


class Blocks(NamedTuple):
    """What the search must know of n blocks with some places of words.

    local (n,) scores; turn (n, 6) scores by orientation, backward, then forward, and six more by
    hierarchical orientation where such features have weights; phrase (n, 2) keys
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


class CrossingFeatures(NamedTuple):
    """Features that cross a seam: fingerprints of words (n, 3), the last repeated, and keys (m, 2)
    of source phrases and of target phrases that are neighbours.
    """

    words: Ints
    phrases: tuple[Ints, Ints]


class MalformedName(ValueError):
    """A name that no sparse feature has."""


class SparseKeys:
    """Weights theta (n,) of the features of an index, by id; those of kinds that are open count.

    trigger (m, 2) are fingerprints of the words of trigger pairs, with the values (m,) of each.
    """

    def __init__(
        self,
        index: FeatureIndex,
        theta: Floats,
        open_kind: Flags,
        trigger: Ints | None = None,
        value: Floats | None = None,
    ) -> None:
        from campanula.stages.kernels.records import SparseTable

        self.seed = int(index.seed[0])
        self._asked = np.zeros(int(index.size[UNITS]) + 1, np.bool_)  # the last is that of -1
        on = surveyed(index, theta, open_kind, self._asked)
        self._unit = (index.unit_key, index.unit_number)
        self.table = SparseTable(index.key, index.id, theta, on, NO_MARKS)
        self.weigh = bool(on.any())
        self.turns = self._is_on(TURNS)
        self.hierarchical = self._is_on(HIERARCHICAL)
        self.seamed = self._is_on(WORDS + PHRASES)
        self.jump = self._jumps() if self._is_on(["jump"]) else np.zeros(1)
        self.crossing: CrossingFeatures | None = None
        self._find_triggers(
            np.zeros((0, 2), np.int64) if trigger is None else trigger,
            np.zeros(0) if value is None else value,
        )

    @classmethod
    def of_names(cls, names: list[str], theta: Floats, seed: int = 0) -> SparseKeys:
        """Weights by name; `seed` is the first that is tried for fingerprints.

        Raises MalformedName for one that is no feature's.
        """
        index, parsed = parsed_index(names, seed)
        bad = np.flatnonzero(parsed.key < 0)
        if len(bad):
            raise MalformedName(names[int(bad[0])])
        weighty = theta != 0.0
        kind, mark = np.where(weighty, parsed.kind, len(PREFIXES)), parsed.mark
        trigger = kind == PREFIXES.index("trigger")
        keys = cls(
            index, theta, np.ones(len(PREFIXES), np.bool_), mark[trigger][:, :2], theta[trigger]
        )
        words = np.isin(kind, [PREFIXES.index(prefix) for prefix in WORDS])
        source, target = (mark[kind == PREFIXES.index(prefix)][:, :2] for prefix in PHRASES)
        keys.crossing = CrossingFeatures(mark[words], (source, target))
        return keys

    def _is_on(self, prefixes: list[str]) -> bool:
        return bool(self.table.on[[PREFIXES.index(prefix) for prefix in prefixes]].any())

    def _jumps(self) -> Floats:
        """Weights (2 r + 1,) of jumps of -r to r words."""
        from campanula.stages.kernels.sparse import weights

        kind = PREFIXES.index("jump")
        every = range(-FARTHEST, FARTHEST + 1)
        keys = [weights.number_key(kind, jump) for jump in every]
        value = np.array([weights.weight_of(*self.table[:3], key) for key in keys])
        far = int(np.abs(np.flatnonzero(value) - FARTHEST).max(initial=0))
        return value[FARTHEST - far : FARTHEST + far + 1]

    def _find_triggers(self, word: Ints, value: Floats) -> None:
        """Words that trigger and are triggered, numbered in order, and the pairs by the second."""
        self._left, first = np.unique(word[:, 0], return_inverse=True)
        self._right, right = np.unique(word[:, 1], return_inverse=True)
        order = np.lexsort((first, right))
        self._start = pointer_of(np.bincount(right))
        self._first, self._value = first[order].astype(np.int32), value[order]
        self._second, self.has_triggers = right[order], len(value) > 0

    def marks(self, text: Bytes, pointer: Ints) -> Ints:
        """Fingerprints (n,) of words, which are text[pointer[x]:pointer[x + 1]]."""
        from campanula.stages.kernels.sparse import blocks

        return blocks.word_marks(text, pointer, self.seed)

    def begins(self, kind: int, mark: Ints) -> Flags:
        """Whether features with a weight begin with words or phrases (n,) of one kind."""
        from campanula.stages.kernels.sparse import tables

        if not self.seamed:
            return np.zeros(len(mark), np.bool_)
        unit = tables.ids_of(*self._unit, tables.unit_keys(kind, mark))
        return self._asked[unit]

    def scores(
        self, source: Ints, start: Ints, owner: Ints, word: Ids, begin: Ints, end: Ints, mark: Ints
    ) -> Floats:
        """Scores (n,) of the local features of blocks.

        Block x has the source words start[owner[x]] to start[owner[x] + 1] of `source`, by their
        fingerprints, and the target words begin[x] to end[x] of `word`, by numbers whose
        fingerprints `mark` has.
        """
        from campanula.stages.kernels.sparse import blocks as sparse_blocks

        table = self.table._replace(mark=mark)
        return sparse_blocks.block_scores(source, start, owner, word, begin, end, table)

    def blocks(
        self, source: Ints, start: Ints, owner: Ints, word: Ids, begin: Ints, end: Ints, mark: Ints
    ) -> Blocks:
        """All about blocks, which are given as in `scores`."""
        from campanula.stages.kernels.sparse import blocks as sparse_blocks
        from campanula.stages.kernels.sparse import tables, weights

        blocks = (source, start, owner, word, begin, end, mark)
        key = sparse_blocks.block_keys(*blocks)
        kinds = (weights.SOURCE_PHRASES, weights.TARGET_PHRASES)
        begins = [self.begins(kind, key[:, side]) for side, kind in enumerate(kinds)]
        spelled = mark[word]
        return Blocks(
            local=self.scores(*blocks),
            turn=self._turns(key),
            phrase=key,
            context=np.where(np.stack(begins, axis=1), key, -1),
            useful=np.where(self.begins(tables.WORD, spelled), word, -1).astype(np.int32),
            left=places_in(self._left, spelled),
            right=places_in(self._right, spelled),
        )

    def _turns(self, key: Ints) -> Floats:
        """Scores (n, 6 or 12) of blocks by orientation."""
        from campanula.stages.kernels.sparse import blocks as sparse_blocks

        turn = sparse_blocks.orientation_scores(key, self.table)
        if self.hierarchical:
            more = sparse_blocks.hierarchical_scores(key, self.table)
            turn = np.concatenate([turn, more], axis=1)
        return turn

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


def surveyed(index: FeatureIndex, theta: Floats, open_kind: Flags, asked: Flags) -> Flags:
    """As tables.survey, on two threads: a decoder with weights by the million waits for it."""
    from campanula.stages.kernels.sparse import tables

    def survey(span: tuple[slice, int]) -> Flags:
        features, trigrams = span
        return tables.survey(
            index.kind[features],
            index.unit[features],
            index.middle[trigrams:],
            theta[features],
            open_kind,
            asked,  # threads write True alone, so none undoes what another has done
        )

    on = np.zeros(len(PREFIXES), np.bool_)
    for part in in_order(survey, spans(index.kind, len(theta)), jobs=2):
        on |= part
    return on


def spans(kind: Bytes, n: int) -> Iterator[tuple[slice, int]]:
    """Yield spans of n features, each with the number of trigrams before it."""
    trigrams = 0
    for start in range(0, min(len(kind), n), SPAN):
        span = slice(start, start + SPAN)
        yield span, trigrams
        trigrams += int(np.count_nonzero(kind[span] == TRIGRAM))


def places_in(words: Ints, word: Ints) -> Ids:
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
