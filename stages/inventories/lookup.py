"""Ids of names in an inventory, looked up by fingerprint in its mapped hash table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.inventories.inventory import Inventory
from campanula.formats.records.texts import Texts


class Lookup:
    """Finds names of an inventory; a look-up costs a few reads of memory."""

    def __init__(self, inventory: Inventory) -> None:
        from campanula.stages.kernels.inventory.names_table import Store

        self.inventory = inventory
        self._store = Store(inventory.text, inventory.end, inventory.fingerprint)
        self._mask = mask_of(inventory.manifest.bits)

    def ids(self, text: bytes | Bytes, pointer: Ints) -> Ids:
        """Return ids (n,) of the names text[pointer[i]:pointer[i + 1]], UTF-8; -1 for unknown ones.

        The inventory is read only where the names' fingerprints point.
        """
        from campanula.stages.kernels.inventory.names_table import find_all

        ids = np.full(len(pointer) - 1, -1, np.int32)
        if len(self.inventory):
            with np.errstate(over="ignore"):  # fingerprints wrap around
                table = self.inventory.table
                find_all(table, self._store, self._mask, as_bytes(text), pointer, ids)
        return ids

    def id(self, name: str) -> int:
        """Return the id of one name, -1 if the inventory lacks it."""
        return int(self.ids_of([name])[0])

    def ids_of(self, names: Iterable[str]) -> Ids:
        """Return the ids (n,) of names; -1 for a name that the inventory lacks."""
        texts = Texts.of(names)
        return self.ids(texts.blob, texts.pointer)


def mask_of(bits: int) -> np.uint64:
    """Return the mask of the lowest bits: a fingerprint has so many."""
    return np.uint64((1 << bits) - 1)


def as_bytes(text: bytes | Bytes) -> Bytes:
    """Return UTF-8 as an array that can be written to: the kernels are compiled for this type."""
    if isinstance(text, bytes):
        return np.frombuffer(bytearray(text), np.uint8)
    return text
