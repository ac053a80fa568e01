"""An inventory as it is, and behind its ids numbers of one's own for what it lacks.

That is what a worker decodes a part of a text against, while other parts go to other workers: which
ids new names have is known when all parts before are.
"""

from __future__ import annotations

import os

import numpy as np

from campanula.formats.arrays.growing import Column
from campanula.formats.arrays.types import Bytes, Floats, Ids, Ints
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.inventories.manifest import check_number
from campanula.formats.inventories.reference import MOST_NAMES, InventoryReference
from campanula.formats.records.kbest import KBest
from campanula.formats.weight_stream import WeightStream
from campanula.formats.weights import GivenWeights
from campanula.stages.decoding.feature_index import FeatureIndex
from campanula.stages.decoding.index_cache import no_index
from campanula.stages.decoding.indexed_inventory import IndexedInventory
from campanula.stages.decoding.part_names import PartNames
from campanula.stages.inventories.growing import Growing
from campanula.stages.inventories.lookup import Lookup

PRIVATE = InventoryReference(MOST_NAMES, "0" * 32)
"""What lists with numbers of one's own are against: nothing that there is."""


class PartInventory(IndexedInventory):
    """What lists of a part are made with; `given` has the inventory open, None for a new one.

    The part's own names are in `folder`, which is to be a temporary one.  counts: whether sentences
    are counted.
    """

    own_order = False

    def __init__(self, given: IndexedInventory | None, folder: str, counts: bool) -> None:
        super().__init__(None if given is None else given.base, None)
        self._given, self._counts = given, counts
        self._names = NumberedNames(PRIVATE)
        self._known = Column(np.int32)  # ids that `base` has, as often as sentences have them
        self._sentences = 0
        self._highest = -1
        self._own = Growing(os.path.join(folder, "names"), new=True)

    def _made_index(self) -> FeatureIndex:
        return no_index() if self._given is None else self._given.index

    @property
    def names(self) -> InventoryNames:
        """Names of the lists, which are numbers alone."""
        return self._names

    def known(self) -> InventoryReference:
        """What the lists are against."""
        return PRIVATE

    def ids_of(self, names: list[str]) -> Ids:
        """Ids of features that all lists have."""
        ids = np.full(len(names), -1, np.int32)
        if self.base is not None:
            ids = Lookup(self.base).ids_of(names)
        lacking = np.flatnonzero(ids < 0)
        ids[lacking] = self._behind(self._own.ids_of_names(names[k] for k in lacking.tolist()))
        return ids

    @property
    def extends(self) -> bool:
        """Whether it adds what it lacks."""
        return True

    def added(self, text: Bytes, pointer: Ints) -> Ids:
        """Ids (n,) of the names text[pointer[i]:pointer[i + 1]], which are added if need be."""
        return self._behind(self._own.ids(text, pointer))

    def _behind(self, own: Ids) -> Ids:
        check_number(self.n_before + len(self._own), self._own.path)
        return own + np.int32(self.n_before)

    def see(self, kbest: KBest) -> None:
        """Count the features of a list."""
        self._sentences += 1
        for ids in kbest.used_ids:
            self._highest = max(self._highest, int(ids[ids < self.n_before].max(initial=-1)))
        if self._counts:
            present = kbest.features.present()  # ascending
            known = int(np.searchsorted(present, self.n_before))
            self._known.extend(present[:known])
            self._own.see(present[known:] - np.int32(self.n_before))

    def part_names(self, weights: GivenWeights) -> PartNames:
        """What the part adds, and what is to be counted; it is added to no more."""
        self._own.commit()
        names = Inventory.open(self._own.path)
        known, count = np.unique(self._known.values, return_counts=True)
        return PartNames(
            *names.texts(0, len(names)),
            weights_of(names, weights),
            np.array(names.count),
            known,
            count,
            self._sentences,
            self._highest,
        )

    def close(self) -> None:
        """Leave the files of its own names."""
        self._own.close()


def weights_of(names: Inventory, weights: GivenWeights) -> Floats:
    """Weights (n,) of names that are new: those of a stream have none yet."""
    theta = np.zeros(len(names))
    if not isinstance(weights, WeightStream):
        ids = Lookup(names).ids_of(weights)
        values = np.array([*weights.values()], np.float64)
        theta[ids[ids >= 0]] = values[ids >= 0]
    return theta
