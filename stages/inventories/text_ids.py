"""Numbers for distinct texts, in the order in which they occur, by the hash table of an inventory.

The texts are kept elsewhere: in the files of an inventory (growing.py), or in arrays in memory
(growth/interned.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.inventories.inventory import SLOT
from campanula.stages.inventories.lookup import mask_of

if TYPE_CHECKING:
    from campanula.stages.kernels.inventory.names_table import Store

Reserve: TypeAlias = Callable[[int, int], "Store"]
r"""Function of a number of texts and of bytes, one \n a text included: returns the store of all
texts, with capacity for so many more."""

BITS = 64  # of a fingerprint


class TextIds:
    """Texts numbered from 0: those of a store, and those that are added.

    table (slots,): ids + 1 of the first n texts, 0 for a free slot (kernels/inventory).
    """

    def __init__(self, n: int = 0, table: NDArray[Any] | None = None, bits: int = BITS) -> None:
        self.table: NDArray[Any] = np.zeros(0, SLOT) if table is None else table
        self._n = n
        self._mask = mask_of(bits)

    def __len__(self) -> int:
        return self._n

    def add(self, text: Bytes, pointer: Ints, reserve: Reserve) -> Ids:
        """Return the numbers (m,) of texts text[pointer[i]:pointer[i + 1]]; add those that are new.

        A new text gets the next number.  reserve: returns the store of all texts so far.
        """
        from campanula.stages.kernels.inventory.names_table import add_all

        ids = np.empty(len(pointer) - 1, np.int32)
        done = 0
        # the kernel stops when its hash table is full; the table then grows
        while done < len(ids):
            more = len(ids) - done
            store = reserve(more, int(pointer[-1] - pointer[done]) + more)
            self.grow(store)
            with np.errstate(over="ignore"):  # fingerprints wrap around
                n_done, self._n = add_all(
                    self.table, store, self._n, self._mask, text, pointer[done:], ids[done:]
                )
            done += n_done
        return ids

    def grow(self, store: Store) -> None:
        """Make the hash table larger if it could not take another text; store: all texts."""
        from campanula.stages.kernels.inventory.names_table import fill, slots_for

        slots = slots_for(self._n + 1)
        if slots != len(self.table):
            self.table = np.zeros(slots, SLOT)
            fill(self.table, store.fingerprint[: self._n])
