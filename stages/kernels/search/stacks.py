"""One stack of the search: its candidates, best estimate first, made into nodes and arcs.

Candidates with the same state are one node; each is an arc to it.
"""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import find_row, find_slot, free_slots
from campanula.stages.kernels.records import (
    END,
    FORWARD,
    NEXT,
    NODE_BEFORE,
    OPTION,
    START,
    THROUGH,
    Sentence,
)
from campanula.stages.kernels.search.candidates import best_cell, first_candidates, hand_on
from campanula.stages.kernels.search.outlook import best_turns
from campanula.stages.kernels.search.records import (
    ARCS,
    BEST_OPTION,
    CUBE_GAP,
    CUBE_LENGTH,
    CUBE_MASK,
    CUBE_START,
    CUBE_TARGET,
    GAP,
    HISTORIES,
    KEY_HISTORY,
    KEY_KIND,
    KEY_STATE,
    KEY_TARGET,
    LAST_END,
    LAST_START,
    LM_STATES,
    MASK,
    NEWEST_ARC,
    OWN,
    REST,
    STATES,
    TARGETS,
    WITH_REST,
    Candidates,
    Cell,
    Cubes,
    Hypotheses,
    Stack,
)
from campanula.stages.kernels.search.scores import candidate_score
from campanula.stages.kernels.sparse.seams import remember, seam_score
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True, inline="always")
def empty_stack(
    most: int, n_targets: int, seamed: bool, several: bool, first_history: int
) -> Stack:
    """Room for `most` nodes of at most n_targets groups; `several`: of language model states."""
    n_targets = min(most, n_targets)
    return Stack(
        np.zeros(2, dtype=np.int64),
        np.empty((n_targets, 4), dtype=np.int64),
        np.empty((most, 4), dtype=np.int64),
        np.empty((most, 2)),
        np.empty((most, 2), dtype=np.int32),
        free_slots(n_targets),
        free_slots(most),
        free_slots(most if seamed else 0),
        first_history,
        free_slots(most if several else 0),
    )


@njit(cache=True, nogil=True, inline="always")
def target_of(grid: int, last: bool, lexical: bool, cubes: Cubes, stack: Stack) -> int:
    """Number of the group that a grid leads to: a new one, if none is like it.

    The start of the phrase matters if a swap can follow, that is if the word before it is free.
    """
    info, targets = cubes.info, stack.targets
    gap, mask, start = info[grid, CUBE_GAP], info[grid, CUBE_MASK], info[grid, CUBE_START]
    end = start + info[grid, CUBE_LENGTH]
    swap_start = wide(-1)
    if lexical and start > gap and (mask >> (start - 1 - gap)) & 1 == 0:
        swap_start = start
    if last:
        end = wide(0)
    slot = find_slot(stack.target_slots, targets, gap, mask, end, swap_start)
    if stack.target_slots[slot] < 0:
        new = stack.size[TARGETS]
        targets[new, GAP] = gap
        targets[new, MASK] = mask
        targets[new, LAST_END] = end
        targets[new, LAST_START] = swap_start
        stack.target_slots[slot] = new
        stack.size[TARGETS] += 1
    return int(stack.target_slots[slot])


@njit(cache=True, nogil=True, inline="always")
def history_of(
    h: int, option: int, sentence: Sentence, hypotheses: Hypotheses, stack: Stack
) -> int:
    """Number of the history of an option after history h; one of this stack's."""
    history, first = hypotheses.history, stack.first_history
    n = hypotheses.size[HISTORIES]
    key = remember(history, h, n, option, sentence.options.info, sentence.seams)
    slot = find_slot(stack.history_slots, history[first:], key[0], key[1], key[2], key[3])
    if stack.history_slots[slot] < 0:
        stack.history_slots[slot] = n - first
        hypotheses.size[HISTORIES] += 1
    return first + wide(stack.history_slots[slot])


@njit(**LEAN)
def lm_states_of(hypotheses: Hypotheses, stack: Stack) -> int:
    """Row of the states of several language models that the free row has: that one, if none of this
    stack is like it.
    """
    rows, free = hypotheses.lm_states, hypotheses.size[LM_STATES]
    slot = find_row(stack.lm_slots, rows, free)
    if stack.lm_slots[slot] < 0:
        stack.lm_slots[slot] = free
        hypotheses.size[LM_STATES] += 1
    return wide(stack.lm_slots[slot])


