"""The order in which sentences are visited, a new one each epoch, from one random generator.

random      a permutation of all sentences
blocks      a permutation of blocks of 4,096 consecutive sentences, and within each block a
            permutation of its sentences: the disk is read block by block, not at random
corpus      the order of the corpus
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from campanula.formats.arrays.types import Ints

BLOCK = 4096
"""Sentences packed at a time, and visited together if the sets are larger than memory."""

MEMORY = 4 << 30  # default for the bytes of packed sets held in memory

RANDOM, BLOCKS, CORPUS = "random", "blocks", "corpus"


class SentenceOrders:
    """Orders of n sentences, epoch by epoch; in_blocks: for sets that are larger than memory."""

    def __init__(self, n: int, shuffle: bool, seed: int, in_blocks: bool = False) -> None:
        self.kind = CORPUS if not shuffle else BLOCKS if in_blocks else RANDOM
        self._n = n
        self._rng = np.random.default_rng(seed)

    def epoch(self) -> Iterator[Ints]:
        """Yield the sentences of the next epoch: all at once, or block by block."""
        if self.kind == CORPUS:
            yield np.arange(self._n)
        elif self.kind == RANDOM:
            yield self._rng.permutation(self._n)
        else:
            for block in self._rng.permutation(-(-self._n // BLOCK)).tolist():
                first = block * BLOCK
                yield first + self._rng.permutation(min(BLOCK, self._n - first))
