"""Arrays that passes over shards reuse, since fresh pages of the system are slow.

Getting fresh pages takes more than half of the time that a pass over a shard works on them.
"""

from __future__ import annotations

import threading

import numpy as np

from campanula.formats.arrays.types import Floats


class Buffers:
    """A pool of arrays for threads; it keeps as many as were ever in use at one time."""

    def __init__(self) -> None:
        self._free: list[Floats] = []
        self._lock = threading.Lock()

    def take(self, size: int) -> Floats:
        """Return an array of at least `size` undefined numbers, for this caller until `give`."""
        with self._lock:
            buffer = self._free.pop() if self._free else np.empty(0)
        # one that is too small is dropped, so that the pool does not fill with small arrays
        return buffer if len(buffer) >= size else np.empty(size)

    def give(self, buffer: Floats) -> None:
        """Return an array to the pool."""
        with self._lock:
            self._free.append(buffer)
