"""Weights of a stream, by ids of an inventory: found by key in its index, without any names.

They are mapped from disk; memory holds only a byte for each word or phrase that features begin
with.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.errors import DataError
from campanula.formats.feature_names.sparse import PREFIXES
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import WeightStream
from campanula.formats.weights import LARGEST, Weights
from campanula.stages.decoding.indexed_inventory import IndexedInventory
from campanula.stages.decoding.sparse.feature_index import FeatureIndex
from campanula.stages.decoding.sparse.keys import SparseKeys
from campanula.stages.decoding.sparse.name_parsing import open_kinds, parsed_names, text_of
from campanula.stages.inventories.lookup import Lookup


@dataclass(frozen=True)
class MappedWeights:
    """Weights by the ids of the inventory whose ids written lists have, too."""

    stream: WeightStream
    lists: IndexedInventory

    @classmethod
    def of(cls, stream: WeightStream, lists: IndexedInventory | None) -> MappedWeights:
        """Return the weights of a stream.

        Raises DataError if its inventory is not given or another one, or for too large weights.
        """
        if lists is None or lists.base is None:
            problem = (
                f"is against inventory {stream.reference}: expected --inventory, for its names"
            )
            raise DataError(stream.source, None, problem)
        stream.check(lists.base)
        lists.limit_to(stream.reference)
        theta = stream.theta
        largest = max(theta.max(initial=0.0), -theta.min(initial=0.0))
        if largest > LARGEST:
            problem = f"expected weights of at most {LARGEST:g} in size, found {largest:g}"
            raise DataError(stream.source, None, problem)
        return cls(stream, lists)

    @property
    def inventory(self) -> Inventory:
        """The inventory as it was when it was opened."""
        assert self.lists.base is not None
        return self.lists.base

    @property
    def index(self) -> FeatureIndex:
        """Index of the inventory's features by key."""
        return self.lists.index

    def named(self, names: Iterable[str]) -> Weights:
        """Return the weights of the names that the inventory has."""
        names = list(names)
        ids = Lookup(self.inventory).ids_of(names).tolist()
        theta = self.stream.theta
        values = {
            # the inventory may have grown since the weights were written
            name: float(theta[number]) if number < len(theta) else 0.0
            for name, number in zip(names, ids, strict=True)
            if number >= 0
        }
        return Weights(values, self.stream.source)

    def keys(self, templates: tuple[str, ...], listed: tuple[str, ...]) -> SparseKeys:
        """Return the weights, by key, of the features of templates and of listed single ones."""
        on = open_kinds(templates)
        theta = self.stream.theta
        self._refuse_malformed(on)
        parsed = parsed_names(*text_of(listed), int(self.index.seed[0]))
        alone = np.flatnonzero(parsed.kind < len(PREFIXES))
        # the other listed features are of kinds that are on, and so have their weights already
        alone = alone[~on[parsed.kind[alone]]]
        ids = Lookup(self.inventory).ids_of([listed[place] for place in alone.tolist()])
        weighted = (ids >= 0) & (ids < len(theta))
        alone = alone[weighted]
        ids = ids[weighted]
        if not len(alone):
            return SparseKeys(self.index, theta, on)
        # open the kinds of single features, with all their other weights set to 0
        kind = parsed.kind[alone]
        value = theta[ids]
        masked = self._masked(on)
        masked[ids] = value
        on[kind] = True
        trigger = (kind == PREFIXES.index("trigger")) & (value != 0.0)
        return SparseKeys(
            self.index, masked, on, parsed.mark[alone][trigger][:, :2], value[trigger]
        )

    def _masked(self, on: Flags) -> Floats:
        """Return a copy of the weights with 0 for features of kinds that are off."""
        # a kind is a byte: those beyond PREFIXES are of names that are no sparse features
        by_number = np.zeros(256, np.bool_)
        by_number[: len(on)] = on
        theta = self.stream.theta
        masked = theta.copy()
        masked[~by_number[self.index.kind[: len(theta)]]] = 0.0
        return masked

    def _refuse_malformed(self, on: Flags) -> None:
        """Raise DataError for a weight whose name begins like a feature that is on, but is none."""
        for number in self.index.malformed.tolist():
            if number < len(self.stream.theta) and self.stream.theta[number] != 0.0:
                name = self.inventory[number]
                prefix = name.partition("_")[0]
                if on[PREFIXES.index(prefix)]:
                    problem = f"expected a name as the decoder writes those of {prefix}_"
                    raise DataError(self.stream.source, f"feature {name!r}", problem)
