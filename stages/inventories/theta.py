"""Weights by the ids of an inventory, from text and to text, a few thousand names at a time."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.formats.errors import DataError
from campanula.formats.inventories.chain import BLOCK
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.names import Names
from campanula.formats.weight_stream import WeightStream
from campanula.formats.weights import AnyWeights
from campanula.stages.inventories.lookup import Lookup

Pair = tuple[int, str, float]


def theta_of(pairs: Iterable[Pair], inventory: Inventory, source: str) -> tuple[Floats, int]:
    """Return weights (n_names,) of an inventory's names, and how many were given.

    pairs: (line, name, value), with line 0 where it is not known.  Names without a weight have 0.
    Raises DataError, with `source` as the file, for a name that the inventory lacks, and for one
    that is given twice.
    """
    lookup = Lookup(inventory)
    theta = np.zeros(len(inventory))
    is_given = np.zeros(len(inventory), np.bool_)
    rest = iter(pairs)
    # in batches, so that a text of millions of names is never whole in memory
    while batch := list(itertools.islice(rest, BLOCK)):
        lines, names, values = zip(*batch, strict=True)
        ids = lookup.ids_of(names)
        unknown = ids < 0
        if unknown.any():
            at = int(np.argmax(unknown))
            problem = f"feature {names[at]!r}: expected a name of inventory {inventory.path}"
            raise DataError(source, _place(lines[at]), f"{problem}, which has none of this name")
        first = np.zeros(len(ids), np.bool_)  # the first time that a name is in this batch
        first[np.unique(ids, return_index=True)[1]] = True
        # given in an earlier batch, or before in this one
        again = is_given[ids] | ~first
        if again.any():
            at = int(np.argmax(again))
            problem = f"feature {names[at]!r} stands here for the second time"
            raise DataError(source, _place(lines[at]), problem)
        is_given[ids] = True
        theta[ids] = values
    return theta, int(np.count_nonzero(is_given))


def by_id(weights: AnyWeights, names: Names, allow_missing: bool = False) -> AnyWeights:
    """Return weights for lists with these names.

    Weights by name become weights by id where `names` is an inventory; names without a weight have
    0.  Raises DataError for a name that the inventory lacks, unless allow_missing.
    """
    if isinstance(weights, WeightStream) or not isinstance(names, Inventory):
        return weights
    ids = Lookup(names).ids_of(weights)
    is_known = ids >= 0
    if not is_known.all() and not allow_missing:
        name = list(weights)[int(np.argmin(is_known))]
        problem = f"expected a name of inventory {names.path}, which has none of this name"
        raise DataError(weights.source, f"feature {name!r}", f"{problem} (--allow-missing)")
    theta = np.zeros(len(names))
    theta[ids[is_known]] = np.array(list(weights.values()))[is_known]
    return WeightStream(names.reference, theta, source=weights.source)


def _place(line: int) -> str | None:
    return f"line {line}" if line else None


def lines_of(theta: Floats, inventory: Inventory, zeros: bool) -> Iterator[str]:
    r"""Yield text of many lines `name value\n`, by id; without zeros, of weights that are not 0."""
    for start in range(0, len(theta), BLOCK):
        end = min(start + BLOCK, len(theta))
        names = inventory.between(start, end)
        rows = zip(names, theta[start:end].tolist(), strict=True)
        yield "".join(f"{name} {value!r}\n" for name, value in rows if zeros or value != 0.0)
