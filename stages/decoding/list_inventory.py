"""The inventory whose ids written lists have; what it lacks is added to it, or left out."""

from __future__ import annotations

import os

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.kbest import KBest
from campanula.stages.decoding.indexed_inventory import IndexedInventory
from campanula.stages.decoding.part_names import PartNames
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.lookup import Lookup


class ListInventory(IndexedInventory):
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
        self.path, self.counts = path, counts
        self._n_used = 0  # names up to the last that lists have
        new = extend and not os.path.exists(path)
        self.growing = Growing(path, new) if extend else None
        try:
            super().__init__(None if new else Inventory.open(path), cache)
        except BaseException:
            self.close()
            raise
        self._n_names = self.n_before  # that count

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
        if self.growing is not None and not self.counts:
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
        """Ids, -1 for those of names that came after the weights, where none are added."""
        if self.growing is None:
            ids[ids >= self._n_names] = -1
        return ids

    @property
    def extends(self) -> bool:
        """Whether it adds what it lacks."""
        return self.growing is not None

    def added(self, text: Bytes, pointer: Ints) -> Ids:
        """Ids (n,) of the names text[pointer[i]:pointer[i + 1]], which are added if need be."""
        assert self.growing is not None
        return self.growing.ids(text, pointer)

    def see(self, kbest: KBest) -> None:
        """Count the features of a list, if the inventory counts."""
        if self.growing is None:
            return
        if self.counts:
            self.growing.see(kbest.features.present())
        else:
            self._use(max(int(ids.max(initial=-1)) for ids in kbest.used_ids))

    def take(self, part: PartNames) -> Ids:
        """Ids (n,) of the names of a part's own, whose lists count as if they were seen here."""
        assert self.growing is not None
        ids = self.growing.ids(part.text, part.pointer)
        if self.counts:
            self.growing.see_all(ids, part.seen, part.sentences)
            self.growing.see_all(part.known, part.known_seen, 0)
        else:
            self._use(max(part.highest, int(ids.max(initial=-1))))
        return ids

    def _use(self, highest: int) -> None:
        """Note the highest id of some lists."""
        self._n_used = max(self._n_used, highest + 1)

    def commit(self) -> None:
        """Make what was added count; the folder stays as it is where that is nothing."""
        if self.growing is None:
            return
        if self.counts or self.base is None or len(self.growing) > self.n_before:
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
