"""The order in which sentences are visited, another one each epoch, all by one generator.

random      a permutation of all sentences
blocks      a permutation of blocks of 4,096 consecutive sentences, and of each of these, when its
            turn comes, one of its sentences: no pass reads the disk at random
corpus      as they stand
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from campanula.formats.arrays.types import Ints

BLOCK = 4096
"""Sentences that are packed at a time, and stay together where sets are larger than memory."""

MEMORY = 4 << 30  # bytes of packed sets that are held in memory, unless it is said otherwise

RANDOM, BLOCKS, CORPUS = "random", "blocks", "corpus"


class SentenceOrders:
    """Orders of n sentences, epoch by epoch; in_blocks: for sets that are larger than memory."""

    def __init__(self, n: int, shuffle: bool, seed: int, in_blocks: bool = False) -> None:
        self.kind = CORPUS if not shuffle else BLOCKS if in_blocks else RANDOM
        self._n = n
        self._rng = np.random.default_rng(seed)

    def epoch(self) -> Iterator[Ints]:
        """Yield the sentences of the next epoch, in parts."""
        if self.kind == CORPUS:
            yield np.arange(self._n)
        elif self.kind == RANDOM:
            yield self._rng.permutation(self._n)
        else:
            for block in self._rng.permutation(-(-self._n // BLOCK)).tolist():
                first = block * BLOCK
                yield first + self._rng.permutation(min(BLOCK, self._n - first))
