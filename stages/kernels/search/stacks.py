"""Fill one stack of the search: draw candidates, best estimate first, and make nodes and arcs.

Each candidate becomes an arc; those with the same state lead to one node.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.bits import natural
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import find_row, find_slot
from campanula.stages.kernels.records import (
    END,
    FORWARD,
    KIND,
    NEXT,
    NODE_BEFORE,
    OPTION,
    START,
    THROUGH,
    Sentence,
)
from campanula.stages.kernels.search.candidates import draw, first_candidates
from campanula.stages.kernels.search.outlook import best_turns
from campanula.stages.kernels.search.records import (
    ARCS,
    BEST_OPTION,
    CUBE_GAP,
    CUBE_LENGTH,
    CUBE_MASK,
    CUBE_START,
    CUBE_TARGET,
    FIRST_HISTORY,
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
    Cubes,
    Drawn,
    Hypotheses,
    Stack,
    Work,
)
from campanula.stages.kernels.search.scores import ask_models, drawn_score
from campanula.stages.kernels.sparse.seams import remember, seam_score
from campanula.stages.kernels.wide import wide

# Candidates drawn together when there is a threshold: those below it have asked the language models
# in vain, so batches are smaller.
AT_THRESHOLD = 32


@njit(**LEAN)
def empty_stack(stack: Stack, first_history: int) -> None:
    """Empty a stack; its histories will have numbers from first_history on."""
    stack.size[TARGETS] = 0
    stack.size[STATES] = 0
    stack.size[FIRST_HISTORY] = first_history
    stack.target_slots[:] = -1
    stack.state_slots[:] = -1
    stack.history_slots[:] = -1
    stack.lm_slots[:] = -1


@njit(**LEAN, inline="always")
def target_of(grid: int, last: bool, lexical: bool, cubes: Cubes, stack: Stack) -> int:
    """Return the number of the group that a grid leads to; add a group if there is none yet."""
    info = cubes.info
    targets = stack.targets
    gap, mask, start = info[grid, CUBE_GAP], info[grid, CUBE_MASK], info[grid, CUBE_START]
    end = start + info[grid, CUBE_LENGTH]
    # nodes differ by their phrase's start only if a swap can follow: the word before it is free
    swap_start = wide(-1)
    if lexical and start > gap and (mask >> (start - 1 - gap)) & 1 == 0:
        swap_start = start
    if last:  # nothing follows: all whole translations are one group, of one node
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


@njit(**LEAN, inline="always")
def history_of(
    h: int, option: int, sentence: Sentence, hypotheses: Hypotheses, stack: Stack
) -> int:
    """Return the number of the history of an option after history h, one of this stack's."""
    history = hypotheses.history
    first = stack.size[FIRST_HISTORY]
    n = hypotheses.size[HISTORIES]
    # written as row n, which is only kept if no row of this stack equals it
    key = remember(history, h, n, option, sentence.options.info, sentence.seams)
    slot = find_slot(stack.history_slots, history[first:], key[0], key[1], key[2], key[3])
    if stack.history_slots[slot] < 0:
        stack.history_slots[slot] = n - first
        hypotheses.size[HISTORIES] += 1
    return int(first + wide(stack.history_slots[slot]))


@njit(**LEAN)
def lm_states_of(x: int, after: Ints, hypotheses: Hypotheses, stack: Stack) -> int:
    """Return the row of the states of several language models after candidate x.

    If no row of this stack has these states, one is added.
    """
    rows = hypotheses.lm_states
    free = hypotheses.size[LM_STATES]
    for m in range(rows.shape[1]):
        rows[free, m] = after[m, x]
    slot = find_row(stack.lm_slots, rows, free)
    if stack.lm_slots[slot] < 0:
        stack.lm_slots[slot] = free
        hypotheses.size[LM_STATES] += 1
    return wide(stack.lm_slots[slot])


@njit(**LEAN, inline="always")
def node_of(target: int, state: int, kind: int, past: int, stack: Stack) -> int:
    """Return the number in the stack of the node of a state; add a node if there is none yet."""
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


