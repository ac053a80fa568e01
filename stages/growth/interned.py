"""Numbers for distinct texts, in the order in which they occur; in arrays, not in a dictionary.

A text takes its own bytes and about 25 more.  The hash table is that of an inventory.
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
    """Distinct texts, numbered from 0."""

    def __init__(self) -> None:
        self._n = 0
        self._table: NDArray[Any] = np.zeros(0, np.uint32)
        self._text: Bytes = np.zeros(0, np.uint8)
        self._end: Ints = np.zeros(0, np.int64)
        self._fingerprint: Words64 = np.zeros(0, np.uint64)

    def __len__(self) -> int:
        return self._n

    def ids(self, texts: list[bytes]) -> Ids:
        """Return the numbers (n,) of texts; a new text gets the next number."""
        from campanula.stages.kernels.inventory.names_table import Store, add_all

        text = as_bytes(b"".join(texts))
        pointer = pointer_of([len(text) for text in texts])
        numbers = np.empty(len(texts), np.int32)
        done = 0
        # the kernel stops when its hash table is full; the table then grows
        while done < len(numbers):
            self._reserve(len(numbers) - done, int(pointer[-1] - pointer[done]))
            store = Store(self._text, self._end, self._fingerprint)
            with np.errstate(over="ignore"):
                more, self._n = add_all(
                    self._table, store, self._n, mask_of(BITS), text, pointer[done:], numbers[done:]
                )
            done += more
        return numbers

    def _reserve(self, more: int, n_bytes: int) -> None:
        """Grow the arrays for `more` texts of n_bytes in all, the hash table for one at least."""
        from campanula.stages.kernels.inventory.names_table import fill, slots_for

        used = int(self._end[self._n - 1]) if self._n else 0
        self._text = grown(self._text, used + n_bytes + more)
        self._end = grown(self._end, self._n + more)
        self._fingerprint = grown(self._fingerprint, self._n + more)
        slots = slots_for(self._n + 1)
        if slots != len(self._table):
            self._table = np.zeros(slots, np.uint32)
            fill(self._table, self._fingerprint[: self._n])
