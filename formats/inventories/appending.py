"""Adds names to the files of an inventory.

Names are written to the mapped files at once, but they belong to the inventory only when `commit`
has written the manifest, its last act.  A process that is killed before leaves bytes beyond the
sizes in the manifest; the next process cuts them off.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from operator import attrgetter
from typing import Any, Self

import numpy as np
import xxhash
from numpy.typing import NDArray

from campanula.formats import signals
from campanula.formats.atomic import flush_folder, remove, remove_folder, reporting
from campanula.formats.errors import DataError
from campanula.formats.files import Output
from campanula.formats.inventories import chain, lock
from campanula.formats.inventories.growing_file import GrowingFile
from campanula.formats.inventories.inventory import END, FINGERPRINT, SLOT, TEXT
from campanula.formats.inventories.lock import Lock
from campanula.formats.inventories.manifest import FILE, InventoryManifest, check_number
from campanula.formats.inventories.reference import InventoryReference

OWN = {TEXT, END, FINGERPRINT, FILE, lock.FILE}
REPLACED = ("table-", "count-", ".table-", ".count-", f".{FILE}.")
"""Beginnings of the names of files that a commit replaces, and of their temporary files."""


class Appending:
    """The locked files of an inventory, open for appending: text, end and fingerprint.

    manifest: the inventory as last committed; `commit` is told how many names there are then.
    Without a commit an existing inventory stays as it was, and a new one is removed.
    """

    def __init__(
        self, path: str, new: bool, bits: int = 64, waits: Callable[[], None] | None = None
    ) -> None:
        """Lock an inventory's folder, or make a new one with fingerprints of `bits` bits.

        If another process holds the lock, calls `waits` and waits for it.  Raises DataError for
        a path that is no inventory, or for a new one where other files are.
        """
        self.path = path
        self._new = new
        with reporting(path):
            self._made_folder = not os.path.isdir(path)
            if not new:
                # refuses a folder that is no inventory, before a lock is put there
                InventoryManifest.read(path)
            elif not self._made_folder:
                refuse_others(path)
            self._lock = Lock(path, waits)
        try:
            self.manifest = self._empty(bits) if new else InventoryManifest.read(path)
        except BaseException:
            self._lock.release()
            raise
        self._cleanup = signals.add_cleanup(self._remove_new)
        # run in reverse: files are cut and closed, a new inventory removed, the lock released last
        with ExitStack() as stack:
            stack.callback(self._unlock)
            stack.callback(self._remove_new)
            self.text = self._file(stack, TEXT, "u1", attrgetter("text"))
            self.end = self._file(stack, END, "<i8", attrgetter("names"))
            self.fingerprint = self._file(stack, FINGERPRINT, "<u8", attrgetter("names"))
            self._stack = stack.pop_all()
        self._links = bytearray.fromhex(self.manifest.links)

    def _file(
        self, stack: ExitStack, name: str, dtype: str, size: Callable[[InventoryManifest], int]
    ) -> GrowingFile:
        """Open a file; at the end of the stack it is cut to its size in the manifest of then."""
        file = GrowingFile(os.path.join(self.path, name), dtype, size(self.manifest))
        stack.callback(lambda: file.close(size(self.manifest)))
        return file

    def _empty(self, bits: int) -> InventoryManifest:
        """Return the manifest of a new inventory; raises DataError if other files are there."""
        refuse_others(self.path)
        for name in (TEXT, END, FINGERPRINT):
            remove(os.path.join(self.path, name))
        return InventoryManifest(bits=bits)

    def reference(self, names: int) -> InventoryReference:
        """Return the reference to the first `names` names, which have all been written.

        Links of the blocks that are full by now are kept, so each block is hashed once.
        """
        for block in range(len(self._links) // 16, names // chain.BLOCK):
            start = block * chain.BLOCK
            end = (block + 1) * chain.BLOCK
            self._links += chain.link(self._link(block), self._lines(start, end).data)
        blocks = names // chain.BLOCK
        rest = self._lines(blocks * chain.BLOCK, names)
        last = self._link(blocks)
        return InventoryReference(names, (chain.link(last, rest.data) if len(rest) else last).hex())

    def _link(self, blocks: int) -> bytes:
        # 16 bytes a link; with no block the slice is [-16:0], which is empty
        return bytes(self._links[16 * (blocks - 1) : 16 * blocks]) or chain.START

    def _lines(self, start: int, end: int) -> NDArray[Any]:
        bounds = self.end.array
        if start == end:
            return self.text.array[:0]
        return self.text.array[int(bounds[start - 1]) if start else 0 : int(bounds[end - 1])]

    def commit(
        self, names: int, table: NDArray[Any], count: NDArray[Any], sentences: int
    ) -> InventoryReference:
        """Make the first `names` names the inventory; raises DataError when the disk is full.

        table: the hash table of ids + 1, its size a power of two; count (names,): in how many of
        all `sentences` each name was seen.
        """
        check_number(names, self.path)
        reference = self.reference(names)
        old = self.manifest
        generation = old.generation + 1
        new = replace(
            old,
            names=names,
            text=int(self.end.array[names - 1]) if names else 0,
            sentences=sentences,
            generation=generation,
            links=self._links.hex(),
            digest=reference.digest,
            table=f"table-{names}",
            count=f"count-{generation}",
        )
        # flushed first: a manifest on disk may only speak of bytes that are there
        for file in (self.text, self.end, self.fingerprint):
            file.flush()
        # the name has the number of names, so without new names the table is the same file
        if new.table != old.table:
            new = replace(new, table_checksum=self._put(new.table, table))
        new = replace(new, count_checksum=self._put(new.count, count))
        full_index, index = self._index(names)
        new = replace(new, full_index=full_index, index=index)
        new.write(self.path)
        if self._made_folder:
            with reporting(self.path):
                flush_folder(os.path.dirname(os.path.abspath(self.path)))
        self.manifest = new
        self._new = False
        self._made_folder = False
        self._sweep()
        return reference

    def _put(self, name: str, array: NDArray[Any]) -> str:
        """Write a file of the folder; return its checksum."""
        data = np.ascontiguousarray(array, SLOT).data.cast("B")
        with Output(os.path.join(self.path, name)) as out:
            out.write(data)
        return xxhash.xxh3_128_hexdigest(data)

    def _index(self, names: int) -> tuple[str, str]:
        """Return the digests over ends and fingerprints, of the full blocks and of all names."""
        link = bytes.fromhex(self.manifest.full_index)
        block = self.manifest.names // chain.BLOCK
        full = names // chain.BLOCK
        for k in range(block, full):
            link = self._index_link(link, k * chain.BLOCK, (k + 1) * chain.BLOCK)
        last = link
        if names > full * chain.BLOCK:
            last = self._index_link(link, full * chain.BLOCK, names)
        return link.hex(), last.hex()

    def _index_link(self, link: bytes, start: int, end: int) -> bytes:
        return index_link(link, self.end.array[start:end], self.fingerprint.array[start:end])

    def _sweep(self) -> None:
        """Remove replaced files; a process that has one mapped can go on reading it."""
        current = {*OWN, self.manifest.table, self.manifest.count}
        for name in os.listdir(self.path):
            if name not in current and name.startswith(REPLACED):
                # what cannot be removed now is tried again after the next commit
                with suppress(OSError):
                    remove(os.path.join(self.path, name))

    def close(self) -> None:
        """Cut off uncommitted bytes, and release the lock."""
        self._stack.close()

    def _unlock(self) -> None:
        signals.remove_cleanup(self._cleanup)
        self._lock.release()

    def _remove_new(self) -> None:
        """Remove an inventory that was never committed."""
        if not self._new:
            return
        if self._made_folder:
            remove_folder(self.path)
            return
        for name in (TEXT, END, FINGERPRINT, lock.FILE):
            remove(os.path.join(self.path, name))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def refuse_others(path: str) -> None:
    """Raise DataError for a folder with an inventory or with other files in it.

    Files that a killed run has left of a new inventory are accepted.
    """
    files = os.listdir(path)
    if FILE in files:
        problem = "is an inventory already; --extend adds to it, another name makes a new one"
        raise DataError(path, None, problem)
    others = [name for name in files if name not in OWN and not name.startswith(REPLACED)]
    if others:
        problem = f"expected a new folder for an inventory, found one that has {min(others)}"
        raise DataError(path, None, problem)


def index_link(before: bytes, end: NDArray[Any], fingerprint: NDArray[Any]) -> bytes:
    """Return the link that follows `before`, for the ends and fingerprints of a block's names."""
    return chain.link(chain.link(before, end.data.cast("B")), fingerprint.data.cast("B"))
