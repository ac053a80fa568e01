"""The graph of the oracle search while it grows: nodes, arcs, and a hash table of states.

A state is (place, open gap, end behind it, layer, n-gram at its end, length; slots matched).
Hypotheses that share it are one node.  Sets of slots are large in a long sentence, so new nodes
reuse those of stacks that are done.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.hashing import LOW31
from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import ROOM, free_slots, grown
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
    """Return the graph of the empty hypothesis alone; a set of slots has n_words integers."""
    nodes = StateNodes(
        np.zeros((ROOM, PLACE_COLUMNS), np.int32),
        np.zeros(ROOM, np.int32),
        np.zeros((64, n_words), np.int64),
        np.zeros(ROOM),
        np.zeros(ROOM, np.int32),
        np.full(ROOM, -1, np.int32),
        np.full(ROOM, -1, np.int32),
    )
    arcs = StateArcs(np.empty((4 * ROOM, 5), np.int32), np.empty(4 * ROOM))
    free = np.empty(64, np.int32)
    # node 0 is not in the hash table: no other hypothesis covers nothing
    return Growth(np.array([1, 0, 1, 0]), nodes, arcs, free_slots(2 * ROOM), free)


@njit(**LEAN)
def state_hash(place: Ids, used: Ints) -> int:
    """Return a 31-bit hash of a state."""
    mixed = np.int64(0)
    for k in range(PLACE_COLUMNS):
        mixed = (mixed * 0x2545F491 + place[k]) % LOW31
    for k in range(len(used)):
        # 62 bits in two halves, so that no product exceeds 64 bits
        mixed ^= (used[k] >> 31) * 0x3C6EF35
        mixed = ((mixed & LOW31) * 0x19D699A5 + (used[k] & LOW31)) % LOW31
        mixed ^= mixed >> 15
    return int(mixed)


@njit(**LEAN)
def find_node(slots: Ids, nodes: StateNodes, place: Ids, used: Ints) -> int:
    """Return the slot of a state in the hash table of nodes, or the free slot for it."""
    slot = state_hash(place, used) & (len(slots) - 1)
    while slots[slot] >= 0:
        v = slots[slot]
        row = wide(nodes.row[v])
        same = row >= 0  # else its stack is done: no state equals it, and its set is given back
        for k in range(PLACE_COLUMNS):
            same = same and nodes.place[v, k] == place[k]
        k = 0
        while same and k < len(used):
            same = nodes.used[row, k] == used[k]
            k += 1
        if same:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return int(slot)


@njit(cache=True, nogil=True)
def rehashed(slots: Ids, nodes: StateNodes, n_nodes: int, room: int) -> Ids:
    """Return a hash table with room for `room` nodes, with those of the first n_nodes with sets."""
    if len(slots) >= 2 * room:  # half full at most: runs of probes stay short
        return slots
    larger = free_slots(2 * room)  # twice what is needed, so that entries are seldom moved
    for v in range(n_nodes):
        if nodes.row[v] >= 0:
            larger[find_node(larger, nodes, nodes.place[v], nodes.used[nodes.row[v]])] = v
    return larger


@njit(cache=True, nogil=True)
def with_node_room(growth: Growth, more: int) -> Growth:
    """Return the graph with room for `more` nodes."""
    nodes = growth.nodes
    n_nodes = growth.size[N_NODES]
    size = n_nodes + more
    # rows that were given back are reused first
    n_rows = growth.size[N_ROWS] + max(0, more - growth.size[N_FREE])
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
    """Return a row of StateNodes.used for a new node; there is room."""
    size = growth.size
    if size[N_FREE] > 0:
        size[N_FREE] -= 1
        return wide(growth.free[size[N_FREE]])
    size[N_ROWS] += 1
    return int(size[N_ROWS] - 1)


@njit(**LEAN)
def release(growth: Growth, stacks: Stacks, stack: int) -> None:
    """Give back the sets of the nodes of a stack that is done.

    No later state can equal theirs: each step covers more words.
    """
    nodes, size = growth.nodes, growth.size
    v = wide(stacks.head[stack])
    while v >= 0:
        growth.free[size[N_FREE]] = nodes.row[v]
        size[N_FREE] += 1
        nodes.row[v] = -1
        v = wide(nodes.following[v])


@njit(cache=True, nogil=True)
def with_arc_room(growth: Growth, more: int) -> Growth:
    """Return the graph with room for `more` arcs."""
    arcs = growth.arcs
    n_arcs = growth.size[N_ARCS]
    size = n_arcs + more
    arcs = StateArcs(grown(arcs.link, size), grown(arcs.value, size))
    return Growth(growth.size, growth.nodes, arcs, growth.slots, growth.free)


@njit(**LEAN)
def node_of(growth: Growth, place: Ids, used: Ints, estimate: float) -> int:
    """Return the node of a state; if no node has the state, add one, for which there is room."""
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
        nodes.blocks[new] = LOW31  # more than any number: the caller takes the minimum
        nodes.arc[new] = -1
        nodes.following[new] = -1
    return wide(slots[slot])


@njit(**LEAN)
def add_arcs(
    growth: Growth, node: int, step: Ints, task: OracleTask, c: int, value: float, newest: int
) -> int:
    """Add arcs of the first n_best options of class c to a list and return its new head.

    The list is that of the node or stack they lead to; its head was `newest`.
    """
    link, arc_value = growth.arcs
    start, end = step[SPAN_START], step[SPAN_START] + step[SPAN_WORDS]
    member_start, member = task.classes.member_start, task.classes.member
    begin = member_start[c]
    # members have equal gains: more than n_best of a class are in no n best
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
