"""Relevant sets from files, the weights to start from, and their limits, with one set of ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.inventory_names import InventoryNames, NumberedNames
from campanula.formats.inventories.reference import InventoryReference, common
from campanula.formats.records.names import Names
from campanula.formats.weights import Weights
from campanula.stages.inventories.weights_by_id import WeightsById, frequent
from campanula.stages.tuning.relevant.set_of_lists import SetOfLists
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.tuning_set import WatchLists

Write = Callable[[str | None, Floats, list[str]], None]
"""Writes weights (n_features,) to a path, with comments."""


@dataclass(frozen=True, slots=True)
class GivenSets:
    """Sets of lists, and of truths if there is one, with ids of one table of names.

    reference: the longest prefix of an inventory that a set has ids of; None: lists with names.
    """

    sets: Sequence[SetOfLists]
    truth: SetOfLists | None
    names: Names
    reference: InventoryReference | None = None

    @classmethod
    def read(
        cls,
        paths: Sequence[str],
        truth: str | None,
        inventory: Inventory | None,
        watch: WatchLists = lambda lists: lists,
        cache: str | None = None,
    ) -> GivenSets:
        """Read all sets, or map their rows from a cache.

        Raises DataError for sets of different inventories, and for what cannot be read.
        """
        names = Names()
        all_paths = [*paths, *([] if truth is None else [truth])]
        # one table for all, in the order of the command line: ids are the same in every run
        all_sets = [SetOfLists.read(path, inventory, names, watch, cache) for path in all_paths]
        references = {lists.name: lists.reference for lists in all_sets}
        reference = common(references, prefixes=inventory is not None)
        sets, truths = all_sets[: len(paths)], all_sets[len(paths) :]
        if reference is not None:
            names = inventory or NumberedNames(reference, sets[0].name)
        elif inventory is not None:
            problem = "expected lists against the inventory (index-features), found names"
            raise DataError(sets[0].name, None, problem)
        return cls(sets, truths[0] if truths else None, names, reference)


@dataclass(frozen=True, slots=True)
class SetStart:
    """Weights theta (n_features,) to start from, their limits, and how to write such weights.

    kept (n_features,): mask of the features that were seen often enough; None: all are kept.
    """

    theta: Floats
    limits: Restraints
    kept: Flags | None
    write: Write

    @classmethod
    def of(
        cls,
        inputs: GivenSets,
        weights: str,
        freeze: Sequence[str] = (),
        only: Sequence[str] = (),
        min_count: int | None = None,
        allow_missing: bool = False,
    ) -> SetStart:
        """Read the weights of a file for these sets.

        Raises DataError for weights that do not fit, and Misfit for patterns without a match.
        """
        source = inputs.sets[0].name
        if inputs.reference is None:
            return cls._by_names(inputs, weights, freeze, only, allow_missing)
        names = inputs.names
        assert isinstance(names, InventoryNames)
        by_id = WeightsById.read(weights, names, source)
        # the inventory may have grown: features beyond those of the sets count if they have weights
        beyond = np.flatnonzero(by_id.theta[inputs.reference.names :])
        n = inputs.reference.names + (int(beyond[-1]) + 1 if len(beyond) else 0)
        if not n:
            problem = "expected features to weigh, found lists against an inventory without names"
            raise DataError(source, None, problem)
        limits = Restraints.of(names, freeze, only)
        limits = Restraints(limits.free[:n], limits.low[:n], limits.high[:n])
        kept = None if min_count is None else frequent(names, min_count, source)[:n]
        prefix = by_id
        if by_id.text is None:
            prefix = replace(by_id, names=_prefix(names, n), spelled=names)
        return cls(by_id.theta[:n], limits, kept, prefix.write)

    @classmethod
    def _by_names(
        cls,
        inputs: GivenSets,
        weights: str,
        freeze: Sequence[str],
        only: Sequence[str],
        allow_missing: bool,
    ) -> SetStart:
        """Read weights by name, for sets of lists with names."""
        initial = Weights.read(weights)
        names = inputs.names
        source = display_name(inputs.sets[0].name)
        if not len(names):
            raise DataError(source, None, "expected features to weigh, found none")
        theta = initial.checked_vector(names, source, allow_missing)

        def write(path: str | None, w: Floats, comments: list[str]) -> None:
            Weights({**initial, **Weights.of(names, w)}).write(path, comments)

        return cls(theta, Restraints.of(names, freeze, only), None, write)


def _prefix(names: InventoryNames, n: int) -> InventoryNames:
    """Return the first n names of an inventory as numbers; names by number stay as they are."""
    if isinstance(names, Inventory):
        return NumberedNames(InventoryReference(n, names.digest(n)))
    return names
