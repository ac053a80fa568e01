"""The inventory of a worker that decodes one part: ids as they are, then numbers of its own.

Other workers decode other parts meanwhile.  The final ids of new names depend on all parts before,
so a worker numbers new names from the end of the inventory, and the lists are renumbered later
(extending_parts.py).
"""

from __future__ import annotations

import os

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.inventories.manifest import check_number
from campanula.formats.inventories.reference import MOST_NAMES, InventoryReference
from campanula.formats.records.kbest import KBest
from campanula.formats.weights import AnyWeights
from campanula.stages.decoding.indexed_inventory import IndexedInventory
from campanula.stages.decoding.part_names import PartNames
from campanula.stages.decoding.sparse.feature_index import FeatureIndex
from campanula.stages.decoding.sparse.index_cache import no_index
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.lookup import Lookup
from campanula.stages.inventories.weights_by_id import named_weights

PRIVATE = InventoryReference(MOST_NAMES, "0" * 32)
"""Reference of lists with a worker's own numbers; no inventory has this digest."""


class PartInventory(IndexedInventory):
    """An inventory for the lists of one part.

    inventory: the inventory as it was opened, None for a new one; folder: a temporary one, for the
    part's new names; counts: whether sentences are counted.
    """

    own_order = False

    def __init__(self, inventory: IndexedInventory | None, folder: str, counts: bool) -> None:
        super().__init__(None if inventory is None else inventory.base, None)
        self._inventory = inventory
        self._counts = counts
        self._names = NumberedNames(PRIVATE)
        self._base_ids = Column(np.int32)  # ids of `base`, one for each sentence that has them
        self._sentences = 0
        self._highest = -1
        self._own = Growing(os.path.join(folder, "names"), new=True)

    def _made_index(self) -> FeatureIndex:
        return no_index() if self._inventory is None else self._inventory.index

    @property
    def names(self) -> InventoryNames:
        """Names of the lists: numbers only."""
        return self._names

    def reference(self) -> InventoryReference:
        """Return the reference for the lists' header, PRIVATE."""
        return PRIVATE

    def ids_of(self, names: list[str]) -> Ids:
        """Return the ids (n,) of features that all lists have; new names are added."""
        ids = np.full(len(names), -1, np.int32)
        if self.base is not None:
            ids = Lookup(self.base).ids_of(names)
        lacking = np.flatnonzero(ids < 0)
        ids[lacking] = self._behind(self._own.ids_of_names(names[k] for k in lacking.tolist()))
        return ids

    @property
    def extends(self) -> bool:
        """Whether features that the inventory lacks get new ids: always."""
        return True

    def added(self, text: Bytes, pointer: Ints) -> Ids:
        """Return the ids (n,) of names text[pointer[i]:pointer[i + 1]]; new names are added."""
        return self._behind(self._own.ids(text, pointer))

    def _behind(self, own: Ids) -> Ids:
        """Return the numbers of own names, which follow the ids of `base`."""
        check_number(self.n_before + len(self._own), self._own.path)
        return own + np.int32(self.n_before)

    def see(self, kbest: KBest) -> None:
        """Count the features of a list, and note the highest id of `base`."""
        self._sentences += 1
        for ids in kbest.used_ids:
            self._highest = max(self._highest, int(ids[ids < self.n_before].max(initial=-1)))
        if self._counts:
            present = kbest.features.present()  # ascending, so ids of `base` come first
            # the part's own numbers begin at n_before; counts of each are kept apart
            n_base = int(np.searchsorted(present, self.n_before))
            self._base_ids.extend(present[:n_base])
            self._own.see(present[n_base:] - np.int32(self.n_before))

    def part_names(self, weights: AnyWeights) -> PartNames:
        """Return the part's new names and counts; to be called when all lists are seen."""
        self._own.commit()
        names = Inventory.open(self._own.path)
        base_ids, count = np.unique(self._base_ids.values, return_counts=True)
        return PartNames(
            *names.texts(0, len(names)),
            named_weights(weights, names, len(names)),
            np.array(names.count),
            base_ids,
            count,
            self._sentences,
            self._highest,
        )

    def close(self) -> None:
        """Close the files of the part's new names."""
        self._own.close()
