"""Indexes of inventories' features, each made once and then mapped from the cache folder.

An entry has the number of names and the digest of its inventory in its name.  When the inventory
has grown, the new names are added to a copy, which takes the place of the old entry.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from campanula.formats.arrays.types import Bytes, Ints
from campanula.formats.atomic import remove_folder
from campanula.formats.inventories.chain import BLOCK
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.model.array_folder import (
    DamagedEntry,
    default_cache,
    read_arrays,
    write_arrays,
)
from campanula.stages.decoding.feature_index import FeatureIndex

LAYOUT = 1  # a change of the arrays, or of the keys, makes other entries
ENTRY = re.compile(rf"features-{LAYOUT}-(\d+)-([0-9a-f]{{32}})")


def index_of(inventory: Inventory, cache: str | None = None) -> FeatureIndex:
    """Index of all features of an inventory, mapped from the cache; made or added to first."""
    cache = cache or default_cache()
    path = os.path.join(cache, entry_name(inventory.reference))
    index = kept(path)
    if index is not None:
        return index
    before = prefix_entry(inventory, cache)
    known = None if before is None else kept(before)
    index = FeatureIndex.of(lambda first: pieces(inventory, first), len(inventory), known)
    write_arrays(index._asdict(), path)
    if before is not None:
        with suppress(OSError):
            remove_folder(before)  # whoever has it mapped keeps it
    return index


def entry_name(reference: InventoryReference) -> str:
    """Name of the entry of an inventory."""
    return f"features-{LAYOUT}-{reference.names}-{reference.digest}"


def pieces(inventory: Inventory, first: int) -> Iterator[tuple[Bytes, Ints]]:
    """Yield the names from an id on, some at a time."""
    for start in range(first, len(inventory), BLOCK):
        yield inventory.texts(start, min(start + BLOCK, len(inventory)))


def prefix_entry(inventory: Inventory, cache: str) -> str | None:
    """The entry of the longest prefix of an inventory that has one."""
    found: list[tuple[int, str]] = []
    with suppress(OSError):
        for name in os.listdir(cache):
            match = ENTRY.fullmatch(name)
            if match is not None:
                n, digest = int(match[1]), match[2]
                if n < len(inventory) and inventory.digest(n) == digest:
                    found.append((n, name))
    return os.path.join(cache, max(found)[1]) if found else None


def kept(path: str) -> FeatureIndex | None:
    """The index of an entry; of one that is damaged it is said that it is made again."""
    try:
        arrays: Any = read_arrays(path)
        return None if arrays is None else FeatureIndex(**arrays)
    except (DamagedEntry, TypeError) as damage:
        if sys.stderr is not None:
            print(f"{path}: damaged, and made again: {damage}", file=sys.stderr)
        return None


def no_index() -> FeatureIndex:
    """Index of an inventory without names."""
    return FeatureIndex.of(lambda first: [(np.zeros(0, np.uint8), np.zeros(1, np.int64))], 0)
