"""What lists against an inventory ask of it while they are made: ids of features by their keys.

Keys are looked up in an index of the inventory as it was when it was opened; what it lacks gets an
id, or is left out and counted.  Two do so: ListInventory in the command's own process, and
PartInventory in a worker, whose ids are its own until those of all parts are known.
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
from campanula.stages.decoding.feature_ids import KeyTable, Spell
from campanula.stages.decoding.feature_index import FeatureIndex
from campanula.stages.decoding.index_cache import index_of, no_index


class IndexedInventory(ABC):
    """An inventory for lists: `base` is what it was when it was opened, None for a new one.

    own_order: whether ids are those that lists will have, so that lists can be put in order.
    """

    own_order = True

    def __init__(self, base: Inventory | None, cache: str | None) -> None:
        self.base = base
        self.n_before = 0 if base is None else len(base)
        self.n_left_out = 0
        self._cache = cache
        self._expected: Future[FeatureIndex] | None = None

    def expect_index(self) -> None:
        """Let the index be mapped, and checked, beside what else is to be done."""
        if self._expected is None:
            pool = ThreadPoolExecutor(1)
            self._expected = pool.submit(self._made_index)
            pool.shutdown(wait=False)

    @cached_property
    def index(self) -> FeatureIndex:
        """Features of `base` by key."""
        return self._made_index() if self._expected is None else self._expected.result()

    def _made_index(self) -> FeatureIndex:
        return no_index() if self.base is None else index_of(self.base, self._cache)

    @property
    @abstractmethod
    def names(self) -> InventoryNames:
        """Names of the lists."""

    @abstractmethod
    def known(self) -> InventoryReference:
        """What the lists are against, when all that they have is known."""

    @abstractmethod
    def ids_of(self, names: list[str]) -> Ids:
        """Ids of features that all lists have; raises DataError for one that may not be added."""

    def go_by(self, weights: InventoryReference) -> None:  # noqa: B027
        """Know the names that weights have."""

    def counting(self, ids: Ids) -> Ids:
        """Ids of `base` (n,), -1 for those that do not count; changed in place."""
        return ids

    @property
    @abstractmethod
    def extends(self) -> bool:
        """Whether it adds what it lacks."""

    @abstractmethod
    def added(self, text: Bytes, pointer: Ints) -> Ids:
        """Ids (n,) of the names text[pointer[i]:pointer[i + 1]], which are added if need be."""

    @abstractmethod
    def see(self, kbest: KBest) -> None:
        """Take note of a list's features."""

    def commit(self) -> None:  # noqa: B027
        """Make what was added count, where that is not left to others."""

    def summary(self) -> str:
        """What to say of it when all is written."""
        return ""

    def features(self) -> IndexedFeatures:
        """Ids of features by key, for one decoder."""
        return IndexedFeatures(self)

    @abstractmethod
    def close(self) -> None:
        """Leave it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class IndexedFeatures:
    """Ids in an inventory; a name is built of a feature that its index lacks, once."""

    def __init__(self, inventory: IndexedInventory) -> None:
        self._inventory, self._index = inventory, inventory.index
        self._known = KeyTable()
        self._id = Column(np.int32)

    def expect(self, key: Ints, names: list[str]) -> None:
        """Do nothing: what no list has needs no id."""

    def ids(self, key: Ints, spell: Spell) -> Ids:
        """Ids (n,) of features by their keys; -1 for one to leave out."""
        from campanula.stages.kernels.sparse import tables

        found = self._inventory.counting(tables.ids_of(self._index.key, self._index.id, key))
        lacking = np.flatnonzero(found < 0)
        if self._inventory.extends and len(lacking):
            number, new = self._known.numbers(key[lacking])
            if len(new):
                self._id.extend(self._inventory.added(*spell(lacking[new])))
            found[lacking] = self._id.values[number]
        return found

    def leave_out(self, n: int) -> None:
        """Count features that were left out, each as often as it fires."""
        self._inventory.n_left_out += n
