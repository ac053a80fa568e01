"""Arrays that passes over shards use again: the system need not find fresh pages for each.

Fresh pages cost more than half of what a pass over a shard does with them.
"""

from __future__ import annotations

import threading

import numpy as np

from campanula.formats.arrays.types import Floats


class Rooms:
    """Rooms of numbers, each in one hand at a time; as many as were ever in use together."""

    def __init__(self) -> None:
        self._free: list[Floats] = []
        self._lock = threading.Lock()

    def take(self, size: int) -> Floats:
        """A room of at least `size` numbers, whatever they are; `give` it back."""
        with self._lock:
            room = self._free.pop() if self._free else np.empty(0)
        return room if len(room) >= size else np.empty(size)

    def give(self, room: Floats) -> None:
        """Give a room back."""
        with self._lock:
            self._free.append(room)
