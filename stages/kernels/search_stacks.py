"""One stack of the search: candidates from its grids, best estimate first, made into nodes.

The language model is asked only when a candidate is handed out.
"""

from __future__ import annotations

import numpy as np

from stages.kernels.compiled import njit
from stages.kernels.language_model import lm_step
from stages.kernels.search_memory import find_slot, free_slots, sift_down, sift_up
from stages.kernels.search_records import (
    F64,
    I32,
    I64,
    Arcs,
    Cubes,
    LanguageModel,
    Nodes,
    Options,
    Outlook,
    Seams,
    Settings,
)
from stages.kernels.sparse_seams import remember, seam_score


@njit(cache=True, nogil=True)
def words_log(lm: LanguageModel, options: Options, state: int, option: int) -> tuple[float, int]:
    """Log probability of an option's words after a state, and the state after them.

    Once the state holds words of the phrase alone, what follows is known beforehand.
    """
    info, lm_word, rest_of, states = options.info, options.lm_word, options.rest, lm.state
    total, k, place = 0.0, 0, info[option, 2]
    length = int(np.int64(info[option, 1]))
    while k < length:
        step, state = lm_step(lm, state, int(np.int64(lm_word[place + k])))
        total += step
        k += 1
        if states[state, 2] <= k:
            total += rest_of[place + k]
            state = int(np.int64(info[option, 4]))
            k = length
    return total, state


@njit(cache=True, nogil=True)
def first_log(lm: LanguageModel, options: Options, state: int, option: int) -> float:
    """Log probability of an option's first word after a state; 0 if it has none."""
    total, info = 0.0, options.info
    if info[option, 1] > 0:
        total, _ = lm_step(lm, state, int(np.int64(options.lm_word[info[option, 2]])))
    return float(total)


@njit(cache=True, nogil=True)
def estimate(
    node: int,
    x: int,
    orientation: int,
    forward: int,
    cost: float,
    scores: F64,
    value: F64,
    local: I32,
    score: F64,
) -> float:
    """Estimate of a candidate: a node, local option x, and what their grid costs.

    `scores` (n_nodes,); `forward` is the option whose forward scores are due, -1 for none.
    """
    total = scores[node] + cost + value[x] + score[local[x], 2 + orientation]
    if forward >= 0:
        total += score[forward, 5 + orientation]
    return float(total)


@njit(cache=True, nogil=True)
def target_of(
    c: int, last: bool, lexical: bool, info: I64, slots: I32, targets: I64, n_targets: int
) -> int:
    """Number of the group that grid c leads to: a new one, n_targets, if none is like it.

    The start of the phrase matters if a swap can follow, that is if the word before it is free.
    """
    gap, mask, start = info[c, 7], info[c, 8], info[c, 3]
    end, swap_start = start + info[c, 4], int(np.int64(-1))
    if lexical and start > gap and (mask >> (start - 1 - gap)) & 1 == 0:
        swap_start = start
    if last:
        end = int(np.int64(0))
    slot = find_slot(slots, targets, gap, mask, end, swap_start)
    if slots[slot] < 0:
        targets[n_targets, 0], targets[n_targets, 1] = gap, mask
        targets[n_targets, 2], targets[n_targets, 3] = end, swap_start
        slots[slot] = n_targets
    return int(slots[slot])


