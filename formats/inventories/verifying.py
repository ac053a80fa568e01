"""Checks all bytes of an inventory, which opening one does not.

Reads every file once, at some GB per second, and compares names, ends, fingerprints, the table and
the counts with the digests and checksums of the manifest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import xxhash
from numpy.typing import NDArray

from campanula.formats.arrays.types import Bytes, Ints
from campanula.formats.errors import DataError
from campanula.formats.inventories import chain
from campanula.formats.inventories.appending import index_link
from campanula.formats.inventories.inventory import END, FINGERPRINT, NEW_LINE, TEXT, Inventory


def verify(inventory: Inventory) -> None:
    """Raise DataError that names the file for bytes that differ from those written."""
    manifest = inventory.manifest
    link = chain.START
    index = chain.START
    for start, end in blocks(len(inventory)):
        place = f"names {start} to {end - 1}"
        before = int(inventory.end[start - 1]) if start else 0
        # ends first, since they say which bytes of the text belong to the block
        _check_ends(inventory, start, end, before, place)
        link = chain.link(link, inventory.text[before : int(inventory.end[end - 1])].data)
        full = end - start == chain.BLOCK
        expected = manifest.link(end // chain.BLOCK).hex() if full else manifest.digest
        if link.hex() != expected:
            raise _damaged(inventory, TEXT, place)
        index = index_link(index, inventory.end[start:end], inventory.fingerprint[start:end])
    if link.hex() != manifest.digest:
        raise _damaged(inventory, TEXT)
    if index.hex() != manifest.index:
        raise _damaged(inventory, f"{END} or {FINGERPRINT}")
    for name, array, checksum in (
        (manifest.table, inventory.table, manifest.table_checksum),
        (manifest.count, inventory.count, manifest.count_checksum),
    ):
        if name and checksum_of(array) != checksum:
            raise _damaged(inventory, name)


def blocks(n: int) -> Iterator[tuple[int, int]]:
    """Yield the first id, and the last id + 1, of each block of n names."""
    for start in range(0, n, chain.BLOCK):
        yield start, min(start + chain.BLOCK, n)


def checksum_of(array: NDArray[np.uint32]) -> str:
    """Return XXH3-128 of an array's bytes, in hexadecimal digits."""
    return xxhash.xxh3_128_hexdigest(array.data.cast("B"))


def _check_ends(inventory: Inventory, start: int, end: int, before: int, place: str) -> None:
    """Raise DataError unless a block's ends ascend and each stands right after a line end."""
    ends: Ints = inventory.end[start:end]
    text: Bytes = inventory.text
    # a name has at least one byte, and its line end
    ascending = bool((np.diff(ends, prepend=before) > 1).all())
    if not ascending or int(ends[-1]) > len(text) or (text[ends - 1] != NEW_LINE).any():
        raise _damaged(inventory, END, place)


def _damaged(inventory: Inventory, name: str, place: str | None = None) -> DataError:
    problem = "damaged: the checksum does not fit; make the inventory again, or take a copy"
    return DataError(os.path.join(inventory.path, name), place, problem)
