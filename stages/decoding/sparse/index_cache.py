"""Indexes of inventories' features, each made once and then mapped from the cache folder.

The name of an entry has the number of names and the digest of its inventory.  When the inventory
has grown, the new names are added to a copy of the entry, which replaces the old one.
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
from campanula.stages.decoding.sparse.feature_index import FeatureIndex

LAYOUT = 1  # version of the arrays and keys; entries of another version are not read
ENTRY = re.compile(rf"features-{LAYOUT}-(\d+)-([0-9a-f]{{32}})")


def index_of(inventory: Inventory, cache: str | None = None) -> FeatureIndex:
    """Return the index of all features of an inventory, mapped from the cache.

    If the cache does not have it, it is made, or extended from the index of a prefix.
    """
    cache = cache or default_cache()
    path = os.path.join(cache, entry_name(inventory.reference))
    index = cached_index(path)
    if index is not None:
        return index
    prefix = prefix_entry(inventory, cache)
    before = None if prefix is None else cached_index(prefix)
    index = FeatureIndex.of(lambda first: pieces(inventory, first), len(inventory), before)
    write_arrays(index._asdict(), path)
    if prefix is not None:
        with suppress(OSError):
            remove_folder(prefix)  # processes that have it mapped keep its pages
    return index


def entry_name(reference: InventoryReference) -> str:
    """Return the name of an inventory's entry."""
    return f"features-{LAYOUT}-{reference.names}-{reference.digest}"


def pieces(inventory: Inventory, first: int) -> Iterator[tuple[Bytes, Ints]]:
    """Yield the names from id `first` on, BLOCK at a time: text, and where each begins."""
    for start in range(first, len(inventory), BLOCK):
        yield inventory.texts(start, min(start + BLOCK, len(inventory)))


def prefix_entry(inventory: Inventory, cache: str) -> str | None:
    """Return the path of the entry of the longest prefix of an inventory; None if there is none."""
    prefixes: list[tuple[int, str]] = []
    with suppress(OSError):
        for name in os.listdir(cache):
            match = ENTRY.fullmatch(name)
            if match is not None:
                n = int(match[1])
                if n < len(inventory) and inventory.digest(n) == match[2]:
                    prefixes.append((n, name))
    return os.path.join(cache, max(prefixes)[1]) if prefixes else None


def cached_index(path: str) -> FeatureIndex | None:
    """Return the index of an entry; None, after a line on stderr, if the entry is damaged."""
    try:
        arrays: Any = read_arrays(path)
        return None if arrays is None else FeatureIndex(**arrays)
    except (DamagedEntry, TypeError) as damage:
        if sys.stderr is not None:
            print(f"{path}: damaged, and made again: {damage}", file=sys.stderr)
        return None


def no_index() -> FeatureIndex:
    """Return the index of an inventory without names."""
    return FeatureIndex.of(lambda first: [(np.zeros(0, np.uint8), np.zeros(1, np.int64))], 0)
