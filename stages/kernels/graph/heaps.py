"""Heaps of candidates, one heap a node, from which a node takes its next derivation.

A candidate is an arc and a derivation of the node before it.  Skew heaps (Sleator and Tarjan 1986)
need no arrays of their own: each candidate has two children, and a heap is given by its root.

Ties: the arc found first, then the better derivation before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.paths import ARC, BEFORE
from campanula.stages.kernels.memory import grown
from campanula.stages.kernels.wide import wide

LEFT, RIGHT = range(2)  # columns of HeapCandidates.child


class HeapCandidates(NamedTuple):
    """`size` (1,) candidates, of all nodes, in arrays that grow.

    score (room,); source (room, 2): the ARC, and the derivation BEFORE it (paths.py); child (room,
    2): LEFT and RIGHT, -1 for none.
    """

    size: Ints
    score: Floats
    source: Ints
    child: Ints


@njit(cache=True, nogil=True)
def no_candidates(room: int) -> HeapCandidates:
    """Return arrays with room for some candidates, and none in them."""
    return HeapCandidates(
        np.zeros(1, dtype=np.int64),
        np.empty(room),
        np.empty((room, 2), dtype=np.int64),
        np.empty((room, 2), dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def with_room(candidates: HeapCandidates, more: int) -> HeapCandidates:
    """Return the candidates in arrays with room for `more` beside them."""
    used = candidates.size[0]
    return HeapCandidates(
        candidates.size,
        grown(candidates.score, used + more),
        grown(candidates.source, used + more),
        grown(candidates.child, used + more),
    )


@njit(**LEAN)
def ahead(a: int, b: int, score: Floats, source: Ints) -> bool:
    """Whether candidate a comes before candidate b."""
    # ties by number, so that the result does not depend on how the heaps were melded
    if score[a] == score[b]:
        same = source[a, ARC] == source[b, ARC]
        column = BEFORE if same else ARC
        first = source[a, column] < source[b, column]
    else:
        first = score[a] > score[b]
    return bool(first)


@njit(**LEAN)
def melded(a: int, b: int, candidates: HeapCandidates) -> int:
    """Return the root of the heap of all candidates of two heaps, a and b (-1: an empty heap)."""
    # a loop in place of recursion: a skew heap may be as deep as it has candidates
    score, source, child = candidates.score, candidates.source, candidates.child
    root, parent = wide(-1), wide(-1)
    while a >= 0 and b >= 0:
        if not ahead(a, b, score, source):
            a, b = b, a
        if parent < 0:
            root = a
        else:
            child[parent, LEFT] = a
        # going down the right side while swapping the sides keeps the heap balanced on average
        right = child[a, RIGHT]
        child[a, RIGHT] = child[a, LEFT]
        child[a, LEFT] = -1
        parent, a = a, right
    rest = a if a >= 0 else b
    if parent < 0:
        root = rest
    else:
        child[parent, LEFT] = rest
    return int(root)


@njit(**LEAN)
def added(heap: int, arc: int, before: int, score: float, candidates: HeapCandidates) -> int:
    """Return the root of the heap with a new candidate added, for which there is room."""
    new = candidates.size[0]
    candidates.size[0] += 1
    candidates.score[new] = score
    candidates.source[new, ARC] = arc
    candidates.source[new, BEFORE] = before
    candidates.child[new, LEFT] = -1
    candidates.child[new, RIGHT] = -1
    return melded(heap, new, candidates)


@njit(**LEAN)
def without_root(heap: int, candidates: HeapCandidates) -> int:
    """Return the root of the heap without its best candidate, which stays in the arrays unused."""
    return melded(candidates.child[heap, LEFT], candidates.child[heap, RIGHT], candidates)
