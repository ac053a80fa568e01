"""Scores of sparse features along the arcs of a lattice.

What is local to a block is its arc's, and so are orientations and jumps where all arcs before agree
on them.  The rest is found along paths (kernels/graph/cube_kbest.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.pointers import expand
from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.formats.feature_names.sparse import SparseFeature
from campanula.formats.records.lattice import Lattice
from campanula.stages.decoding.paths import arcs_of
from campanula.stages.decoding.sparse_keys import Blocks, SparseKeys
from campanula.stages.kernels.records import LENGTH, PLACE

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.turns import Turns
    from campanula.stages.kernels.records import Seams


@dataclass(frozen=True)
class ArcScores:
    """What sparse features score: each arc alone (n_arcs,), and what cube pruning needs.

    `beyond` says that some feature depends on more than the arc.
    """

    local: Floats
    varies: Flags
    turns: Turns
    info: Ids
    seams: Seams
    beyond: bool


class SparseArcs:
    """Weights of features, none of them 0, for the words of any lattice."""

    def __init__(self, features: Mapping[SparseFeature, float]) -> None:
        self._source: dict[str, int] = {}
        self._target: dict[str, int] = {}
        self._keys = SparseKeys(
            features,
            lambda word: self._source.setdefault(word, len(self._source) + 1),
            lambda word: self._target.setdefault(word, len(self._target) + 1),
        )

    def scores(self, lattice: Lattice) -> ArcScores:
        """Scores of the arcs; a word of no feature has number 0."""
        from campanula.stages.kernels.graph.turns import Turns, settled_turns
        from campanula.stages.kernels.records import Seams

        block, info, blocks, word = self._blocks(lattice)
        keys = self._keys
        arcs = arcs_of(lattice)
        turns = Turns(block, blocks.turn, keys.jump)
        turned = np.zeros(lattice.n_arcs)
        varies = np.zeros(lattice.n_arcs, np.bool_)
        if blocks.turn.any() or keys.jump.any():
            turned, varies = settled_turns(arcs, turns)
        triggers = keys.triggers(blocks.left, blocks.right, (blocks.left, blocks.right))
        arrays = (blocks.phrase, blocks.context, word, blocks.useful)
        seams = Seams(
            int(keys.seamed), keys.table.key, keys.table.value, *arrays, keys.jump, triggers
        )
        beyond = bool(varies.any()) or self._crosses(lattice, blocks.phrase)
        return ArcScores(blocks.local[block] + turned, varies, turns, info, seams, beyond)

    def _blocks(self, lattice: Lattice) -> tuple[Ints, Ids, Blocks, Ids]:
        """Block of each arc; of blocks: info (records.Options), all about them; words."""
        source = np.array([self._source.get(word, 0) for word in lattice.source], np.int32)
        number = np.array([self._target.get(word, 0) for word in lattice.word], np.int32)
        word = number[lattice.phrase_word]
        n = len(source) + 1
        n_phrases = len(lattice.phrase_pointer) - 1
        span = lattice.start.astype(np.int64) * n + lattice.end
        code, block = np.unique(span * n_phrases + lattice.phrase, return_inverse=True)
        span, owner = np.unique(code // n_phrases, return_inverse=True)
        start, place = expand(span // n, span % n - span // n)
        phrase = code % n_phrases
        info = np.zeros((len(code), 6), np.int32)
        info[:, LENGTH] = np.diff(lattice.phrase_pointer)[phrase]
        info[:, PLACE] = lattice.phrase_pointer[phrase]
        begin = lattice.phrase_pointer[phrase]
        blocks = self._keys.blocks(
            source[place], start, owner.reshape(-1), word, begin, begin + info[:, LENGTH]
        )
        return block.reshape(-1), info, blocks, word

    def _crosses(self, lattice: Lattice, phrase: Ints) -> bool:
        """Whether the lattice has the words or the phrases of a feature that crosses seams."""
        there = np.zeros(len(self._target) + 1, np.bool_)
        there[[self._target.get(word, 0) for word in lattice.word]] = True
        there[0] = False
        if there[self._keys.crossing].all(axis=1).any():
            return True
        pairs = zip(self._keys.neighbours, phrase.T, strict=True)
        return any(bool(np.isin(pair, keys).all(axis=1).any()) for pair, keys in pairs)
