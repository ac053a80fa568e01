"""An inventory that names are added to: ids of all names, new ones for those that it has not.

    with Growing(path) as names:
        ids = names.ids(text, pointer)      # of a record's names
        names.see(ids)                      # a sentence has these features
        reference = names.commit()          # what the header of lists with these ids says

It holds the inventory's lock until it is closed; what was not committed is gone then.  New names
are written to the mapped files at once, so that they take no memory but that of the hash table (4
bytes a slot, of which at most 7 in 10 are taken) and of the counts (4 bytes a name).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.growing import grown
from campanula.formats.arrays.pointers import lengths_of
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.inventories.appending import Appending
from campanula.formats.inventories.chain import BLOCK
from campanula.formats.inventories.inventory import SLOT, Inventory
from campanula.formats.inventories.inventory_names import InventoryNames
from campanula.formats.inventories.manifest import check_number
from campanula.formats.inventories.reference import InventoryReference
from campanula.formats.records.columns import ColumnError, shortened
from campanula.formats.records.names import BLANKS, is_name
from campanula.formats.records.texts import Texts
from campanula.stages.inventories.lookup import as_bytes, mask_of

IS_BLANK = np.zeros(256, np.bool_)
IS_BLANK[list(BLANKS.encode())] = True


class Growing(InventoryNames):
    """Names of an inventory and those added to it; lists may have it as their names."""

    def __init__(
        self,
        path: str,
        new: bool = False,
        bits: int = 64,
        waits: Callable[[], None] | None = None,
    ) -> None:
        """Extend the inventory of a folder, or make a new one, with fingerprints of some bits.

        Raises DataError for a folder that is no inventory, or is one when a new one is made.  While
        another process adds to it, it waits, and calls `waits` before.
        """
        self._files = Appending(path, new, bits, waits)
        self.path = path
        try:
            self._begin(None if new else Inventory.open(path))
        except BaseException:
            self._files.close()
            raise

    def _begin(self, before: Inventory | None) -> None:
        """Have the names of the inventory as it stands."""
        manifest = self._files.manifest
        self.base = InventoryReference(manifest.names, manifest.digest)
        self._mask = mask_of(manifest.bits)
        self._n = manifest.names
        self.sentences = manifest.sentences
        none = np.zeros(0, SLOT)
        self._table: NDArray[Any] = none if before is None else before.table
        self._count: NDArray[Any] = none if before is None else before.count

    @property
    def reference(self) -> InventoryReference:
        """Reference to all names so far, committed or not."""
        return self._files.reference(self._n)

    def prefix(self, names: int) -> InventoryReference:
        """Reference to the first `names` of them."""
        return self._files.reference(names)

    def __repr__(self) -> str:
        return f"<inventory {self.path}, growing: {self._n} names>"

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, index: int) -> str:
        index = range(self._n)[index]
        end = self._files.end.array
        start = int(end[index - 1]) if index else 0
        return self._files.text.array[start : int(end[index]) - 1].tobytes().decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(self._n))

    def since(self, start: int) -> list[str]:
        """Names with ids of at least `start`."""
        return [self[index] for index in range(start, self._n)]

    def ids(self, text: bytes | Bytes, pointer: Ints) -> Ids:
        """Ids (n,) of the names text[pointer[i]:pointer[i + 1]], UTF-8.

        Raises ColumnError for what is no name (formats/records/names.py).
        """
        from campanula.stages.kernels.inventory.names_table import Store, add_all

        text, found = as_bytes(text), np.empty(len(pointer) - 1, np.int32)
        check_names(text, pointer)
        done = 0
        files = self._files
        while done < len(found):
            rest = len(found) - done
            self._make_room()
            files.end.reserve(self._n + rest)
            files.fingerprint.reserve(self._n + rest)
            files.text.reserve(self._text_size() + int(pointer[-1] - pointer[done]) + rest)
            store = Store(files.text.array, files.end.array, files.fingerprint.array)
            with np.errstate(over="ignore"):
                more, self._n = add_all(
                    self._table, store, self._n, self._mask, text, pointer[done:], found[done:]
                )
            done += more
        return found

    def ids_of_names(self, names: Iterable[str]) -> Ids:
        """Ids of some names."""
        texts = Texts.of(names)
        return self.ids(texts.blob, texts.pointer)

    def _text_size(self) -> int:
        return int(self._files.end.array[self._n - 1]) if self._n else 0

    def _make_room(self) -> None:
        """Have a table with room for one name more at least."""
        from campanula.stages.kernels.inventory.names_table import fill, slots_for

        check_number(self._n + 1, self.path)
        slots = slots_for(self._n + 1)
        if slots != len(self._table):
            self._table = np.zeros(slots, SLOT)
            fill(self._table, self._files.fingerprint.array[: self._n])

    def see(self, ids: Ids) -> None:
        """Count one sentence more, which has the features `ids`, each once."""
        self._count = self._counts()
        self._count[ids] += 1
        self.sentences += 1

    def see_all(self, ids: Ids, count: NDArray[Any], sentences: int) -> None:
        """Count `sentences` more, of which count (n,) have the features ids (n,), each once."""
        self._counts()[ids] += count.astype(np.uint32)
        self.sentences += sentences

    def take(self, other: Inventory) -> Ids:
        """Add all names of another inventory with its counts; ids (len(other),) of them here."""
        parts = [np.zeros(0, np.int32)]
        for start in range(0, len(other), BLOCK):
            end = min(start + BLOCK, len(other))
            parts.append(self.ids(*other.texts(start, end)))
        ids = np.concatenate(parts)
        self._counts()[ids] += other.count
        self.sentences += other.manifest.sentences
        return ids

    def _counts(self) -> NDArray[Any]:
        """Counts with an entry for every name, or more."""
        size = len(self._count)
        if size < self._n:
            self._count = grown(self._count, self._n)
            self._count[size:] = 0
        return self._count

    def commit(self) -> InventoryReference:
        """Make the names so far count, for good; raises DataError when the disk is full."""
        self._make_room()
        counts = self._counts()[: self._n]
        return self._files.commit(self._n, self._table, counts, self.sentences)

    def close(self) -> None:
        """Leave the inventory as it was last committed."""
        self._files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def check_names(text: Bytes, pointer: Ints) -> None:
    """Raise ColumnError for a name that no weights file can hold: with a blank, empty, or `#`."""
    length = lengths_of(pointer)
    used = text[int(pointer[0]) : int(pointer[-1])]
    short = length[length < 2]
    if len(short) or IS_BLANK[used].any():
        for name in Texts(text.tobytes(), pointer):
            if not is_name(name):
                problem = f"expected a feature name without blanks, found {shortened(name)}"
                raise ColumnError(problem)
