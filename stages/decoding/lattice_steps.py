"""Paths of lattices as steps of derivations, whose blocks keep their numbers over all lattices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.growing import extended
from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.arrays.types import Ints
from campanula.formats.feature_names.sparse import Phrase
from campanula.formats.records.lattice import Lattice
from campanula.stages.decoding.sparse_counts import Steps

if TYPE_CHECKING:
    from campanula.stages.kernels.graph.paths import Paths


class LatticeSteps:
    """Numbers blocks (source and target phrases) and target words as it meets them."""

    def __init__(self) -> None:
        self._blocks: dict[tuple[Phrase, Phrase], int] = {}
        self._phrases: list[tuple[Phrase, Phrase]] = []
        self._words: dict[str, int] = {}
        self._texts: list[str] = []
        self._info = np.zeros((1024, 3), np.int32)
        self._word = np.zeros(4096, np.int32)
        self._n_places = 0

    def phrases(self, block: int) -> tuple[Phrase, Phrase]:
        """Source and target words of a block."""
        return self._phrases[block]

    def text(self, number: int) -> str:
        """Return a target word."""
        return self._texts[number]

    def steps(self, lattice: Lattice, paths: Paths) -> Steps:
        """Steps of paths."""
        offset, arc = paths
        used, place = np.unique(arc, return_inverse=True)
        block = self._block_numbers(lattice, used)[place.reshape(-1)]
        start = lattice.start[arc].astype(np.int64)
        end = lattice.end[arc].astype(np.int64)
        hyp = np.repeat(np.arange(len(offset) - 1), lengths_of(offset))
        return Steps(hyp, block, start, end, self._info, self._word)

    def _block_numbers(self, lattice: Lattice, arc: Ints) -> Ints:
        """Number of the block of each arc."""
        source, word = list(lattice.source), list(lattice.word)
        spans = [lattice.start[arc], lattice.end[arc], lattice.phrase[arc]]
        pointer, numbers = lattice.phrase_pointer.tolist(), lattice.phrase_word.tolist()
        met: dict[tuple[int, int, int], int] = {}
        blocks = []
        for start, end, phrase in zip(*(column.tolist() for column in spans), strict=True):
            block = met.get((start, end, phrase))
            if block is None:
                words = numbers[pointer[phrase] : pointer[phrase + 1]]
                target = tuple(word[number] for number in words)
                block = met[start, end, phrase] = self._number(tuple(source[start:end]), target)
            blocks.append(block)
        return np.array(blocks, np.int64)

    def _number(self, source: Phrase, target: Phrase) -> int:
        block = self._blocks.get((source, target))
        if block is None:
            block = self._blocks[source, target] = len(self._phrases)
            self._phrases.append((source, target))
            for word in target:
                if word not in self._words:
                    self._words[word] = len(self._texts)
                    self._texts.append(word)
            words = np.array([self._words[word] for word in target], np.int32)
            row = np.array([[0, len(words), self._n_places]], np.int32)
            self._info = extended(self._info, block, row)
            self._word = extended(self._word, self._n_places, words)
            self._n_places += len(words)
        return block
