"""Numbers of different texts, in the order in which they are met; in arrays, not in a dictionary.

A text takes its bytes and some 25 more.  The hash table is that of an inventory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.growing import grown
from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Ids, Ints, Words64
from campanula.stages.inventories.lookup import as_bytes, mask_of

BITS = 64  # of a fingerprint


class Interned:
    """Texts that were met, numbered from 0."""

    def __init__(self) -> None:
        self._n = 0
        self._table: NDArray[Any] = np.zeros(0, np.uint32)
        self._text: Bytes = np.zeros(0, np.uint8)
        self._end: Ints = np.zeros(0, np.int64)
        self._fingerprint: Words64 = np.zeros(0, np.uint64)

    def __len__(self) -> int:
        return self._n

    def ids(self, texts: list[bytes]) -> Ids:
        """Numbers (n,) of some texts, new ones for those that are new."""
        from campanula.stages.kernels.inventory.names_table import Store, add_all

        text, pointer = as_bytes(b"".join(texts)), pointer_of([len(text) for text in texts])
        found = np.empty(len(texts), np.int32)
        done = 0
        while done < len(found):
            self._make_room(len(found) - done, int(pointer[-1] - pointer[done]))
            store = Store(self._text, self._end, self._fingerprint)
            with np.errstate(over="ignore"):
                more, self._n = add_all(
                    self._table, store, self._n, mask_of(BITS), text, pointer[done:], found[done:]
                )
            done += more
        return found

    def _make_room(self, more: int, n_bytes: int) -> None:
        """Have room for some texts more of so many bytes, in the hash table for one at least."""
        from campanula.stages.kernels.inventory.names_table import fill, slots_for

        used = int(self._end[self._n - 1]) if self._n else 0
        self._text = grown(self._text, used + n_bytes + more)
        self._end = grown(self._end, self._n + more)
        self._fingerprint = grown(self._fingerprint, self._n + more)
        slots = slots_for(self._n + 1)
        if slots != len(self._table):
            self._table = np.zeros(slots, np.uint32)
            fill(self._table, self._fingerprint[: self._n])
