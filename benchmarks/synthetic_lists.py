"""Synthetic scored lists with a given number of features, as a collection.

A sentence has 100 hypotheses.  Of shape `narrow`, a hypothesis has 20 binary features, of 200
different ones in a list; of shape `wide`, which is that of real lists with all of Tillmann and
Zhang's templates, 100 of 365.  Features follow Zipf's law, so that shards have features in common
as shards of text have.  A share `even` of them is drawn evenly from all features instead, which is
harder: most of these occur once in a shard.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids
from campanula.formats.collections.writer import CollectionWriter
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts

A_SENTENCE = 45  # features of the space
HYPOTHESES = 100
SHAPES = {"narrow": (20, 200), "wide": (100, 365)}  # entries a hypothesis, features a list
LISTS_A_SHARD = 100_000


def list_of(
    sid: int, pool: Ids, entries: int, dense: Features, names: Names, rng: np.random.Generator
) -> KBest:
    """A list without texts whose hypotheses have features that are neighbours in the list's pool.

    pool: ids in any order, around a ring; entries: binary features of a hypothesis; dense: the
    other features of HYPOTHESES hypotheses.  Gains are random.
    """
    start = rng.integers(0, len(pool), HYPOTHESES)
    place = (start[:, None] + np.arange(min(entries, len(pool)))) % len(pool)
    ids = np.sort(pool[place], axis=1)
    pointer = np.arange(HYPOTHESES + 1) * ids.shape[1]
    features = dense.with_sparse(pointer, ids.reshape(-1), np.ones(ids.size))
    text = Texts(b"", np.zeros(HYPOTHESES + 1, np.int64))
    return KBest(sid, text, features, names, gain=rng.random(HYPOTHESES))


class Lists:
    """Synthetic lists against an inventory that exists by its reference alone."""

    def __init__(self, n_features: int, shape: str, even: float = 0.0, seed: int = 1) -> None:
        self.rng = np.random.default_rng(seed)
        self.n_features, self.even = n_features, even
        self.entries, self.different = SHAPES[shape]
        # any digest of 32 digits will do, since the inventory is never opened
        self.reference = InventoryReference(n_features, f"{n_features:032x}")
        self.names = NumberedNames(self.reference)

    def pool(self) -> Ids:
        """Different features of a list, in any order."""
        n, size = self.n_features, self.different
        # Zipf's law: rank r with probability in proportion to 1/r
        frequent = np.exp(self.rng.random(size) * np.log(n)).astype(np.int64) - 1
        every = self.rng.integers(0, n, size)
        found = np.unique(np.where(self.rng.random(size) < self.even, every, frequent))
        while len(found) < size:  # frequent ones are drawn twice
            more = np.exp(self.rng.random(size - len(found)) * np.log(n)).astype(np.int64) - 1
            found = np.unique(np.append(found, more))
        return self.rng.permutation(found).astype(np.int32)

    def list(self, sid: int) -> KBest:
        """A random list without dense features."""
        dense = Features.of_dense(np.zeros(0, np.int32), np.zeros((0, HYPOTHESES)))
        return list_of(sid, self.pool(), self.entries, dense, self.names, self.rng)


def make(path: str, n_features: int, shape: str, even: float = 0.0) -> None:
    """Write a collection of n_features / 45 sentences."""
    lists, n = Lists(n_features, shape, even), max(n_features // A_SENTENCE, 8)
    # four shards at least, so that passes have something to share out
    first = list(range(0, n, min(LISTS_A_SHARD, -(-n // 4))))
    with CollectionWriter(path, KBest, "synthetic", None, first, lists.reference) as out:
        for sid in range(n):
            out.write(lists.list(sid))
