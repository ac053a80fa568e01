"""Initial weights of a run: w_0, and those that decode the seeds.

    w_0       given weights, else 0 for every dense feature
    seeds     0.1 for every dense feature; the same and a number of [-0.01, 0.01] for each
                                                            (Tillmann and Zhang, Table III)

Sparse features have 0.  Where an earlier stage has made binary weights, those stand beside the
dense ones in a weights stream.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.errors import DataError
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.weight_stream import read_weight_stream, write_weight_stream
from campanula.formats.weights import Weights
from campanula.pipelines.tasks.cache import Cache
from campanula.pipelines.tasks.stage_task import Leaf, PathOf, Product, task_of
from campanula.stages import command
from campanula.stages.inventories.lookup import Lookup

# both are those of Tillmann and Zhang's Table III
FLAT = 0.1
PERTURBATION = 0.01
SUFFIX = ".weights"


@dataclass(frozen=True, slots=True)
class Overlay:
    """Work: copies a weights stream with other values for some features of its inventory."""

    weights: Product
    inventory: Product
    values: tuple[tuple[str, float], ...]

    command = "overlay-weights"
    suffixes = (SUFFIX,)

    @property
    def inputs(self) -> list[Product]:
        """The weights, and the inventory."""
        return [self.weights, self.inventory]

    def identity(self) -> object:
        """The weights, and the numbers."""
        return [self.weights.digest, self.values]

    def __str__(self) -> str:
        return os.path.basename(self.weights.path)

    def run(self, cache: Cache, path_of: PathOf) -> None:
        """Write the stream; raises DataError for a feature that the weights do not have."""
        stream = read_weight_stream(self.weights.path)
        inventory = Inventory.open(self.inventory.path)
        inventory.check(stream.reference, self.weights.path)
        ids = Lookup(inventory).ids_of([name for name, _ in self.values])
        theta = stream.theta.copy()
        for (name, value), number in zip(self.values, ids.tolist(), strict=True):
            # -1: a name that the inventory lacks; too large: a name that came after these weights
            if not 0 <= number < len(theta):
                raise DataError(self.weights.path, None, f"expected a weight of feature {name!r}")
            theta[number] = value
        signature = command.signature(self.command, stream.signature, **dict(self.values))
        write_weight_stream(path_of(SUFFIX), stream.reference, theta, signature, inventory)


@dataclass(frozen=True, slots=True)
class Beginning:
    """Makes weights of dense features in the folder of a run; fixed: those of sparse features."""

    cache: Cache
    folder: str
    inventory: Leaf | None = None
    fixed: Product | None = None

    def weights(self, name: str, values: Mapping[str, float], origin: str) -> Product:
        """Weights of dense features in a file `name`; origin: how they were made, its comment."""
        if self.fixed is not None and self.inventory is not None:
            return task_of(self.cache, Overlay(self.fixed, self.inventory, tuple(values.items())))
        path = os.path.join(self.folder, name)
        Weights(dict(values)).write(path, [f"{name}:{origin}"])
        return Leaf.of(self.cache, path)


def flat(names: Sequence[str]) -> dict[str, float]:
    """0.1 for each name."""
    return dict.fromkeys(names, FLAT)


def perturbed(values: Mapping[str, float], seed: int) -> dict[str, float]:
    """Each value and a number of [-0.01, 0.01], drawn in their order."""
    drawn = np.random.default_rng(seed).uniform(-PERTURBATION, PERTURBATION, len(values))
    return {
        name: value + d for (name, value), d in zip(values.items(), drawn.tolist(), strict=True)
    }
