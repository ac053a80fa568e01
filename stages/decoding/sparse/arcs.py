"""Scores of sparse features along the arcs of a lattice.

An arc's score has the features local to its block, and those of orientation and jump if they are
the same after all arcs before it.  The other features are scored along paths
(kernels/graph/cube_kbest.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.pointers import expand
from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.formats.records.lattice import Lattice
from campanula.stages.decoding.paths import arcs_of
from campanula.stages.decoding.sparse.keys import Blocks, BlockWords, SparseKeys
from campanula.stages.decoding.sparse.name_parsing import bytes_of
from campanula.stages.kernels.records import LENGTH, PLACE

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.turns import Turns
    from campanula.stages.kernels.records import Seams


@dataclass(frozen=True)
class ArcScores:
    """Scores of sparse features on each arc alone, and what cube pruning needs.

    local (n_arcs,): scores; varies (n_arcs,): whether orientation or jump depend on the arc before;
    turns, info, seams: for cube pruning; beyond: whether some feature depends on more than the arc.
    """

    local: Floats
    varies: Flags
    turns: Turns
    info: Ids
    seams: Seams
    beyond: bool


class SparseArcs:
    """Scores the arcs of any lattice with the weights of sparse features."""

    def __init__(self, keys: SparseKeys) -> None:
        self._keys = keys

    def scores(self, lattice: Lattice) -> ArcScores:
        """Return the scores of a lattice's arcs."""
        from campanula.stages.kernels.graph.turns import Turns, settled_turns
        from campanula.stages.kernels.hierarchical import node_coverage
        from campanula.stages.kernels.records import Seams

        keys = self._keys
        mark = keys.marks(bytes_of(lattice.word.blob), lattice.word.pointer)
        block, info, blocks = self._blocks(lattice, mark)
        arcs = arcs_of(lattice)
        covered = np.zeros((0, 0), np.bool_)
        if keys.hierarchical:
            nodes = (arcs.pointer, lattice.before.astype(np.int64), arcs.start, arcs.end)
            covered = node_coverage(*nodes, len(lattice.source))
        turns = Turns(block, blocks.turn, keys.jump, covered)
        # without such weights all orientations score 0, and no path is looked at
        turned = np.zeros(lattice.n_arcs)
        varies = np.zeros(lattice.n_arcs, np.bool_)
        if blocks.turn.any() or keys.jump.any():
            turned, varies = settled_turns(arcs, turns)
        triggers = keys.triggers.of_sentence(blocks.left, blocks.right, (blocks.left, blocks.right))
        arrays = (blocks.phrase, blocks.context, lattice.phrase_word, blocks.useful)
        table = keys.table._replace(mark=mark)
        seams = Seams(int(keys.seamed), table, *arrays, keys.jump, triggers)
        beyond = bool(varies.any()) or self._crosses(mark, blocks)
        return ArcScores(blocks.local[block] + turned, varies, turns, info, seams, beyond)

    def _blocks(self, lattice: Lattice, mark: Ints) -> tuple[Ints, Ids, Blocks]:
        """Return the block of each arc, and of the blocks: info (records.Options), scores and keys.

        Arcs of one source span and one phrase share a block.  mark (n_words,): fingerprints of the
        target words.
        """
        keys = self._keys
        source = keys.marks(bytes_of(lattice.source.blob), lattice.source.pointer)
        n = len(source) + 1
        # span and phrase as one number, so that np.unique finds the distinct blocks
        n_phrases = len(lattice.phrase_pointer) - 1
        span = lattice.start.astype(np.int64) * n + lattice.end  # its ends are 0 to n - 1
        code, block = np.unique(span * n_phrases + lattice.phrase, return_inverse=True)
        span, owner = np.unique(code // n_phrases, return_inverse=True)
        start, place = expand(span // n, span % n - span // n)
        phrase = code % n_phrases
        info = np.zeros((len(code), 6), np.int32)
        info[:, LENGTH] = np.diff(lattice.phrase_pointer)[phrase]
        info[:, PLACE] = lattice.phrase_pointer[phrase]
        begin = lattice.phrase_pointer[phrase]
        end = begin + info[:, LENGTH]
        words = BlockWords(
            source[place], start, owner.reshape(-1), lattice.phrase_word, begin, end, mark
        )
        return block.reshape(-1), info, keys.blocks(words)

    def _crosses(self, mark: Ints, blocks: Blocks) -> bool:
        """Whether the lattice has all words or phrases of a feature that crosses seams.

        With weights of a stream, which have no list of such features: whether it has the first word
        or phrase of one.
        """
        crossing = self._keys.crossing
        if crossing is None:
            return bool((blocks.useful >= 0).any() or (blocks.context >= 0).any())
        if np.isin(crossing.words, mark).all(axis=1).any():
            return True
        pairs = zip(crossing.phrases, blocks.phrase.T, strict=True)
        return any(bool(np.isin(pair, keys).all(axis=1).any()) for pair, keys in pairs)
