"""The inventory whose ids written lists have, and ids of features by their keys."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import Self

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.types import Ids, Ints
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.kbest import KBest
from campanula.stages.decoding.feature_ids import KeyTable, Spell
from campanula.stages.decoding.feature_index import FeatureIndex
from campanula.stages.decoding.index_cache import index_of, no_index
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.lookup import Lookup


class ListInventory:
    """An inventory for lists: what it lacks is added to it, or left out and counted.

    with ListInventory(path) as inventory, Writer(..., inventory=inventory.known) as out:
        ...                                  # lists with ids of `inventory.features()`
        inventory.commit()                   # before the lists have their name

    A folder that is not there becomes a new inventory, unless nothing is to be added.  While names
    are added, other processes that would add to it wait.  Without `counts` no sentence is counted;
    then lists are against the names up to the last that they have, so that lists which are made
    again are the same, whatever was added meanwhile.  Where nothing is added and weights are a
    stream, names that came after the weights do not count, for the same reason.
    """

    def __init__(
        self, path: str, extend: bool = True, cache: str | None = None, counts: bool = True
    ) -> None:
        """Open it; raises DataError for what is no inventory."""
        self.path = path
        self.n_left_out = 0
        self._counts = counts
        self._n_used = 0  # names up to the last that lists have
        self._cache = cache
        self._expected: Future[FeatureIndex] | None = None
        new = extend and not os.path.exists(path)
        self.growing = Growing(path, new) if extend else None
        try:
            self.base = None if new else Inventory.open(path)
        except BaseException:
            self.close()
            raise
        self.n_before = 0 if self.base is None else len(self.base)
        self._n_names = self.n_before  # that count

    def expect_index(self) -> None:
        """Let the index be mapped, and checked, beside what else is to be done."""
        if self._expected is None:
            pool = ThreadPoolExecutor(1)
            self._expected = pool.submit(self._made_index)
            pool.shutdown(wait=False)

    @cached_property
    def index(self) -> FeatureIndex:
        """Its features by key, as it was when it was opened."""
        return self._made_index() if self._expected is None else self._expected.result()

    def _made_index(self) -> FeatureIndex:
        return no_index() if self.base is None else index_of(self.base, self._cache)

    def go_by(self, weights: InventoryReference) -> None:
        """Know the names that weights have; where none are added, later ones do not count."""
        if self.growing is None:
            self._n_names = weights.names

    @property
    def names(self) -> InventoryNames:
        """Names of the lists."""
        names = self.base if self.growing is None else self.growing
        assert names is not None
        return names

    def known(self) -> InventoryReference:
        """What the lists are against, when all that they have is known."""
        if self.growing is not None and not self._counts:
            return self.growing.prefix(self._n_used)
        if self.base is not None and self.growing is None:
            return InventoryReference(self._n_names, self.base.digest(self._n_names))
        return self.names.reference

    def ids_of(self, names: list[str]) -> Ids:
        """Ids of features that all lists have; raises DataError for one that may not be added."""
        if self.growing is not None:
            return self.growing.ids_of_names(names)
        assert self.base is not None
        ids = self.counting(Lookup(self.base).ids_of(names))
        if len(ids) and ids.min() < 0:
            name = names[int(np.argmin(ids))]
            problem = f"expected feature {name!r}, which all lists have (--no-extend)"
            raise DataError(self.path, None, problem)
        return ids

    def counting(self, ids: Ids) -> Ids:
        """Ids, -1 for those of names that came after the weights."""
        ids[ids >= self._n_names] = -1
        return ids

    def features(self) -> IndexedFeatures:
        """Ids of features by key, for one decoder."""
        return IndexedFeatures(self)

    def see(self, kbest: KBest) -> None:
        """Count the features of a list, if the inventory counts."""
        if self.growing is None:
            return
        if self._counts:
            self.growing.see(kbest.features.present())
        else:
            highest = max(int(ids.max(initial=-1)) for ids in kbest.used_ids)
            self._n_used = max(self._n_used, highest + 1)

    def commit(self) -> None:
        """Make what was added count; the folder stays as it is where that is nothing."""
        if self.growing is None:
            return
        if self._counts or self.base is None or len(self.growing) > self.n_before:
            self.growing.commit()

    def summary(self) -> str:
        """What to say of it when all is written."""
        if self.growing is not None:
            n = len(self.growing)
            return f", {n - self.n_before} of {n} names are new"
        n = self.n_left_out
        return f"; left out {n} times: features that inventory {self.path} lacks" if n else ""

    def close(self) -> None:
        """Leave the inventory as it was last committed."""
        if self.growing is not None:
            self.growing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class IndexedFeatures:
    """Ids in an inventory; a name is built of a feature that its index lacks, once."""

    def __init__(self, inventory: ListInventory) -> None:
        self._inventory, self._index = inventory, inventory.index
        self._known = KeyTable()
        self._id = Column(np.int32)

    def expect(self, key: Ints, names: list[str]) -> None:
        """Do nothing: what no list has needs no id."""

    def ids(self, key: Ints, spell: Spell) -> Ids:
        """Ids (n,) of features by their keys; -1 for one to leave out."""
        from campanula.stages.kernels.sparse import tables

        found = tables.ids_of(self._index.key, self._index.id, key)
        lacking = np.flatnonzero(found < 0)
        growing = self._inventory.growing
        if growing is not None and len(lacking):
            number, new = self._known.numbers(key[lacking])
            if len(new):
                self._id.extend(growing.ids(*spell(lacking[new])))
            found[lacking] = self._id.values[number]
        return found if growing is not None else self._inventory.counting(found)

    def leave_out(self, n: int) -> None:
        """Count features that were left out, each as often as it fires."""
        self._inventory.n_left_out += n
