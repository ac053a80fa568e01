r"""An inventory: names of a feature space by their ids, mapped from a folder.

    names.text    UTF-8, a name a line, in the order of their ids
    names.end     int64 by id: place in names.text behind the name's line
    fingerprint   uint64 by id: hash of the name (stages/kernels/inventory)
    table-N       uint32: hash table of ids + 1, by fingerprint; 0 is a free slot
    count-G       uint32 by id: in how many sentences each was seen
    inventory.json

The first three are appended to and never changed; the others are replaced by an extension.  Numbers
are little-endian.  A reader maps what the manifest says, and goes on with that while another
extends the inventory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Ints, Words64
from campanula.formats.errors import DataError
from campanula.formats.inventories import chain
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.manifest import FILE, InventoryManifest
from campanula.formats.inventories.reference import InventoryReference

TEXT, END, FINGERPRINT = "names.text", "names.end", "fingerprint"
RETRIES = 100  # times that an extension may replace files between our reading their names and them
SLOT = "<u4"
NEW_LINE = 10


class Inventory(InventoryNames):
    """Names (n,) of a folder, and what is known of each; see the file's docstring.

    text (bytes,), end (n,), fingerprint (n,), table (a power of two,), count (n,) are mapped; what
    is written to them stays in this process.
    """

    def __init__(self, path: str, manifest: InventoryManifest) -> None:
        """Map what the manifest says; raises DataError, FileNotFoundError for a replaced file."""
        super().__init__(InventoryReference(manifest.names, manifest.digest))
        self.path, self.manifest = path, manifest
        n = manifest.names
        self.text: Bytes = mapped(path, TEXT, np.uint8, manifest.text)
        self.end: Ints = mapped(path, END, "<i8", n)
        self.fingerprint: Words64 = mapped(path, FINGERPRINT, "<u8", n)
        self.count: NDArray[np.uint32] = mapped(path, manifest.count, SLOT, n)
        self.table: NDArray[np.uint32] = mapped(path, manifest.table, SLOT)
        slots = len(self.table)
        if n and (int(self.end[-1]) != manifest.text or slots & (slots - 1) or slots <= n):
            raise self._damaged(END)

    @classmethod
    def open(cls, path: str) -> Self:
        """Inventory of a folder; raises DataError for what is none, and for damage that shows.

        What would take reading all of it is checked by `verified`.
        """
        for _ in range(RETRIES):
            manifest = InventoryManifest.read(path)
            try:
                return cls(path, manifest)
            except FileNotFoundError as error:
                if manifest == InventoryManifest.read(path):
                    problem = "damaged: it is missing"
                    raise DataError(str(error.filename), None, problem) from error
        raise DataError(path, None, f"cannot be read: {FILE} is replaced again and again")

    def __getitem__(self, index: int) -> str:
        number = range(len(self))[index]
        return self.between(number, number + 1)[0]

    def __iter__(self) -> Iterator[str]:
        return self._names_from(0)

    def _names_from(self, start: int) -> Iterator[str]:
        for first in range(start, len(self), chain.BLOCK):
            yield from self.between(first, min(first + chain.BLOCK, len(self)))

    def between(self, start: int, end: int) -> list[str]:
        """Names from id `start` up to `end`."""
        try:
            *names, rest = self.lines(start, end).tobytes().decode("utf-8").split("\n")
        except UnicodeDecodeError as error:
            raise self._damaged(TEXT) from error
        if len(names) != end - start or rest:
            raise self._damaged(TEXT)
        return names

    def _damaged(self, name: str) -> DataError:
        problem = "damaged: it does not fit the inventory's other files"
        return DataError(os.path.join(self.path, name), None, problem)

    def since(self, start: int) -> list[str]:
        """Names with ids of at least `start`."""
        return self.between(start, len(self))

    def lines(self, start: int, end: int) -> Bytes:
        r"""UTF-8 of the names from id `start` up to `end`, each with its \n."""
        if start >= end:
            return self.text[:0]
        return self.text[int(self.end[start - 1]) if start else 0 : int(self.end[end - 1])]

    def texts(self, start: int, end: int) -> tuple[Bytes, Ints]:
        """Names from id `start` up to `end` without line ends, and pointers into them."""
        lines = self.lines(start, end)
        before = int(self.end[start - 1]) if start else 0
        length = np.diff(self.end[start:end], prepend=before) - 1
        return lines[lines != NEW_LINE], pointer_of(length)

    def digest(self, n: int | None = None) -> str:
        """Digest of the first n names, 32 hexadecimal digits; of all without n."""
        if n is None or n == len(self):
            return self.reference.digest
        blocks = n // chain.BLOCK
        link = self.manifest.link(blocks)
        rest = self.lines(blocks * chain.BLOCK, n)
        return (chain.link(link, rest.data) if len(rest) else link).hex()

    def check(self, reference: InventoryReference, source: str) -> None:
        """Raise DataError unless the reference is to a prefix of this inventory."""
        if reference.names > len(self):
            more = reference.names - len(self)
            problem = f"is against an inventory with {more} names more than {self.path} has"
            raise DataError(source, None, problem)
        if self.digest(reference.names) != reference.digest:
            problem = f"is against another inventory ({reference}) than {self.path}"
            raise DataError(source, None, problem)


def is_inventory(path: str) -> bool:
    """Whether a path is a folder with the manifest of an inventory."""
    return path != "-" and os.path.isfile(os.path.join(path, FILE))


def mapped(folder: str, name: str, dtype: DTypeLike, size: int | None = None) -> NDArray[Any]:
    """The first `size` entries of a file, or all: mapped, private to the process.

    Raises DataError for a file that is too short or cannot be read, FileNotFoundError for none.
    """
    kind = np.dtype(dtype)
    if size == 0 or not name:
        return np.zeros(0, kind)
    path = os.path.join(folder, name)
    try:
        found = os.stat(path).st_size
        n_entries = found // kind.itemsize if size is None else size
        if found < n_entries * kind.itemsize or (size is None and found % kind.itemsize):
            expected = n_entries * kind.itemsize
            raise DataError(path, None, f"damaged: expected {expected} bytes, found {found}")
        if not n_entries:
            return np.zeros(0, kind)
        # copy on write: the kernels are compiled for arrays that can be written
        return np.asarray(np.memmap(path, kind, "c", shape=(n_entries,)))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DataError(path, None, f"cannot be read: {error.strerror}") from error
