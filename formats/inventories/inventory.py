r"""An inventory: the names of a feature space by their ids, mapped from a folder.

    names.text    UTF-8, one name per line, in the order of ids
    names.end     int64 by id: where the name's line ends in names.text, behind its \n
    fingerprint   uint64 by id: hash of the name (stages/kernels/inventory)
    table-N       uint32: hash table of ids + 1, by fingerprint; 0 is a free slot
    count-G       uint32 by id: in how many sentences the name was seen
    inventory.json

The first three files are only appended to; an extension replaces the others.  Numbers are
little-endian.  A reader maps the sizes and files that the manifest gives, and can go on reading
them while another process extends the inventory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Ints, Words64
from campanula.formats.errors import DataError, unreadable
from campanula.formats.inventories import chain
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.manifest import FILE, InventoryManifest
from campanula.formats.inventories.reference import InventoryReference

TEXT = "names.text"
END = "names.end"
FINGERPRINT = "fingerprint"
RETRIES = 100  # an extension may replace files after their names were read and before they are open
SLOT = "<u4"  # of ids + 1 in the table, and of counts
NEW_LINE = ord("\n")


class Inventory(InventoryNames):
    """The names (n,) of an inventory, and the arrays of its files; see the module's docstring.

    text (bytes,), end (n,), fingerprint (n,), table (a power of two,) and count (n,) are mapped
    copy on write: changes to them stay in this process.
    """

    def __init__(self, path: str, manifest: InventoryManifest) -> None:
        """Map the files that the manifest names.

        Raises DataError, and FileNotFoundError for a file that an extension has replaced.
        """
        super().__init__(InventoryReference(manifest.names, manifest.digest))
        self.path = path
        self.manifest = manifest
        n = manifest.names
        self.text: Bytes = mapped(path, TEXT, np.uint8, manifest.text)
        self.end: Ints = mapped(path, END, "<i8", n)
        self.fingerprint: Words64 = mapped(path, FINGERPRINT, "<u8", n)
        self.count: NDArray[np.uint32] = mapped(path, manifest.count, SLOT, n)
        self.table: NDArray[np.uint32] = mapped(path, manifest.table, SLOT)
        slots = len(self.table)
        # a search masks hashes by the number of slots, a power of two, and ends at a free slot
        if n and (int(self.end[-1]) != manifest.text or slots & (slots - 1) or slots <= n):
            raise self._damaged(END)

    @classmethod
    def open(cls, path: str) -> Self:
        """Open an inventory; raises DataError for another folder, and for damage to sizes or files.

        Damage that only reading all bytes would show is found by verifying.verify.
        """
        for _ in range(RETRIES):
            manifest = InventoryManifest.read(path)
            try:
                return cls(path, manifest)
            # another process may have committed since, and removed the files of the old manifest
            except FileNotFoundError as error:
                if manifest == InventoryManifest.read(path):
                    problem = "damaged: it is missing"
                    raise DataError(str(error.filename), None, problem) from error
        raise DataError(path, None, f"cannot be read: {FILE} is replaced again and again")

    def __getitem__(self, index: int) -> str:
        # a range counts negative places from the end, and raises IndexError as a list does
        number = range(len(self))[index]
        return self.between(number, number + 1)[0]

    def __iter__(self) -> Iterator[str]:
        return self._names_from(0)

    def _names_from(self, start: int) -> Iterator[str]:
        for first in range(start, len(self), chain.BLOCK):
            yield from self.between(first, min(first + chain.BLOCK, len(self)))

    def between(self, start: int, end: int) -> list[str]:
        """Return the names from id `start` to `end` - 1."""
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
        """Return the names from id `start` on."""
        return self.between(start, len(self))

    def lines(self, start: int, end: int) -> Bytes:
        r"""Return the names from id `start` to `end` - 1 as UTF-8, each with its \n."""
        if start >= end:
            return self.text[:0]
        return self.text[int(self.end[start - 1]) if start else 0 : int(self.end[end - 1])]

    def texts(self, start: int, end: int) -> tuple[Bytes, Ints]:
        """Return the names from id `start` to `end` - 1 joined without line ends, and pointers."""
        lines = self.lines(start, end)
        before = int(self.end[start - 1]) if start else 0
        length = np.diff(self.end[start:end], prepend=before) - 1
        return lines[lines != NEW_LINE], pointer_of(length)

    def digest(self, n: int | None = None) -> str:
        """Return the digest of the first n names, or of all names, 32 hexadecimal digits."""
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
    """Map the first `size` entries of a file, or all, copy on write.

    Raises DataError for a file that is too short or cannot be read, FileNotFoundError for a missing
    file.
    """
    kind = np.dtype(dtype)
    if size == 0 or not name:
        return np.zeros(0, kind)
    path = os.path.join(folder, name)
    try:
        n_bytes = os.stat(path).st_size
        n_entries = n_bytes // kind.itemsize if size is None else size
        if n_bytes < n_entries * kind.itemsize or (size is None and n_bytes % kind.itemsize):
            expected = n_entries * kind.itemsize
            raise DataError(path, None, f"damaged: expected {expected} bytes, found {n_bytes}")
        if not n_entries:
            return np.zeros(0, kind)
        # mode "c", copy on write: the kernels are compiled for writable arrays
        return np.asarray(np.memmap(path, kind, "c", shape=(n_entries,)))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise unreadable(path, error) from error
