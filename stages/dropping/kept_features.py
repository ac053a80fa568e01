"""Lists with the features that stay: with new ids, or with those of an inventory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from campanula.formats.arrays.growing import grown_with_zeros
from campanula.formats.arrays.types import Flags
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import NumberedNames
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.stages.inventories.lookup import Lookup


class KeptFeatures:
    """Which features of a growing table of names stay, and their new ids, from 0 in the same order.

    stays: flags by id (n_names,), or the set of the names that stay.
    """

    def __init__(self, stays: Flags | frozenset[str]) -> None:
        self.names = Names()
        self._stays = stays
        self._n_seen = 0  # names of the lists' table that are in the two arrays below
        self._flags = np.zeros(1024, np.bool_)
        self._new_id = np.zeros(1024, np.int32)

    def drop(self, kbest: KBest) -> KBest:
        """Return a list with the features that stay, under their new ids."""
        features = kbest.features.only(self._flags_of(kbest.names)).translate(self._new_id)
        return replace(kbest, names=self.names, features=features)

    def __len__(self) -> int:
        return len(self.names)

    def names_of(self, names: Names) -> Iterator[str]:
        """Yield the names that stay."""
        return iter(self.names)

    def _flags_of(self, names: Names) -> Flags:
        n_seen = self._n_seen
        n_names = len(names)
        if n_names > n_seen:
            fresh = names.since(n_seen)
            if isinstance(self._stays, frozenset):
                stays = np.array([name in self._stays for name in fresh], np.bool_)
            else:
                stays = self._stays[n_seen:n_names]
            self._flags = grown_with_zeros(self._flags, n_names)
            self._new_id = grown_with_zeros(self._new_id, n_names)
            self._flags[n_seen:n_names] = stays
            # a feature that stays gets the number of those that stay before it
            self._new_id[n_seen:n_names] = len(self.names) + np.cumsum(stays) - 1
            self.names.extend(fresh[i] for i in np.flatnonzero(stays).tolist())
            self._n_seen = n_names
        return self._flags


class KeptIds:
    """Which features of an inventory stay, by id (n_names,); they keep their ids."""

    def __init__(self, stays: Flags) -> None:
        self._stays = stays

    def drop(self, kbest: KBest) -> KBest:
        """Return a list with the features that stay."""
        return replace(kbest, features=kbest.features.only(self._stays))

    def __len__(self) -> int:
        return int(np.count_nonzero(self._stays))

    def names_of(self, inventory: Names) -> Iterator[str]:
        """Return the names that stay; raises DataError where --inventory was not given."""
        if isinstance(inventory, NumberedNames):
            raise inventory.unknown()
        return (inventory[number] for number in np.flatnonzero(self._stays).tolist())


def flags_by_id(stays: Flags | frozenset[str], names: Names) -> Flags:
    """Return which names of an inventory stay (n_names,).

    Raises DataError for names to look up where --inventory was not given.
    """
    if isinstance(stays, frozenset):
        if isinstance(names, NumberedNames):
            raise names.unknown()
        assert isinstance(names, Inventory)
        ids = Lookup(names).ids_of(sorted(stays))
        stays = np.zeros(len(names), np.bool_)
        stays[ids[ids >= 0]] = True
    return np.asarray(grown_with_zeros(stays, len(names)), np.bool_)[: len(names)]