@njit(**LEAN, inline="always")
def add_arc(
    new: int, x: int, score: float, total: float, drawn: Drawn, cubes: Cubes,
    hypotheses: Hypotheses, stack: Stack,
) -> None:  # fmt: skip
    """Add the arc of candidate x to node `new` of the stack; `total` is its score with the rest."""
    arc = natural(hypotheses.size[ARCS])
    link = hypotheses.link
    newest = stack.newest
    grid, option = natural(drawn.grid[x]), natural(drawn.option[x])
    # the first arc counts even with a score of -inf: a node always has a best option
    if score > stack.score[new, OWN] or newest[new, NEWEST_ARC] < 0:
        stack.score[new, OWN] = score
        stack.score[new, WITH_REST] = total
        newest[new, BEST_OPTION] = option
    start = cubes.info[grid, CUBE_START]
    link[arc, NODE_BEFORE] = drawn.node[x]
    link[arc, OPTION] = option
    link[arc, START] = start
    link[arc, END] = start + cubes.info[grid, CUBE_LENGTH]
    link[arc, NEXT] = newest[new, NEWEST_ARC]
    newest[new, NEWEST_ARC] = arc
    hypotheses.size[ARCS] += 1


@njit(**LEAN)
def hand_out(
    n: int, last: bool, best: float, sentence: Sentence, hypotheses: Hypotheses, cubes: Cubes,
    drawn: Drawn, stack: Stack,
) -> tuple[float, bool]:  # fmt: skip
    """Make arcs and nodes of the first n candidates drawn, until one is below the threshold.

    best: the best score with the rest so far.  Returns the best after that, and whether all n were
    used: estimates descend, so none after one that is below the best by more than the threshold is.
    """
    settings, seams, options = sentence.settings, sentence.seams, sentence.options
    info = cubes.info
    after = drawn.after
    for x in range(n):
        if drawn.estimate[x] < best - settings.threshold:
            return best, False
        grid, option = natural(drawn.grid[x]), natural(drawn.option[x])
        own = hypotheses.value[natural(hypotheses.size[ARCS])]
        score = drawn_score(x, cubes, hypotheses, sentence, drawn, own)
        state, kind, past = wide(0), wide(0), wide(0)  # after the last word they decide nothing
        if not last:
            state = after[0, x]
            kind = wide(options.info[option, KIND])
            if after.shape[0] > 1:
                state = lm_states_of(x, after, hypotheses, stack)
        if seams.active != 0:
            h = wide(hypotheses.nodes.history[drawn.node[x]])
            score += seam_score(hypotheses.history, h, option, options.info, seams)
            if not last:
                past = history_of(h, option, sentence, hypotheses, stack)
        own[THROUGH] = score
        total = score + cubes.value[grid, REST]
        if not last:
            total += best_turns(options.score, option, FORWARD)
        best = max(best, total)
        if info[grid, CUBE_TARGET] < 0:
            info[grid, CUBE_TARGET] = target_of(grid, last, settings.lexical != 0, cubes, stack)
        new = natural(node_of(info[grid, CUBE_TARGET], state, kind, past, stack))
        add_arc(new, x, score, total, drawn, cubes, hypotheses, stack)
    return best, True


@njit(**LEAN)
def fill_stack(
    last: bool, most: int, n_cubes: int, sentence: Sentence, hypotheses: Hypotheses, work: Work
) -> None:
    """Draw `most` candidates of n_cubes grids, best estimate first, and make nodes of them.

    last: the stack is that of whole translations.  All arrays have room for the candidates, their
    arcs, histories and states of several language models; equal histories and states share a row
    within the stack only.
    """
    cubes, heap, drawn, steps, stack = work
    nodes = hypotheses.nodes
    outlook = sentence.outlook
    empty_stack(stack, hypotheses.size[HISTORIES])
    first_candidates(n_cubes, heap, cubes, nodes, outlook)
    batch = len(drawn.grid)
    if sentence.settings.threshold < np.inf:
        batch = min(batch, AT_THRESHOLD)
    best = -np.inf
    more = True
    while more and most > 0:
        n = draw(min(most, batch), heap, cubes, nodes, outlook, drawn)
        most -= n
        ask_models(n, last, hypotheses, sentence, drawn, steps)
        best, more = hand_out(n, last, best, sentence, hypotheses, cubes, drawn, stack)
