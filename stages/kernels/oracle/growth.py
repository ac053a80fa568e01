"""The graph of the oracle search as it grows: a table of the states met, nodes, and arcs.

A state is (place, open gap, end behind it, layer, n-gram at its end, length; slots matched).  Those
that share it are one node, which a hash table with open addressing finds.  Sets of slots are large
in a long sentence, so those of a stack that is done are given to the nodes that come.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.hashing import LOW31
from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import grown
from campanula.stages.kernels.oracle.records import (
    N_ARCS,
    N_FREE,
    N_NODES,
    N_ROWS,
    PLACE_COLUMNS,
    SPAN_START,
    SPAN_WORDS,
    Growth,
    OracleTask,
    Stacks,
    StateArcs,
    StateNodes,
)
from campanula.stages.kernels.records import END, NEXT, NODE_BEFORE, OPTION, START
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def seed(n_words: int) -> Growth:
    """The graph of the empty hypothesis alone, whose sets of slots are n_words integers."""
    nodes = StateNodes(
        np.zeros((1024, PLACE_COLUMNS), np.int32),
        np.zeros(1024, np.int32),
        np.zeros((64, n_words), np.int64),
        np.zeros(1024),
        np.zeros(1024, np.int32),
        np.full(1024, -1, np.int32),
        np.full(1024, -1, np.int32),
    )
    arcs = StateArcs(np.empty((4096, 5), np.int32), np.empty(4096))
    free = np.empty(64, np.int32)
    return Growth(np.array([1, 0, 1, 0]), nodes, arcs, np.full(4096, -1, np.int32), free)


@njit(**LEAN)
def state_hash(place: Ids, used: Ints) -> int:
    """31-bit hash of a state."""
    mixed = np.int64(0)
    for k in range(PLACE_COLUMNS):
        mixed = (mixed * 0x2545F491 + place[k]) % LOW31
    for k in range(len(used)):
        mixed ^= (used[k] >> 31) * 0x3C6EF35
        mixed = ((mixed & LOW31) * 0x19D699A5 + (used[k] & LOW31)) % LOW31
        mixed ^= mixed >> 15
    return int(mixed)


@njit(**LEAN)
def find_node(slots: Ids, nodes: StateNodes, place: Ids, used: Ints) -> int:
    """Slot of a state in the hash table of nodes, or the free slot for it."""
    slot = state_hash(place, used) & (len(slots) - 1)
    known_place, known_used = nodes.place, nodes.used
    while slots[slot] >= 0:
        v = slots[slot]
        row = wide(nodes.row[v])
        same = row >= 0  # else its stack is done, and has given back what it would be compared by
        for k in range(PLACE_COLUMNS):
            same = same and known_place[v, k] == place[k]
        k = 0
        while same and k < len(used):
            same = known_used[row, k] == used[k]
            k += 1
        if same:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return int(slot)


@njit(cache=True, nogil=True)
def rehashed(slots: Ids, nodes: StateNodes, n_nodes: int, room: int) -> Ids:
    """Hash table with room for `room` nodes; in it are the first n_nodes, those that have sets."""
    if len(slots) >= 2 * room:
        return slots
    size = len(slots)
    while size < 4 * room:  # twice what is asked for, so that entries are seldom moved
        size *= 2
    larger = np.full(size, -1, np.int32)
    for v in range(n_nodes):
        if nodes.row[v] >= 0:
            larger[find_node(larger, nodes, nodes.place[v], nodes.used[nodes.row[v]])] = v
    return larger


@njit(cache=True, nogil=True)
def with_node_room(growth: Growth, more: int) -> Growth:
    """The graph with room for more nodes."""
    nodes, n_nodes = growth.nodes, growth.size[N_NODES]
    size = n_nodes + more
    # rows that were given back are taken first
    n_rows = growth.size[N_ROWS] + max(0, more - growth.size[N_FREE])
    if size > len(nodes.estimate) or n_rows > len(nodes.used):
        nodes = StateNodes(
            grown(nodes.place, size),
            grown(nodes.row, size),
            grown(nodes.used, n_rows),
            grown(nodes.estimate, size),
            grown(nodes.blocks, size),
            grown(nodes.arc, size),
            grown(nodes.following, size),
        )
    slots = rehashed(growth.slots, nodes, n_nodes, size)
    return Growth(growth.size, nodes, growth.arcs, slots, grown(growth.free, n_rows))


@njit(**LEAN)
def taken_row(growth: Growth) -> int:
    """A row of sets for a new node; there is room."""
    size = growth.size
    if size[N_FREE] > 0:
        size[N_FREE] -= 1
        return wide(growth.free[size[N_FREE]])
    size[N_ROWS] += 1
    return int(size[N_ROWS] - 1)


@njit(**LEAN)
def release(growth: Growth, stacks: Stacks, stack: int) -> None:
    """Give back the sets of the nodes of a stack that is done: no state like theirs can follow."""
    nodes, size = growth.nodes, growth.size
    v = wide(stacks.head[stack])
    while v >= 0:
        growth.free[size[N_FREE]] = nodes.row[v]
        size[N_FREE] += 1
        nodes.row[v] = -1
        v = wide(nodes.following[v])


@njit(cache=True, nogil=True)
def with_arc_room(growth: Growth, more: int) -> Growth:
    """The graph with room for more arcs."""
    arcs, n_arcs = growth.arcs, growth.size[N_ARCS]
    size = n_arcs + more
    arcs = StateArcs(grown(arcs.link, size), grown(arcs.value, size))
    return Growth(growth.size, growth.nodes, arcs, growth.slots, growth.free)


@njit(**LEAN)
def node_of(growth: Growth, place: Ids, used: Ints, estimate: float) -> int:
    """The node of a state; a new one, the last, if it was not met before.  There is room."""
    nodes, slots = growth.nodes, growth.slots
    slot = find_node(slots, nodes, place, used)
    if slots[slot] < 0:
        new = growth.size[N_NODES]
        growth.size[N_NODES] += 1
        slots[slot] = new
        for k in range(PLACE_COLUMNS):
            nodes.place[new, k] = place[k]
        row = taken_row(growth)
        nodes.row[new] = row
        for k in range(len(used)):
            nodes.used[row, k] = used[k]
        nodes.estimate[new] = estimate
        nodes.blocks[new] = LOW31
        nodes.arc[new] = -1
        nodes.following[new] = -1
    return wide(slots[slot])


@njit(**LEAN)
def add_arcs(
    growth: Growth, node: int, step: Ints, task: OracleTask, c: int, value: float, newest: int
) -> int:
    """Add the first n_best options of class c after a node, before the newest arc: newest then."""
    link, arc_value = growth.arcs
    start, end = step[SPAN_START], step[SPAN_START] + step[SPAN_WORDS]
    member_start, member = task.classes.member_start, task.classes.member
    begin = member_start[c]
    for x in range(begin, min(member_start[c + 1], begin + task.limits.n_best)):
        a = growth.size[N_ARCS]
        growth.size[N_ARCS] += 1
        link[a, NODE_BEFORE] = node
        link[a, OPTION] = member[x]
        link[a, START] = start
        link[a, END] = end
        link[a, NEXT] = newest
        arc_value[a] = value
        newest = a
    return int(newest)