@njit(cache=True, nogil=True, inline="always")
def node_of(target: int, state: int, kind: int, past: int, stack: Stack) -> int:
    """Number in the stack of the node of a state: a new one, if none is like it."""
    key = stack.key
    slot = find_slot(stack.state_slots, key, target, state, kind, past)
    new = wide(stack.state_slots[slot])
    if new < 0:
        new = stack.size[STATES]
        stack.state_slots[slot] = new
        key[new, KEY_TARGET] = target
        key[new, KEY_STATE] = state
        key[new, KEY_KIND] = kind
        key[new, KEY_HISTORY] = past
        stack.score[new, OWN] = -np.inf
        stack.newest[new, NEWEST_ARC] = -1
        stack.size[STATES] += 1
    return new


@njit(cache=True, nogil=True, inline="always")
def add_arc(
    new: int, cell: Cell, score: float, total: float, cubes: Cubes, hypotheses: Hypotheses,
    stack: Stack,
) -> None:  # fmt: skip
    """Add the arc of a candidate to node `new` of the stack; `total` is its score with the rest."""
    arc = hypotheses.size[ARCS]
    link = hypotheses.link
    newest = stack.newest
    # the first arc counts whatever it scores: a node always has an option
    if score > stack.score[new, OWN] or newest[new, NEWEST_ARC] < 0:
        stack.score[new, OWN] = score
        stack.score[new, WITH_REST] = total
        newest[new, BEST_OPTION] = cell.option
    start = cubes.info[cell.grid, CUBE_START]
    link[arc, NODE_BEFORE] = cell.node
    link[arc, OPTION] = cell.option
    link[arc, START] = start
    link[arc, END] = start + cubes.info[cell.grid, CUBE_LENGTH]
    link[arc, NEXT] = newest[new, NEWEST_ARC]
    newest[new, NEWEST_ARC] = arc
    hypotheses.size[ARCS] += 1


@njit(**LEAN)
def hand_out(
    last: bool, most: int, sentence: Sentence, hypotheses: Hypotheses, cubes: Cubes,
    heap: Candidates, stack: Stack,
) -> None:  # fmt: skip
    """Hand out at most `most` candidates, best estimate first, and make nodes of them."""
    settings, seams, options = sentence.settings, sentence.seams, sentence.options
    info = cubes.info
    seamed = seams.active != 0
    several = hypotheses.lm_states.shape[1] > 1
    best = -np.inf
    pops = 0
    none = wide(0)
    while heap.size[0] > 0 and pops < most and not heap.value[0] < best - settings.threshold:
        pops += 1
        cell = best_cell(heap, cubes, hypotheses, sentence)
        own = hypotheses.value[hypotheses.size[ARCS]]
        score, state, kind = candidate_score(cell, last, cubes, hypotheses, sentence, own)
        if several and not last:
            state = lm_states_of(hypotheses, stack)
        past = none
        if seamed:
            h = wide(hypotheses.nodes.history[cell.node])
            score += seam_score(hypotheses.history, h, cell.option, options.info, seams)
            if not last:
                past = history_of(h, cell.option, sentence, hypotheses, stack)
        own[THROUGH] = score
        total = score + cubes.value[cell.grid, REST]
        if not last:
            total += best_turns(options.score, cell.option, FORWARD)
        best = max(best, total)
        if info[cell.grid, CUBE_TARGET] < 0:
            target = target_of(cell.grid, last, settings.lexical != 0, cubes, stack)
            info[cell.grid, CUBE_TARGET] = target
        new = node_of(info[cell.grid, CUBE_TARGET], state, kind, past, stack)
        add_arc(new, cell, score, total, cubes, hypotheses, stack)
        hand_on(cell, heap, cubes, hypotheses, sentence)


@njit(cache=True, nogil=True, inline="always")
def fill_stack(
    last: bool, most: int, sentence: Sentence, hypotheses: Hypotheses, cubes: Cubes
) -> Stack:
    """The nodes of a stack, of at most `most` candidates; `last`: it is that of whole translations.

    There is room for their arcs, and for histories and states of several language models, which are
    told apart within a stack only.
    """
    heap = first_candidates(most, cubes, hypotheses, sentence)
    seamed = sentence.seams.active != 0
    several = hypotheses.lm_states.shape[1] > 1
    n_histories = hypotheses.size[HISTORIES]
    stack = empty_stack(most, len(cubes.info), seamed, several, n_histories)
    hand_out(last, most, sentence, hypotheses, cubes, heap, stack)
    return stack
