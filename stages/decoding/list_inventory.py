"""The inventory whose ids written lists have; features that it lacks are added or left out."""

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
    """An inventory for lists; features that it lacks are added to it, or left out and counted.

    with ListInventory(path) as inventory, Writer(..., inventory=inventory.reference) as out:
        ...                                  # lists with ids of `inventory.features()`
        inventory.commit()                   # before the lists have their name

    extend: add features; a missing folder then becomes a new inventory, and other processes that
    add to it wait.  counts: count the sentences of each feature.  Without counts, lists refer to
    the names up to the last that they use, so that lists made again later are the same, even if
    other features were added meanwhile.  For the same reason, features that came after the weights
    of a stream are left out if none are added.
    """

    def __init__(
        self, path: str, extend: bool = True, cache: str | None = None, counts: bool = True
    ) -> None:
        """Open the inventory; raises DataError for a folder that is none."""
        self.path = path
        self.counts = counts
        self._n_used = 0  # names up to the last that lists use
        new = extend and not os.path.exists(path)
        self.growing = Growing(path, new) if extend else None
        try:
            super().__init__(None if new else Inventory.open(path), cache)
        except BaseException:
            self.close()
            raise
        self._n_names = self.n_before  # later names are left out, if none are added

    def limit_to(self, weights: InventoryReference) -> None:
        """Leave out features that came after those of the weights, if none are added."""
        if self.growing is None:
            self._n_names = weights.names

    @property
    def names(self) -> InventoryNames:
        """Feature names of the lists."""
        names = self.base if self.growing is None else self.growing
        assert names is not None
        return names

    def reference(self) -> InventoryReference:
        """Return the reference for the lists' header; to be called when all lists are seen."""
        if self.growing is not None and not self.counts:
            return self.growing.prefix(self._n_used)
        if self.base is not None and self.growing is None:
            return InventoryReference(self._n_names, self.base.digest(self._n_names))
        return self.names.reference

    def ids_of(self, names: list[str]) -> Ids:
        """Return the ids (n,) of features that all lists have.

        Raises DataError for a feature that is missing and may not be added.
        """
        if self.growing is not None:
            return self.growing.ids_of_names(names)
        assert self.base is not None
        ids = self.without_later(Lookup(self.base).ids_of(names))
        if len(ids) and ids.min() < 0:
            name = names[int(np.argmin(ids))]
            problem = f"expected feature {name!r}, which all lists have; --no-extend keeps it out"
            raise DataError(self.path, None, problem)
        return ids

    def without_later(self, ids: Ids) -> Ids:
        """Set ids (n,) of names after the weights' to -1, in place, if none are added."""
        if self.growing is None:
            ids[ids >= self._n_names] = -1
        return ids

    @property
    def extends(self) -> bool:
        """Whether features that the inventory lacks are added."""
        return self.growing is not None

    def added(self, text: Bytes, pointer: Ints) -> Ids:
        """Return the ids (n,) of names text[pointer[i]:pointer[i + 1]]; new names are added."""
        assert self.growing is not None
        return self.growing.ids(text, pointer)

    def see(self, kbest: KBest) -> None:
        """Count the features of a list, or without counts note the highest id."""
        if self.growing is None:
            return
        if self.counts:
            self.growing.see(kbest.features.present())
        else:
            self._use(max(int(ids.max(initial=-1)) for ids in kbest.used_ids))

    def take(self, part: PartNames) -> Ids:
        """Add a part's names and counts, as if its lists were seen here; return the ids (n,)."""
        assert self.growing is not None
        ids = self.growing.ids(part.text, part.pointer)
        if self.counts:
            self.growing.see_all(ids, part.seen, part.sentences)
            self.growing.see_all(part.known, part.known_seen, 0)
        else:
            self._use(max(part.highest, int(ids.max(initial=-1))))
        return ids

    def _use(self, highest: int) -> None:
        """Note the highest id in use."""
        self._n_used = max(self._n_used, highest + 1)

    def commit(self) -> None:
        """Write added names and counts; the folder stays as it is if there are none."""
        if self.growing is None:
            return
        if self.counts or self.base is None or len(self.growing) > self.n_before:
            self.growing.commit()

    def summary(self) -> str:
        """Return the end of the summary line: new names, or how often features were left out."""
        if self.growing is not None:
            n = len(self.growing)
            return f", {n - self.n_before} of {n} names are new"
        n = self.n_left_out
        return f"; left out {n} times: features that inventory {self.path} lacks" if n else ""

    def close(self) -> None:
        """Close the inventory as it was last committed."""
        if self.growing is not None:
            self.growing.close()
