"""The interface of an inventory to lists that are being written: ids of features by their keys.

Keys are looked up in an index of the inventory as it was when it was opened; a feature that it
lacks gets an id, or is left out and counted.  There are two implementations: ListInventory in the
command's own process, and PartInventory in a worker, whose new ids are provisional until all parts
are decoded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import Self

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.kbest import KBest
from campanula.stages.decoding.sparse.feature_ids import KeyTable, Spell
from campanula.stages.decoding.sparse.feature_index import FeatureIndex
from campanula.stages.decoding.sparse.index_cache import index_of, no_index


class IndexedInventory(ABC):
    """An inventory for lists; base: the inventory as it was when it was opened, None if new.

    own_order: whether ids are final, so that hypotheses can be sorted by their scores.
    """

    own_order = True

    def __init__(self, base: Inventory | None, cache: str | None) -> None:
        self.base = base
        self.n_before = 0 if base is None else len(base)
        self.n_left_out = 0
        self._cache = cache
        self._expected: Future[FeatureIndex] | None = None

    def expect_index(self) -> None:
        """Start mapping and checking the index in a thread, while other files are read."""
        if self._expected is None:
            # not waited for here, so that the pool's one thread goes on beside the caller
            pool = ThreadPoolExecutor(1)
            self._expected = pool.submit(self._made_index)
            pool.shutdown(wait=False)

    @cached_property
    def index(self) -> FeatureIndex:
        """Index of the features of `base` by key."""
        return self._made_index() if self._expected is None else self._expected.result()

    def _made_index(self) -> FeatureIndex:
        return no_index() if self.base is None else index_of(self.base, self._cache)

    @property
    @abstractmethod
    def names(self) -> InventoryNames:
        """Feature names of the lists."""

    @abstractmethod
    def reference(self) -> InventoryReference:
        """Return the reference for the lists' header; to be called when all lists are seen."""

    @abstractmethod
    def ids_of(self, names: list[str]) -> Ids:
        """Return the ids (n,) of features that all lists have.

        Raises DataError for a feature that is missing and may not be added.
        """

    def limit_to(self, weights: InventoryReference) -> None:  # noqa: B027
        """Leave out features that came after those of the weights, if none may be added."""

    def without_later(self, ids: Ids) -> Ids:
        """Set ids of `base` (n,) to -1, in place, for features after the weights'; return them."""
        return ids

    @property
    @abstractmethod
    def extends(self) -> bool:
        """Whether features that the inventory lacks get new ids."""

    @abstractmethod
    def added(self, text: Bytes, pointer: Ints) -> Ids:
        """Return the ids (n,) of names text[pointer[i]:pointer[i + 1]]; new names are added."""

    @abstractmethod
    def see(self, kbest: KBest) -> None:
        """Count the features of a list, or note the highest id."""

    def commit(self) -> None:  # noqa: B027
        """Make the added names part of the inventory on disk, if this process writes them."""

    def summary(self) -> str:
        """Return the end of the summary line about new or left out names; empty for none."""
        return ""

    def features(self) -> IndexedFeatures:
        """Return a lookup of ids by key, for one decoder."""
        return IndexedFeatures(self)

    @abstractmethod
    def close(self) -> None:
        """Close the inventory; names that were not committed are lost."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def seed_of(inventory: IndexedInventory | None) -> int:
    """Return the seed of fingerprints in an inventory's index; 0 without an inventory."""
    return 0 if inventory is None else int(inventory.index.seed[0])


class IndexedFeatures:
    """Ids of an inventory by key; only for a feature that its index lacks a name is built, once."""

    def __init__(self, inventory: IndexedInventory) -> None:
        self._inventory = inventory
        self._index = inventory.index
        self._new_keys = KeyTable()
        self._id = Column(np.int32)  # ids of the keys in _new_keys

    def expect(self, key: Ints, names: list[str]) -> None:
        """Do nothing: a feature gets its id when a list has it."""

    def ids(self, key: Ints, spell: Spell) -> Ids:
        """Return the ids (n,) of features by their keys; -1 for a feature to leave out."""
        from campanula.stages.kernels.sparse import tables

        ids = self._inventory.without_later(tables.ids_of(self._index.key, self._index.id, key))
        lacking = np.flatnonzero(ids < 0)
        if self._inventory.extends and len(lacking):
            number, new = self._new_keys.numbers(key[lacking])
            if len(new):
                self._id.extend(self._inventory.added(*spell(lacking[new])))
            ids[lacking] = self._id.values[number]
        return ids

    def leave_out(self, n: int) -> None:
        """Count n features as left out, one for each time that a feature fires."""
        self._inventory.n_left_out += n
