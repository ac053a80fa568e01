"""An inventory that names are added to: it gives ids of names, new ids for new names.

    with Growing(path) as names:
        ids = names.ids(text, pointer)      # of a record's names
        names.see(ids)                      # a sentence has these features
        reference = names.commit()          # what the header of lists with these ids says

It holds the inventory's lock until it is closed; names that were not committed are lost then.  New
names are written to the mapped files at once, so they take only the memory of the hash table (4
bytes a slot, of which at most 7 in 10 are taken) and of the counts (4 bytes a name).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.growing import grown_with_zeros
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
from campanula.stages.inventories.lookup import as_bytes
from campanula.stages.inventories.text_ids import TextIds

if TYPE_CHECKING:
    from campanula.stages.kernels.inventory.names_table import Store

IS_BLANK = np.zeros(256, np.bool_)
IS_BLANK[list(BLANKS.encode())] = True


class Growing(InventoryNames):
    """The names of an inventory and those added to it; lists may have this as their names."""

    def __init__(
        self,
        path: str,
        new: bool = False,
        bits: int = 64,
        waits: Callable[[], None] | None = None,
    ) -> None:
        """Extend the inventory in a folder, or make a new one whose fingerprints have some bits.

        While another process adds to the inventory, this one calls `waits`, then waits.  Raises
        DataError for a folder that is no inventory, or that is one when a new one is to be made.
        """
        self._files = Appending(path, new, bits, waits)
        self.path = path
        try:
            self._begin(None if new else Inventory.open(path))
        # also for Ctrl-C: the lock must not outlive the object that nobody got
        except BaseException:
            self._files.close()
            raise

    def _begin(self, before: Inventory | None) -> None:
        """Begin with the names of the inventory as it is committed."""
        manifest = self._files.manifest
        self.base = InventoryReference(manifest.names, manifest.digest)
        self.sentences = manifest.sentences
        table = None if before is None else before.table
        self._text_ids = TextIds(manifest.names, table, manifest.bits)
        self._count: NDArray[Any] = np.zeros(0, SLOT) if before is None else before.count

    @property
    def reference(self) -> InventoryReference:
        """Reference to all names so far, committed or not."""
        return self._files.reference(len(self))

    def prefix(self, names: int) -> InventoryReference:
        """Return the reference to the first `names` names."""
        return self._files.reference(names)

    def __repr__(self) -> str:
        return f"<inventory {self.path}, growing: {len(self)} names>"

    def __len__(self) -> int:
        return len(self._text_ids)

    def __getitem__(self, index: int) -> str:
        # a range takes negative indices and refuses those outside, as a list does
        index = range(len(self))[index]
        end = self._files.end.array
        start = int(end[index - 1]) if index else 0
        # without the line end that is stored behind every name
        return self._files.text.array[start : int(end[index]) - 1].tobytes().decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(len(self)))

    def since(self, start: int) -> list[str]:
        """Return the names with ids of at least `start`."""
        return [self[index] for index in range(start, len(self))]

    def ids(self, text: bytes | Bytes, pointer: Ints) -> Ids:
        """Return ids (n,) of the names text[pointer[i]:pointer[i + 1]], UTF-8; add new names.

        Raises ColumnError for a text that is no name (formats/records/names.py).
        """
        text = as_bytes(text)
        check_names(text, pointer)
        return self._text_ids.add(text, pointer, self._reserve)

    def ids_of_names(self, names: Iterable[str]) -> Ids:
        """Return the ids (n,) of names; add new names."""
        texts = Texts.of(names)
        return self.ids(texts.blob, texts.pointer)

    def _reserve(self, more: int, n_bytes: int) -> Store:
        """Return all names, in files with capacity for `more` names of n_bytes in all.

        Raises DataError for an inventory that cannot have another name.
        """
        from campanula.stages.kernels.inventory.names_table import Store

        n = len(self)
        check_number(n + 1, self.path)
        files = self._files
        files.end.reserve(n + more)
        files.fingerprint.reserve(n + more)
        n_used = int(files.end.array[n - 1]) if n else 0
        files.text.reserve(n_used + n_bytes)
        return Store(files.text.array, files.end.array, files.fingerprint.array)

    def see(self, ids: Ids) -> None:
        """Count one more sentence, which has the features `ids`, each listed once."""
        self._count = self._counts()
        self._count[ids] += 1
        self.sentences += 1

    def see_all(self, ids: Ids, count: NDArray[Any], sentences: int) -> None:
        """Count more sentences: `sentences` in all, of which count[i] have the feature ids[i].

        Each feature is listed once.
        """
        self._counts()[ids] += count.astype(np.uint32)
        self.sentences += sentences

    def take(self, other: Inventory) -> Ids:
        """Add all names of another inventory with its counts; return their ids here (n_names,)."""
        blocks = [np.zeros(0, np.int32)]
        # some thousand names at a time: their texts are copied, and an inventory may be large
        for start in range(0, len(other), BLOCK):
            end = min(start + BLOCK, len(other))
            blocks.append(self.ids(*other.texts(start, end)))
        ids = np.concatenate(blocks)
        self._counts()[ids] += other.count
        self.sentences += other.manifest.sentences
        return ids

    def _counts(self) -> NDArray[Any]:
        """Return the counts, grown to an entry for every name at least."""
        self._count = grown_with_zeros(self._count, len(self))
        return self._count

    def commit(self) -> InventoryReference:
        """Make all names so far part of the inventory for good; raises DataError (disk full)."""
        # an inventory to which no name was added may have no table yet
        self._text_ids.grow(self._reserve(0, 0))
        counts = self._counts()[: len(self)]
        return self._files.commit(len(self), self._text_ids.table, counts, self.sentences)

    def close(self) -> None:
        """Close the inventory as it was last committed, and release its lock."""
        self._files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def check_names(text: Bytes, pointer: Ints) -> None:
    """Raise ColumnError for a name that no weights file can hold: with a blank, empty, or `#`."""
    length = lengths_of(pointer)
    used = text[int(pointer[0]) : int(pointer[-1])]
    # names are looked at one by one only if some are short (empty, or `#`) or some byte is a blank
    short = length[length < 2]
    if len(short) or IS_BLANK[used].any():
        for name in Texts(text.tobytes(), pointer):
            if not is_name(name):
                problem = f"expected a feature name without blanks, found {shortened(name)}"
                raise ColumnError(problem)