@njit(cache=True, nogil=True)
def fill_stack(
    last: bool,
    cubes: Cubes,
    n_cubes: int,
    group: I64,
    nodes: Nodes,
    outlook: Outlook,
    options: Options,
    lm: LanguageModel,
    settings: Settings,
    most: int,
    arcs: Arcs,
    n_arcs: int,
    seams: Seams,
    history: I64,
    n_histories: int,
) -> tuple[I64, I64, F64, I32, int, int]:
    """Hand out at most `most` candidates of a stack, best estimate first, and make nodes of them.

    `last` says that it is the stack of whole translations.  `arcs` and `history` (sparse_seams)
    have room.  Returns targets (n, 4): gap, mask, end, start of the nodes' groups; keys (n, 4):
    target, language model state, class, history; scores (n, 2): score, and with the rest; newest
    (n, 2): option, arc; and the new n_arcs and n_histories.
    """
    info, cube_value = cubes.info, cubes.value
    node_score, node_state, node_option = nodes.score, nodes.state, nodes.option
    local, value = outlook.option, outlook.value
    link, arc_value = arcs.link, arcs.value
    score_of, option_info = options.score, options.info
    lexical, split, threshold = settings.lexical != 0, settings.split != 0, settings.threshold
    lm_weight, first_weight = settings.lm_weight, settings.first_weight
    heap_value = np.empty(n_cubes + most + 1)
    heap_cell = np.empty(n_cubes + most + 1, dtype=np.int64)
    size = 0
    for c in range(n_cubes):
        node, x, cost = group[info[c, 0], 4], info[c, 1], cube_value[c, 0] + cube_value[c, 1]
        v = estimate(
            node, x, info[c, 5], node_option[node], cost, node_score, value, local, score_of
        )
        sift_up(heap_value, heap_cell, size, v, c << 40)
        size += 1
    node_history, seamed = nodes.history, seams.active != 0
    # histories are told apart within a stack only
    fresh_history, history_slots = history[n_histories:], free_slots(most if seamed else 0)
    first_history = n_histories
    slots, target_slots = free_slots(most), free_slots(min(most, n_cubes))
    targets = np.empty((min(most, n_cubes), 4), dtype=np.int64)
    keys = np.empty((most, 4), dtype=np.int64)
    scores = np.empty((most, 2))
    newest = np.empty((most, 2), dtype=np.int32)
    n_targets, n_fresh, pops = 0, 0, 0
    best_total, none = -np.inf, int(np.int64(0))
    while size > 0 and pops < most and heap_value[0] >= best_total - threshold:
        pops += 1
        cell = heap_cell[0]
        c, a, b = cell >> 40, (cell >> 20) & 0xFFFFF, cell & 0xFFFFF
        orientation, node = info[c, 5], group[info[c, 0], 4] + a
        option = int(np.int64(local[info[c, 1] + b]))
        p, state = words_log(lm, options, int(np.int64(node_state[node])), option)
        kind, past = int(np.int64(option_info[option, 3])), none
        q = 0.0
        if last:
            q, state = lm_step(lm, state, lm.end)
            p += q
            state, kind = none, none
        score = node_score[node] + cube_value[c, 0] + score_of[option, 0]
        score += lm_weight * p + score_of[option, 2 + orientation]
        if split:
            # the end is no block's, so it counts as a first word
            p_first = q + first_log(lm, options, int(np.int64(node_state[node])), option)
            arc_value[n_arcs, 2] = p_first
            score += first_weight * p_first
        if node > 0:
            score += score_of[node_option[node], 5 + orientation]
        if seamed:
            h = int(np.int64(node_history[node]))
            score += seam_score(history, h, option, option_info, seams)
            if not last:
                one, two, three, four = remember(
                    history, h, n_histories, option, option_info, seams
                )
                slot = find_slot(history_slots, fresh_history, one, two, three, four)
                if history_slots[slot] < 0:
                    history_slots[slot] = n_histories - first_history
                    n_histories += 1
                past = first_history + int(np.int64(history_slots[slot]))
        total = score + cube_value[c, 1]
        if not last:
            total += max(score_of[option, 5], score_of[option, 6], score_of[option, 7])
        best_total = max(best_total, total)

        if info[c, 6] < 0:
            info[c, 6] = target_of(c, last, lexical, info, target_slots, targets, n_targets)
            n_targets = max(n_targets, info[c, 6] + 1)
        slot = find_slot(slots, keys, info[c, 6], state, kind, past)
        new = slots[slot]
        if new < 0:
            new = n_fresh
            n_fresh += 1
            slots[slot] = new
            keys[new, 0], keys[new, 1], keys[new, 2], keys[new, 3] = info[c, 6], state, kind, past
            scores[new, 0], newest[new, 1] = -np.inf, -1
        if score > scores[new, 0]:
            scores[new, 0], scores[new, 1] = score, total
            newest[new, 0] = option
        link[n_arcs, 0], link[n_arcs, 1], link[n_arcs, 4] = node, option, newest[new, 1]
        link[n_arcs, 2], link[n_arcs, 3] = info[c, 3], info[c, 3] + info[c, 4]
        arc_value[n_arcs, 0], arc_value[n_arcs, 1] = score, p
        newest[new, 1] = n_arcs
        n_arcs += 1

        # the candidates after this one: the next option, and with the first the next node
        cost = cube_value[c, 0] + cube_value[c, 1]
        if b + 1 < info[c, 2]:
            x = info[c, 1] + b + 1
            v = estimate(
                node, x, orientation, node_option[node], cost, node_score, value, local, score_of
            )
            sift_down(heap_value, heap_cell, size, v, cell + 1)
        else:
            size -= 1
            if size > 0:
                sift_down(heap_value, heap_cell, size, heap_value[size], heap_cell[size])
        if b == 0 and a + 1 < group[info[c, 0], 5]:
            node, x = node + 1, info[c, 1]
            v = estimate(
                node, x, orientation, node_option[node], cost, node_score, value, local, score_of
            )
            sift_up(heap_value, heap_cell, size, v, cell + (1 << 20))
            size += 1
    return (
        targets[:n_targets],
        keys[:n_fresh],
        scores[:n_fresh],
        newest[:n_fresh],
        n_arcs,
        n_histories,
    )


@njit(cache=True, nogil=True)
def descending(value: F64) -> I64:
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
    targets: I64,
    keys: I64,
    scores: F64,
    newest: I32,
    settings: Settings,
    nodes: Nodes,
    n_nodes: int,
    group: I64,
    n_groups: int,
) -> tuple[int, int]:
    """Prune a stack and store it by groups, the best node of each first: (nodes, groups)."""
    order = descending(scores[:, 1].copy())
    kept = min(len(order), settings.stack)
    while scores[order[kept - 1], 1] < scores[order[0], 1] - settings.threshold:
        kept -= 1
    count = np.zeros(len(targets), dtype=np.int64)
    for i in range(kept):
        count[keys[order[i], 0]] += 1
    place = np.zeros(len(targets), dtype=np.int64)
    for g in range(len(targets)):
        place[g] = n_nodes
        if count[g] > 0:
            for x in range(4):
                group[n_groups, x] = targets[g, x]
            group[n_groups, 4], group[n_groups, 5] = n_nodes, count[g]
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
