"""Tuning on lists with ids of an inventory: the input files, and the weights to start from."""

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
    """Paths and numbers of a tuning; None: the defaults of `optimize`.

    center: a path, 0, or None for the weights; min_count: least number of sentences in which a
    feature was seen.
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
        """Open the inventory, if one is given."""
        return None if self.inventory is None else Inventory.open(self.inventory)

    def shards(self, say: Callable[[str], None]) -> ShardedSet:
        """Return the lists in shards; `say` gets a line for each shard that is packed again."""
        loader = Loader(self.cache, self.references, self.read_inventory(), self.jobs, say)
        return loader.load(self.lists)

    def in_memory(
        self, stream: bool, watch: Callable[[Iterable[KBest]], Iterable[KBest]]
    ) -> TuningSet:
        """Return the lists in memory, or read at every pass, for plans that cannot use shards."""
        return TuningSet.read(
            self.lists, self.references, stream, watch, inventory=self.read_inventory()
        )


@dataclass(frozen=True, slots=True)
class Start:
    """Weights to start from, theta0, and the mask of features to keep; (n_features,) each."""

    weights: WeightsById
    origin: Floats
    kept: Flags | None

    @classmethod
    def of(cls, inputs: InventoryInputs, list_names: Names, source: str) -> Start:
        """Read the weights and theta0 for lists with these names.

        Raises DataError for weights that do not fit, and, with `source` as the file, for lists
        that have names of their own or an inventory without names.
        """
        names = refuse_names(list_names, source)
        if not len(names):
            problem = "expected features to weigh, found lists against an inventory without names"
            raise DataError(source, None, problem)
        weights = WeightsById.read(inputs.weights, names, source)
        origin = weights.theta
        if isinstance(inputs.center, str):
            origin = WeightsById.read(inputs.center, names, source).theta
        elif inputs.center is not None:
            # one number seen as n_features: no memory for tens of millions of features
            origin = np.broadcast_to(inputs.center, len(names))
        kept = None if inputs.min_count is None else frequent(names, inputs.min_count, source)
        return cls(weights, origin, kept)
