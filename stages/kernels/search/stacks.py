"""One stack of the search: its candidates, best estimate first, made into nodes and arcs.

Candidates with the same state are one node; each is an arc to it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import find_slot, free_slots
from campanula.stages.kernels.records import (
    CUBE_FIRST,
    CUBE_GAP,
    CUBE_GROUP,
    CUBE_LENGTH,
    CUBE_MASK,
    CUBE_ORIENTATION,
    CUBE_START,
    CUBE_TARGET,
    END,
    FIRST_NODE,
    FORWARD,
    GAP,
    JUMP,
    LAST_END,
    LAST_START,
    MASK,
    N_NODES,
    NEXT,
    NODE_BEFORE,
    OPTION,
    REST,
    START,
    THROUGH,
    Arcs,
    Cubes,
    LanguageModel,
    Nodes,
    Options,
    Outlook,
    Seams,
    Settings,
)
from campanula.stages.kernels.search.candidates import PLACE, Candidates, first_candidates, hand_on
from campanula.stages.kernels.search.outlook import best_orientation
from campanula.stages.kernels.search.scores import candidate_score
from campanula.stages.kernels.sparse.seams import remember, seam_score
from campanula.stages.kernels.wide import wide

TARGETS, NODES, ARCS, HISTORIES = range(4)


class Stack(NamedTuple):
    """Nodes of the stack that is being filled, and hash tables of what tells them apart.

    targets (n, 4): gap, mask, end, start of the nodes' groups.  keys (n, 4): target, language model
    state, class, history; scores (n, 2): score, and with the rest; newest (n, 2): option, arc.
    used (4,): how many targets and nodes there are, and how many arcs and histories in all.
    """

    targets: Ints
    keys: Ints
    scores: Floats
    newest: Ids
    target_slots: Ids
    slots: Ids
    history_slots: Ids
    used: Ints


@njit(cache=True, nogil=True)
def empty_stack(most: int, n_cubes: int, seamed: bool, n_arcs: int, n_histories: int) -> Stack:
    """Room for `most` nodes of at most n_cubes targets."""
    n_targets, used = min(most, n_cubes), np.zeros(4, dtype=np.int64)
    used[ARCS], used[HISTORIES] = n_arcs, n_histories
    return Stack(
        np.empty((n_targets, 4), dtype=np.int64),
        np.empty((most, 4), dtype=np.int64),
        np.empty((most, 2)),
        np.empty((most, 2), dtype=np.int32),
        free_slots(n_targets),
        free_slots(most),
        free_slots(most if seamed else 0),
        used,
    )


@njit(cache=True, nogil=True, inline="always")
def target_of(c: int, last: bool, lexical: bool, info: Ints, stack: Stack) -> int:
    """Number of the group that grid c leads to: a new one, if none is like it.

    The start of the phrase matters if a swap can follow, that is if the word before it is free.
    """
    gap, mask, start = info[c, CUBE_GAP], info[c, CUBE_MASK], info[c, CUBE_START]
    end, swap_start = start + info[c, CUBE_LENGTH], wide(-1)
    if lexical and start > gap and (mask >> (start - 1 - gap)) & 1 == 0:
        swap_start = start
    if last:
        end = wide(0)
    slot = find_slot(stack.target_slots, stack.targets, gap, mask, end, swap_start)
    if stack.target_slots[slot] < 0:
        new = stack.used[TARGETS]
        stack.targets[new, GAP] = gap
        stack.targets[new, MASK] = mask
        stack.targets[new, LAST_END] = end
        stack.targets[new, LAST_START] = swap_start
        stack.target_slots[slot] = new
        stack.used[TARGETS] += 1
    return int(stack.target_slots[slot])


@njit(cache=True, nogil=True, inline="always")
def history_of(
    h: int, option: int, info: Ids, seams: Seams, history: Ints, first: int, stack: Stack
) -> int:
    """Number of the history of an option after history h; the stack has those from `first` on."""
    n = stack.used[HISTORIES]
    one, two, three, four = remember(history, h, n, option, info, seams)
    slot = find_slot(stack.history_slots, history[first:], one, two, three, four)
    if stack.history_slots[slot] < 0:
        stack.history_slots[slot] = n - first
        stack.used[HISTORIES] += 1
    return first + wide(stack.history_slots[slot])


@njit(cache=True, nogil=True, inline="always")
def node_of(target: int, state: int, kind: int, past: int, stack: Stack) -> int:
    """Number of the node of a state: a new one, if none is like it."""
    slot = find_slot(stack.slots, stack.keys, target, state, kind, past)
    new = wide(stack.slots[slot])
    if new < 0:
        new = stack.used[NODES]
        stack.slots[slot] = new
        stack.keys[new, 0], stack.keys[new, 1] = target, state
        stack.keys[new, 2], stack.keys[new, 3] = kind, past
        stack.scores[new, 0], stack.newest[new, 1] = -np.inf, -1
        stack.used[NODES] += 1
    return new


@njit(cache=True, nogil=True, inline="always")
def add_arc(
    new: int, node: int, option: int, start: int, words: int, score: float, total: float,
    stack: Stack, link: Ids,
) -> None:  # fmt: skip
    """Add the arc from a node through an option to node `new` of the stack."""
    arc = stack.used[ARCS]
    if score > stack.scores[new, 0]:
        stack.scores[new, 0], stack.scores[new, 1] = score, total
        stack.newest[new, 0] = option
    link[arc, NODE_BEFORE] = node
    link[arc, OPTION] = option
    link[arc, START] = start
    link[arc, END] = start + words
    link[arc, NEXT] = stack.newest[new, 1]
    stack.newest[new, 1] = arc
    stack.used[ARCS] += 1


@njit(**LEAN)
def hand_out(
    last: bool, cubes: Cubes, group: Ints, nodes: Nodes, outlook: Outlook, options: Options,
    lm: LanguageModel, settings: Settings, most: int, arcs: Arcs, seams: Seams, history: Ints,
    n_histories: int, heap: Candidates, stack: Stack,
) -> None:  # fmt: skip
    """Hand out at most `most` candidates, best estimate first, and make nodes of them."""
    info, seamed = cubes.info, seams.active != 0
    best, pops, none = -np.inf, 0, wide(0)
    while heap.size[0] > 0 and pops < most and heap.value[0] >= best - settings.threshold:
        pops += 1
        cell, past, own = heap.cell[0], none, arcs.value[stack.used[ARCS]]
        c, a, b = cell >> 40, (cell >> 20) & PLACE, cell & PLACE
        node, x = group[info[c, CUBE_GROUP], FIRST_NODE] + a, info[c, CUBE_FIRST] + b
        option = wide(outlook.option[x])
        score, state, kind = candidate_score(
            node,
            option,
            info[c, CUBE_ORIENTATION],
            cubes.value[c, JUMP],
            last,
            nodes,
            options,
            lm,
            settings,
            own,
        )
        if seamed:
            h = wide(nodes.history[node])
            score += seam_score(history, h, option, options.info, seams)
            if not last:
                past = history_of(h, option, options.info, seams, history, n_histories, stack)
        own[THROUGH] = score
        total = score + cubes.value[c, REST]
        if not last:
            total += best_orientation(options.score, option, FORWARD)
        best = max(best, total)
        if info[c, CUBE_TARGET] < 0:
            info[c, CUBE_TARGET] = target_of(c, last, settings.lexical != 0, info, stack)
        new = node_of(info[c, CUBE_TARGET], state, kind, past, stack)
        add_arc(
            new,
            node,
            option,
            info[c, CUBE_START],
            info[c, CUBE_LENGTH],
            score,
            total,
            stack,
            arcs.link,
        )
        hand_on(c, a, b, node, x, heap, cubes, group, nodes, outlook, options)


@njit(cache=True, nogil=True)
def fill_stack(
    last: bool, cubes: Cubes, n_cubes: int, group: Ints, nodes: Nodes, outlook: Outlook,
    options: Options, lm: LanguageModel, settings: Settings, most: int, arcs: Arcs, n_arcs: int,
    seams: Seams, history: Ints, n_histories: int,
) -> Stack:  # fmt: skip
    """The nodes of a stack, of at most `most` candidates; `last`: it is that of whole translations.

    `arcs` and `history` (sparse_seams) have room.  Histories are told apart within a stack only.
    """
    heap = first_candidates(most, n_cubes, cubes, group, nodes, outlook, options)
    stack = empty_stack(most, n_cubes, seams.active != 0, n_arcs, n_histories)
    hand_out(
        last, cubes, group, nodes, outlook, options, lm, settings, most, arcs, seams, history,
        n_histories, heap, stack,
    )  # fmt: skip
    return stack


@njit(cache=True, nogil=True)
def descending(value: Floats) -> Ints:
    """Order of the values, largest first, equal ones as they come (a merge sort, bottom up)."""
    n = len(value)
    order, other = np.arange(n), np.empty(n, dtype=np.int64)
    width = 1
    while width < n:
        for begin in range(0, n, 2 * width):
            a, middle = begin, min(begin + width, n)
            b, end = middle, min(begin + 2 * width, n)
            for place in range(begin, end):
                if a < middle and (b == end or value[order[a]] >= value[order[b]]):
                    other[place] = order[a]
                    a += 1
                else:
                    other[place] = order[b]
                    b += 1
        order, other = other, order
        width *= 2
    return order


@njit(cache=True, nogil=True)
def lay_out(
    stack: Stack, settings: Settings, nodes: Nodes, n_nodes: int, group: Ints, n_groups: int
) -> tuple[int, int]:
    """Prune a stack and store it by groups, the best node of each first: (nodes, groups)."""
    n_targets, n_fresh = stack.used[TARGETS], stack.used[NODES]
    keys, scores, newest = stack.keys, stack.scores, stack.newest
    order = descending(scores[:n_fresh, 1].copy())
    kept = min(len(order), settings.stack)
    while scores[order[kept - 1], 1] < scores[order[0], 1] - settings.threshold:
        kept -= 1
    count = np.zeros(n_targets, dtype=np.int64)
    for i in range(kept):
        count[keys[order[i], 0]] += 1
    place = np.zeros(n_targets, dtype=np.int64)
    for g in range(n_targets):
        place[g] = n_nodes
        if count[g] > 0:
            for column in range(FIRST_NODE):
                group[n_groups, column] = stack.targets[g, column]
            group[n_groups, FIRST_NODE] = n_nodes
            group[n_groups, N_NODES] = count[g]
            n_groups += 1
            n_nodes += count[g]
    node_score, node_state, node_option, node_arc, node_history = nodes
    for i in range(kept):
        new = order[i]
        y = place[keys[new, 0]]
        place[keys[new, 0]] += 1
        node_score[y], node_state[y] = scores[new, 0], keys[new, 1]
        node_option[y], node_arc[y] = newest[new, 0], newest[new, 1]
        node_history[y] = keys[new, 3]
    return n_nodes, n_groups
