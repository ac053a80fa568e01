"""Weights for lists against an inventory: a weights stream, or a text of some names.

Weights that were read from a stream are written as a stream, those of a text as a text.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.weight_stream import WeightStream, write_weight_stream
from campanula.formats.weights import AnyWeights, Weights, read_any_weights


@dataclass(frozen=True, slots=True)
class WeightsById:
    """Weights theta (n_names,) by the ids of `names`.

    text: the weights by name if they came as a text, else None.  spelled: names for messages
    (default: `names`).
    """

    theta: Floats
    names: InventoryNames
    text: Weights | None = None
    spelled: InventoryNames | None = None

    @classmethod
    def read(cls, path: str, names: InventoryNames, source: str) -> WeightsById:
        """Read the weights of lists with features `names`; names without a weight have 0.

        source: the lists, for messages.  Raises DataError for a stream of another inventory, and
        for a name that this one lacks.
        """
        weights = read_any_weights(path)
        if isinstance(weights, WeightStream):
            weights.check(names)
            return cls(weights.vector(len(names)), names)
        inventory = as_inventory(names, source)
        theta = np.zeros(len(names))
        theta[_ids_of(weights, inventory)] = list(weights.values_by_name.values())
        return cls(theta, names, weights)

    def write(self, path: str | None, theta: Floats, comments: list[str]) -> None:
        """Write weights theta (n_names,) in the form in which these weights were read."""
        if self.text is None:
            signature = " ".join(comments)
            spelled = self.names if self.spelled is None else self.spelled
            write_weight_stream(path, self.names.reference, theta, signature, spelled)
            return
        inventory = as_inventory(self.names, "weights")
        moved = np.flatnonzero(theta)
        values = Weights.of((inventory[i] for i in moved.tolist()), theta[moved])
        # weights of a text may be few of millions of names, so only those other than 0 are added
        before = dict.fromkeys(self.text, 0.0)  # names that were read stay, even with a weight of 0
        Weights({**before, **values}).write(path, comments)


def named_weights(weights: AnyWeights, inventory: Inventory | None, n: int) -> Floats:
    """Weights (n,) of the first n names of an inventory in a text; 0 for those without one.

    A weights stream has no names, so it gives 0 to all.
    """
    from campanula.stages.inventories.lookup import Lookup

    theta = np.zeros(n)
    if inventory is not None and not isinstance(weights, WeightStream):
        ids = Lookup(inventory).ids_of(weights)
        values = np.array([*weights.values()], np.float64)
        # the inventory may have grown since the lists were made: names behind n are not of them
        present = (ids >= 0) & (ids < n)
        theta[ids[present]] = values[present]
    return theta


def as_inventory(names: InventoryNames, source: str) -> Inventory:
    """Return the names as an inventory; raises DataError where --inventory was not given."""
    if isinstance(names, Inventory):
        return names
    problem = f"is against inventory {names.reference}: expected --inventory, for its names"
    raise DataError(source, None, problem)


def _ids_of(weights: Weights, inventory: Inventory) -> list[int]:
    from campanula.stages.inventories.lookup import Lookup

    ids: list[int] = Lookup(inventory).ids_of(weights).tolist()
    if -1 in ids:
        name = list(weights)[ids.index(-1)]
        problem = f"unknown feature: {inventory.path} has none of this name"
        raise DataError(weights.source, f"feature {name!r}", problem)
    return ids


def frequent(names: InventoryNames, least: int, source: str) -> Flags:
    """Return the mask (n_names,) of the features that at least `least` sentences have."""
    return np.asarray(as_inventory(names, source).count >= least)
