"""The arcs into a node, by the best path after each that has not been taken: a heap.

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

    By arc, head (n_arcs,) is the score of the path that waits, and rank (n_arcs,) the place of what
    comes before the arc among the paths of the node before.
    """

    size: Ints
    heap: Ints
    head: Floats
    rank: Ints


@njit(cache=True, nogil=True)
def nothing_waits(n_arcs: int) -> WaitingArcs:
    """The empty heap; of every arc the first path comes next."""
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
    while place > 0 and above(arc, heap[(place - 1) >> 1], head):
        heap[place] = heap[(place - 1) >> 1]
        place = (place - 1) >> 1
    heap[place] = arc
    waiting.size[0] += 1


@njit(**LEAN)
def sink(waiting: WaitingArcs) -> None:
    """Move the top, whose head is lower than it was, down to its place."""
    heap, head, size = waiting.heap, waiting.head, waiting.size[0]
    place, arc = 0, heap[0]
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
    """Take the top away."""
    waiting.size[0] -= 1
    waiting.heap[0] = waiting.heap[waiting.size[0]]
    sink(waiting)
