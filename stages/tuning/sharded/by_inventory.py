"""Tuning on lists against an inventory: what is read, and what they are minimised as."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.text.references import References
from campanula.stages.inventories.weights_by_id import WeightsById, frequent
from campanula.stages.tuning.sharded.loading import Loader, refuse_names
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.tuning_set import TuningSet


@dataclass(frozen=True, slots=True)
class InventoryInputs:
    """Paths of what is given, and numbers; those that are None are as `optimize` says.

    center: a path, 0, or None for the weights; min_count: sentences that a feature was seen in.
    """

    lists: str
    weights: str
    cache: str
    center: str | float | None = None
    inventory: str | None = None
    min_count: int | None = None
    references: References | None = None
    jobs: int = 1

    def read_inventory(self) -> Inventory | None:
        """The inventory, if it is given."""
        return None if self.inventory is None else Inventory.open(self.inventory)

    def shards(self, say: Callable[[str], None]) -> ShardedSet:
        """The lists by the shard; say gets a line for each shard that has to be packed again."""
        loader = Loader(self.cache, self.references, self.read_inventory(), self.jobs, say)
        return loader.load(self.lists)

    def in_memory(
        self, stream: bool, watch: Callable[[Iterable[KBest]], Iterable[KBest]]
    ) -> TuningSet:
        """The lists in memory, or read at every pass, for what does not go by shards."""
        return TuningSet.read(
            self.lists, self.references, stream, watch, inventory=self.read_inventory()
        )


@dataclass(frozen=True, slots=True)
class Start:
    """Weights to start from, theta0 and what is kept, (n_features,) each."""

    weights: WeightsById
    origin: Floats
    kept: Flags | None

    @classmethod
    def of(cls, given: InventoryInputs, known: Names, source: str) -> Start:
        """Read what is given, for lists from `source` with these names; raises DataError."""
        names = refuse_names(known, source)
        if not len(names):
            problem = "expected features to weigh, found lists against an inventory without names"
            raise DataError(source, None, problem)
        weights = WeightsById.read(given.weights, names, source)
        origin = weights.theta
        if isinstance(given.center, str):
            origin = WeightsById.read(given.center, names, source).theta
        elif given.center is not None:
            origin = np.broadcast_to(given.center, len(names))
        kept = None if given.min_count is None else frequent(names, given.min_count, source)
        return cls(weights, origin, kept)
