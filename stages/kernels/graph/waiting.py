"""A heap of the arcs into a node, each by its best path that has not been taken.

Ties: the first arc.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.wide import wide


class WaitingArcs(NamedTuple):
    """heap (n_arcs,): arcs, `size` (1,) of them, the best at the top.

    By arc, head (n_arcs,) is the score of the arc's path that waits, and rank (n_arcs,) the place
    of the path before the arc in the list of the node before.
    """

    size: Ints
    heap: Ints
    head: Floats
    rank: Ints


@njit(cache=True, nogil=True)
def nothing_waits(n_arcs: int) -> WaitingArcs:
    """Return the empty heap; the first path of the node before is the next one of every arc."""
    # room for all arcs of the lattice, once: those of a node after the other share it
    return WaitingArcs(
        np.zeros(1, dtype=np.int64),
        np.empty(n_arcs, dtype=np.int64),
        np.empty(n_arcs),
        np.zeros(n_arcs, dtype=np.int64),
    )


@njit(**LEAN)
def above(a: int, b: int, head: Floats) -> bool:
    """Whether arc a comes before arc b."""
    return bool(head[a] > head[b] or (head[a] == head[b] and a < b))


@njit(**LEAN)
def put(waiting: WaitingArcs, arc: int) -> None:
    """Add an arc by its head."""
    heap, head = waiting.heap, waiting.head
    place = wide(waiting.size[0])
    # the hole at `place` moves up, and the arc is written once, where it stops
    while place > 0 and above(arc, heap[(place - 1) >> 1], head):
        heap[place] = heap[(place - 1) >> 1]
        place = (place - 1) >> 1
    heap[place] = arc
    waiting.size[0] += 1


@njit(**LEAN)
def sink(waiting: WaitingArcs) -> None:
    """Move the top, whose head has become lower, down to its place."""
    heap = waiting.heap
    head = waiting.head
    size = waiting.size[0]
    place = 0
    arc = heap[0]
    child = 1
    while child < size:
        if child + 1 < size and above(heap[child + 1], heap[child], head):
            child += 1
        if not above(heap[child], arc, head):
            break
        heap[place] = heap[child]
        place = child
        child = 2 * child + 1
    heap[place] = arc


@njit(**LEAN)
def drop(waiting: WaitingArcs) -> None:
    """Remove the top."""
    waiting.size[0] -= 1
    # the last arc fills the hole; if it was the only one, it stays behind the end, unread
    waiting.heap[0] = waiting.heap[waiting.size[0]]
    sink(waiting)
