"""Weights of sparse features by the keys that kernels compute, and the scores and keys of blocks.

A block has a score of its local features and one for each orientation.  Features that look beyond a
block (n-grams of the text, neighbouring phrases, boundary words, triggers) are scored at the seam
of two blocks (kernels/sparse/seams.py), from the blocks' keys and the words that may matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Floats, Ids, Ints
from campanula.formats.feature_names.sparse import PREFIXES
from campanula.stages.decoding.sparse.feature_index import UNITS, FeatureIndex, parsed_index
from campanula.stages.decoding.sparse.triggers import TriggerPairs
from campanula.stages.parallel.threads import in_threads

TURNS = ["orient", "back", "forw", "hback", "hforw"]  # features of the orientation
HIERARCHICAL = TURNS[3:]
WORDS = ["bigram", "trigram", "bound", "trigger"]  # features of words on both sides of a seam
PHRASES = ["sph", "tph"]  # features of neighbouring phrases, by side
TRIGRAM = PREFIXES.index("trigram")
FARTHEST = 1000  # words of the longest jump that may have a weight
SPAN = 1 << 21  # features that a thread surveys at a time

NO_MARKS = np.zeros(0, np.int64)


class BlockWords(NamedTuple):
    """The words of n blocks.

    Block x has the source words source[start[owner[x]]:start[owner[x] + 1]], fingerprints, and the
    target words word[begin[x]:end[x]], numbers whose fingerprints are in `mark`.
    """

    source: Ints
    start: Ints
    owner: Ints
    word: Ids
    begin: Ints
    end: Ints
    mark: Ints


class Blocks(NamedTuple):
    """Sparse scores and keys of n blocks, and of the places of their target words.

    local (n,): scores; turn (n, 6): scores by orientation, backward, then forward, and six more by
    hierarchical orientation if such features have weights; phrase (n, 2): keys of source and target
    phrase; context (n, 2): the same if a feature begins with the phrase, else -1; useful, left,
    right (places,): as in records.Seams and Triggers.
    """

    local: Floats
    turn: Floats
    phrase: Ints
    context: Ints
    useful: Ids
    left: Ids
    right: Ids


class CrossingFeatures(NamedTuple):
    """Features that cross a seam: fingerprints of their words (n, 3), and keys (m, 2) of
    neighbouring source phrases and of neighbouring target phrases.

    Features of two words have the last one repeated, which asks for nothing more.
    """

    words: Ints
    phrases: tuple[Ints, Ints]


class MalformedName(ValueError):
    """A name that no sparse feature can have."""


class SparseKeys:
    """Weights of the features of an index, looked up by key.

    theta (n,): weights by id; open_kind (n_kinds,): kinds of features that are on; trigger (m, 2):
    fingerprints of the words of trigger pairs; value (m,): their weights.
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
        # units that a feature with a weight begins with, and second words of trigrams; the last
        # entry, which unit -1 (none) reads, stays False
        self._needed = np.zeros(int(index.size[UNITS]) + 1, np.bool_)
        on = surveyed(index, theta, open_kind, self._needed)
        self._unit = (index.unit_key, index.unit_number)
        self.table = SparseTable(index.key, index.id, theta, on, NO_MARKS)
        self.weigh = bool(on.any())
        self.turns = self._is_on(TURNS)
        self.hierarchical = self._is_on(HIERARCHICAL)
        self.seamed = self._is_on(WORDS + PHRASES)
        # one 0: the weights of jumps of at most 0 words, so the search needs no special case
        self.jump = self._jumps() if self._is_on(["jump"]) else np.zeros(1)
        self.crossing: CrossingFeatures | None = None
        self.triggers = TriggerPairs(
            np.zeros((0, 2), np.int64) if trigger is None else trigger,
            np.zeros(0) if value is None else value,
        )

    @classmethod
    def of_names(cls, names: list[str], theta: Floats, seed: int = 0) -> SparseKeys:
        """Return weights by name; seed: of fingerprints, the next is tried if two names share keys.

        Raises MalformedName for a name that no sparse feature can have.
        """
        index, parsed = parsed_index(names, seed)
        bad = np.flatnonzero(parsed.key < 0)
        if len(bad):
            raise MalformedName(names[int(bad[0])])
        mark = parsed.mark
        # len(PREFIXES) is no kind: features of weight 0 count as none
        kind = np.where(theta != 0.0, parsed.kind, len(PREFIXES))
        trigger = kind == PREFIXES.index("trigger")
        keys = cls(
            index, theta, np.ones(len(PREFIXES), np.bool_), mark[trigger][:, :2], theta[trigger]
        )
        words = np.isin(kind, [PREFIXES.index(prefix) for prefix in WORDS])
        source, target = (mark[kind == PREFIXES.index(prefix)][:, :2] for prefix in PHRASES)
        keys.crossing = CrossingFeatures(mark[words], (source, target))
        return keys

    def _is_on(self, prefixes: list[str]) -> bool:
        """Whether a feature of these kinds has a weight."""
        return bool(self.table.on[[PREFIXES.index(prefix) for prefix in prefixes]].any())

    def _jumps(self) -> Floats:
        """Return the weights (2 r + 1,) of jumps of -r to r words; longer ones have none."""
        from campanula.stages.kernels.sparse import weights

        kind = PREFIXES.index("jump")
        jumps = range(-FARTHEST, FARTHEST + 1)
        keys = [weights.number_key(kind, jump) for jump in jumps]
        value = np.array([weights.weight_of(*self.table[:3], key) for key in keys])
        # as short as the longest jump with a weight allows: the search reads it at every step
        far = int(np.abs(np.flatnonzero(value) - FARTHEST).max(initial=0))
        return value[FARTHEST - far : FARTHEST + far + 1]

    def marks(self, text: Bytes, pointer: Ints) -> Ints:
        """Return the fingerprints (n,) of words; word x is text[pointer[x]:pointer[x + 1]]."""
        from campanula.stages.kernels.sparse import blocks

        return blocks.word_marks(text, pointer, self.seed)

    def begins(self, kind: int, mark: Ints) -> Flags:
        """Return the mask (n,) of words or phrases with which a feature with a weight begins.

        The second word of a trigram counts as well.  kind: of units (tables.WORD or phrases); mark
        (n,): fingerprints or keys.
        """
        from campanula.stages.kernels.sparse import tables

        if not self.seamed:
            return np.zeros(len(mark), np.bool_)
        unit = tables.ids_of(*self._unit, tables.unit_keys(kind, mark))
        return self._needed[unit]

    def scores(self, words: BlockWords) -> Floats:
        """Return the scores (n,) of the local features of blocks."""
        from campanula.stages.kernels.sparse import blocks as sparse_blocks

        # the table takes the place of the fingerprints, and has them as its `mark`
        table = self.table._replace(mark=words.mark)
        return sparse_blocks.block_scores(*words[:-1], table)

    def blocks(self, words: BlockWords) -> Blocks:
        """Return scores and keys of blocks."""
        from campanula.stages.kernels.sparse import blocks as sparse_blocks
        from campanula.stages.kernels.sparse import tables, weights

        key = sparse_blocks.block_keys(*words)
        kinds = (weights.SOURCE_PHRASES, weights.TARGET_PHRASES)
        begins = [self.begins(kind, key[:, side]) for side, kind in enumerate(kinds)]
        spelled = words.mark[words.word]
        useful = self.begins(tables.WORD, spelled)
        return Blocks(
            local=self.scores(words),
            turn=self._turns(key),
            phrase=key,
            context=np.where(np.stack(begins, axis=1), key, -1),
            useful=np.where(useful, words.word, -1).astype(np.int32),
            left=self.triggers.lefts(spelled),
            right=self.triggers.rights(spelled),
        )

    def _turns(self, key: Ints) -> Floats:
        """Return the scores (n, 6 or 12) of blocks by orientation; key (n, 2): of their phrases."""
        from campanula.stages.kernels.sparse import blocks as sparse_blocks

        turn = sparse_blocks.orientation_scores(key, self.table)
        if self.hierarchical:
            hierarchical = sparse_blocks.hierarchical_scores(key, self.table)
            turn = np.concatenate([turn, hierarchical], axis=1)
        return turn


def surveyed(index: FeatureIndex, theta: Floats, open_kind: Flags, needed: Flags) -> Flags:
    """Return the mask of kinds with a weight, and mark units in `needed`, as tables.survey does.

    On two threads, since a decoder with millions of weights waits for it.
    """
    from campanula.stages.kernels.sparse import tables

    def survey(span: tuple[slice, int]) -> Flags:
        features, trigrams = span
        return tables.survey(
            index.kind[features],
            index.unit[features],
            index.middle[trigrams:],
            theta[features],
            open_kind,
            needed,  # a thread sets units and never unsets one that another has set
        )

    on = np.zeros(len(PREFIXES), np.bool_)
    for on_in_span in in_threads(survey, spans(index.kind, len(theta)), jobs=2):
        on |= on_in_span
    return on


def spans(kind: Bytes, n: int) -> Iterator[tuple[slice, int]]:
    """Yield spans of n features, each with the number of trigrams before it."""
    trigrams = 0
    for start in range(0, min(len(kind), n), SPAN):
        # FeatureIndex.middle has trigrams alone, so ids do not say where a span begins in it
        span = slice(start, start + SPAN)
        yield span, trigrams
        trigrams += int(np.count_nonzero(kind[span] == TRIGRAM))
