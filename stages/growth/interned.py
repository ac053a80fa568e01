"""Numbers for distinct texts, in the order in which they occur; in arrays, not in a dictionary.

A text takes its own bytes and about 25 more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.growing import grown
from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Ids, Ints, Words64
from campanula.stages.inventories.lookup import as_bytes
from campanula.stages.inventories.text_ids import TextIds

if TYPE_CHECKING:
    from campanula.stages.kernels.inventory.names_table import Store


class Interned:
    """Distinct texts, numbered from 0."""

    def __init__(self) -> None:
        self._ids = TextIds()
        self._text: Bytes = np.zeros(0, np.uint8)
        self._end: Ints = np.zeros(0, np.int64)
        self._fingerprint: Words64 = np.zeros(0, np.uint64)

    def __len__(self) -> int:
        return len(self._ids)

    def ids(self, texts: list[bytes]) -> Ids:
        """Return the numbers (n,) of texts; a new text gets the next number."""
        pointer = pointer_of([len(text) for text in texts])
        return self._ids.add(as_bytes(b"".join(texts)), pointer, self._reserve)

    def _reserve(self, more: int, n_bytes: int) -> Store:
        """Return the texts so far, in arrays with capacity for `more` texts of n_bytes in all."""
        from campanula.stages.kernels.inventory.names_table import Store

        n = len(self)
        used = int(self._end[n - 1]) if n else 0
        self._text = grown(self._text, used + n_bytes)
        self._end = grown(self._end, n + more)
        self._fingerprint = grown(self._fingerprint, n + more)
        return Store(self._text, self._end, self._fingerprint)
