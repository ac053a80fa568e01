"""Derivations of a search graph's nodes, in the order found, and the strings that they spell.

A derivation is an arc and a derivation of the node before it; those of a node are a linked list,
best first.  Derivation v < n_nodes is the best of node v.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.hashing import LOW31
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.paths import ARC, BEFORE
from campanula.stages.kernels.graph.strings import words_hash
from campanula.stages.kernels.memory import ROOM, free_slots, grown
from campanula.stages.kernels.records import (
    LENGTH,
    NEXT,
    NODE_BEFORE,
    OPTION,
    PLACE,
    THROUGH,
    Graph,
)
from campanula.stages.kernels.wide import wide

FOLLOWING = 2  # column of GrowingDerivations.step, behind those of every step
NODE, LEFT, RIGHT = range(3)  # columns of GrowingDerivations.key


class GrowingDerivations(NamedTuple):
    """`size` (1,) derivations, in arrays that grow.

    step (room, 3): the last ARC, the derivation BEFORE it, and the one FOLLOWING in the same node's
    list, -1 for none; score (room,).  If strings must differ, key (room, 3) is the NODE and two
    hashes of the words, and slots (a power of 2,) a hash table of the derivations by their keys, -1
    where free; else both are empty.
    """

    size: Ints
    step: Ints
    score: Floats
    key: Ints
    slots: Ids


@njit(cache=True, nogil=True)
def best_derivations(graph: Graph, info: Ids, word: Ids, distinct: bool) -> GrowingDerivations:
    """Return the best derivation of every node; `info`, `word` are those of the options."""
    n_nodes = len(graph.first_arc)
    room = n_nodes + ROOM  # beside the best of each node
    step = np.full((room, 3), -1, dtype=np.int64)
    score = np.empty(room)
    score[0] = 0.0  # the empty derivation of the start
    for v in range(1, n_nodes):
        a = best_arc(graph, v)
        step[v, ARC] = a
        step[v, BEFORE] = graph.link[a, NODE_BEFORE]
        score[v] = graph.arc_value[a, THROUGH]
    size = np.array([n_nodes])
    key = np.zeros((room if distinct else 0, 3), dtype=np.int64)
    slots = np.zeros(0, dtype=np.int32)
    if distinct:
        # node by node in topological order: hashes of the words before are there
        for v in range(1, n_nodes):
            before = step[v, BEFORE]
            left, right = string_after(before, step[v, ARC], graph.link, info, word, key)
            key[v, NODE] = v
            key[v, LEFT] = left
            key[v, RIGHT] = right
        slots = filled_slots(key, n_nodes)
    return GrowingDerivations(size, step, score, key, slots)


@njit(**LEAN)
def best_arc(graph: Graph, v: int) -> int:
    """Return the arc of the best derivation of node v, of equals the oldest."""
    best = -1
    a = wide(graph.first_arc[v])
    while a >= 0:
        # >= and not >: the newest arcs come first
        if best < 0 or graph.arc_value[a, THROUGH] >= graph.arc_value[best, THROUGH]:
            best = a
        a = wide(graph.link[a, NEXT])
    return best


@njit(**LEAN)
def string_after(d: int, a: int, link: Ids, info: Ids, word: Ids, key: Ints) -> tuple[int, int]:
    """Return the two hashes of the words of derivation d and of the option of arc a after it."""
    option = link[a, OPTION]
    begin = wide(info[option, PLACE])
    end = begin + info[option, LENGTH]
    return words_hash(key[d, LEFT], key[d, RIGHT], begin, end, word)


@njit(cache=True, nogil=True)
def with_more_room(derivations: GrowingDerivations) -> GrowingDerivations:
    """Return the derivations in arrays with room for as many again."""
    used = derivations.size[0]
    key, slots = derivations.key, derivations.slots
    if len(slots):  # slots depend on the size of the table: all keys are put in again
        key = grown(key, used + 1)
        slots = filled_slots(key, used)
    step = grown(derivations.step, used + 1)
    return GrowingDerivations(
        derivations.size, step, grown(derivations.score, used + 1), key, slots
    )


@njit(**LEAN)
def string_slot(slots: Ids, key: Ints, node: int, left: int, right: int) -> int:
    """Return the slot of the derivation of a node with certain words, or the free slot for it."""
    # odd numbers spread the bits upwards, the shift brings high ones down again (formats/arrays)
    mixed = left * 0x5851F42D ^ right * 0x2545F491 ^ node * 0x19D699A5
    mixed ^= mixed >> 29
    size = slots.shape[0] - 1  # a power of 2 less 1: `& size` is the rest of a division
    slot = ((mixed & LOW31) * 0x6C8E9CF5 >> 20) & size
    searching = True
    while searching:
        d = slots[slot]
        searching = d >= 0 and (
            key[d, NODE] != node or key[d, LEFT] != left or key[d, RIGHT] != right
        )
        if searching:
            slot = (slot + 1) & size
    return int(slot)


@njit(cache=True, nogil=True)
def filled_slots(key: Ints, count: int) -> Ids:
    """Return the hash table of the first `count` derivations, at most half full for all of key."""
    slots = free_slots(len(key))
    for d in range(count):
        slots[string_slot(slots, key, key[d, NODE], key[d, LEFT], key[d, RIGHT])] = d
    return slots


@njit(**LEAN)
def add_derivation(derivations: GrowingDerivations, arc: int, before: int, score: float) -> int:
    """Add a derivation, for which there is room, and return its number; none follows it yet."""
    new = derivations.size[0]
    derivations.size[0] += 1
    derivations.step[new, ARC] = arc
    derivations.step[new, BEFORE] = before
    derivations.step[new, FOLLOWING] = -1
    derivations.score[new] = score
    return int(new)


@njit(**LEAN)
def has_new_words(
    derivations: GrowingDerivations, v: int, arc: int, before: int, link: Ids, info: Ids, word: Ids
) -> bool:
    """Whether no derivation of node v has the words of derivation `before` with `arc` after it.

    If so, the words are noted as those of the derivation that is added next.
    """
    key, slots = derivations.key, derivations.slots
    left, right = string_after(before, arc, link, info, word, key)
    slot = string_slot(slots, key, v, left, right)
    if slots[slot] >= 0:
        return False
    new = derivations.size[0]  # add_derivation gives the next one this number
    key[new, NODE] = v
    key[new, LEFT] = left
    key[new, RIGHT] = right
    slots[slot] = new
    return True
