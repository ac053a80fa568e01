"""Beam search over blocks: the pruned search graph of one sentence.

A hypothesis covers some source words.  Those that share a state are one node of the graph,

    state = (coverage, end of the last phrase, its start if a swap can follow,
             language model state, forward reordering scores of the last phrase)

and each way into it is an arc (node before, option, span).  Stack t holds the nodes with t covered
words.  It is filled by cube pruning (Huang and Chiang 2007): the nodes before that differ only in
language model state and reordering scores are a group; group x span is a grid of candidates, and
one heap over all grids hands out candidates, best estimate first:

    estimate = score(node) + score(option) + distortion + rest(coverage)

`rest` is the best estimate of what the uncovered words will cost, with the distortion they force
(Moore and Quirk 2007).  The language model is asked only when a candidate is handed out.

Coverage is (gap, mask): every word before `gap` is covered, bit k of mask says whether gap + k is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from stages.kernels.search_records import (
    F64,
    I32,
    I64,
    Arcs,
    Cubes,
    Graph,
    LanguageModel,
    Nodes,
    Options,
    Outlook,
    Settings,
)

MONOTONE, SWAP, DISTANCE = 0, 1, 2
LOW31 = 0x7FFFFFFF


@njit(cache=True, nogil=True)
def lm_step(lm: LanguageModel, state: int, word: int) -> tuple[float, int]:
    """Read a word in a state: its log probability and the state after it."""
    table, table_value, unigram, unigram_value, states, state_value, bits, _, _ = lm
    total, after = 0.0, -1
    while after < 0:
        if state == 0:
            total += float(unigram_value[word, 0])
            after = int(np.int64(unigram[word, 1]))
        else:
            mixed = state * 0x5851F42D + word * 0x2545F491
            mixed ^= mixed >> 29
            slot = (((mixed & LOW31) * 0x6C8E9CF5) & LOW31) >> (31 - bits)
            while table[slot, 0] >= 0 and (table[slot, 0] != state or table[slot, 1] != word):
                slot += 1
            if table[slot, 0] >= 0:
                total += float(table_value[slot, 3])
                after = int(np.int64(table[slot, 2]))
            else:
                total += float(state_value[state, 0])
                state = int(np.int64(states[state, 1]))
    return total, after


@njit(cache=True, nogil=True)
def grown(array: NDArray[Any], size: int, used: int) -> Any:
    """Return the array, or one with room for `size` entries and the first `used` copied."""
    larger = array
    if size > array.shape[0]:
        larger = np.empty(size + size // 2, dtype=array.dtype)
        for i in range(used):
            larger[i] = array[i]
    return larger


@njit(cache=True, nogil=True)
def grown_rows(array: NDArray[Any], size: int, used: int) -> Any:
    """Return the array, or one with room for `size` rows and the first `used` copied."""
    larger = array
    if size > array.shape[0]:
        larger = np.empty((size + size // 2, array.shape[1]), dtype=array.dtype)
        for i in range(used):
            for k in range(array.shape[1]):
                larger[i, k] = array[i, k]
    return larger


@njit(cache=True, nogil=True)
def sift_down(priority: F64, cell: I64, size: int, value: float, item: int) -> None:
    """Put an item in the place of the heap's top."""
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and priority[child + 1] > priority[child]:
            child += 1
        if priority[child] <= value:
            break
        priority[place], cell[place] = priority[child], cell[child]
        place = child
    priority[place], cell[place] = value, item


@njit(cache=True, nogil=True)
def sift_up(priority: F64, cell: I64, size: int, value: float, item: int) -> None:
    """Add an item to a heap of `size` items; the arrays have room."""
    place = size
    while place > 0:
        parent = (place - 1) >> 1
        if priority[parent] >= value:
            break
        priority[place], cell[place] = priority[parent], cell[parent]
        place = parent
    priority[place], cell[place] = value, item


@njit(cache=True, nogil=True)
def rest(
    n: int, gap: int, mask: int, end: int, inner: F64, tail: F64, distortion_weight: float
) -> float:
    """Estimate of what the uncovered words cost, and of the jumps they force after `end`."""
    total, jumps, place, here = 0.0, 0, end, gap
    while mask != 0:
        length = 0
        while mask & 1 == 0:
            mask >>= 1
            length += 1
        if length > 0:
            total += inner[here, length]
            jumps += abs(here - place)
            here += length
            place = here
        while mask & 1 == 1:
            mask >>= 1
            here += 1
    if here < n:
        total += tail[here]
        jumps += abs(here - place)
    return total - distortion_weight * jumps


@njit(cache=True, nogil=True)
def allowed(
    gap: int,
    mask: int,
    end: int,
    start: int,
    length: int,
    gap_fills: bool,
    reordering: int,
    limit: int,
) -> bool:
    """Whether a phrase may come next: its words are free, and the order is one of the mode's.

    distance: the jump is at most `limit`, and so is the jump from its end back to the gap.
    swap: in order, or behind a gap that one block can fill (`gap_fills`), which then comes next.
    """
    free = mask & (((1 << length) - 1) << (start - gap)) == 0
    if reordering == DISTANCE:
        near = abs(start - end) <= limit and (start == gap or start + length - gap <= limit)
        return free and near
    if start == gap:
        return free and (mask == 0 or (mask >> length) & 1 == 1)
    return reordering == SWAP and mask == 0 and gap_fills


@njit(cache=True, nogil=True)
def make_cubes(
    t: int, n: int, group: I64, stack_group: I64, outlook: Outlook, settings: Settings, cubes: Cubes
) -> tuple[Cubes, int]:
    """Grids of all phrases that lead from earlier stacks to stack t: (cubes, their number)."""
    info, value = cubes.info, cubes.value
    span_count, first, inner, tail = outlook.n_options, outlook.first, outlook.inner, outlook.tail
    longest = span_count.shape[1]
    reordering, limit, weight = settings.reordering, settings.limit, settings.distortion_weight
    reach = 0
    if reordering == DISTANCE:
        reach = limit
    elif reordering == SWAP:
        reach = longest
    count = 0
    for k in range(min(longest, t)):
        for g in range(stack_group[t - k - 1], stack_group[t - k]):
            gap, mask, end = group[g, 0], group[g, 1], group[g, 2]
            starts = min(gap + reach, n - k - 1) + 1
            info = grown_rows(info, count + reach + 1, count)
            value = grown_rows(value, count + reach + 1, count)
            for i in range(gap, starts):
                gap_fills = reordering == SWAP and i > gap and span_count[gap, i - gap - 1] > 0
                if span_count[i, k] == 0 or not allowed(
                    gap, mask, end, i, k + 1, gap_fills, reordering, limit
                ):
                    continue
                new_gap, new_mask = gap, mask | (((1 << (k + 1)) - 1) << (i - gap))
                while new_mask & 1 == 1:
                    new_mask >>= 1
                    new_gap += 1
                orientation = 2
                if i == end:
                    orientation = 0
                elif i + k + 1 == group[g, 3]:
                    orientation = 1
                info[count, 0], info[count, 1], info[count, 2] = g, first[i, k], span_count[i, k]
                info[count, 3], info[count, 4], info[count, 5] = i, k + 1, orientation
                info[count, 6], info[count, 7], info[count, 8] = -1, new_gap, new_mask
                value[count, 0] = -weight * abs(i - end)
                value[count, 1] = rest(
                    n, new_gap, new_mask, i + k + 1, inner, tail, max(weight, 0.0)
                )
                count += 1
    return Cubes(info, value), count


@njit(cache=True, nogil=True)
def find_slot(slots: I32, keys: I64, a: int, b: int, c: int, d: int) -> int:
    """Slot of the key (a, b, c, d) in a hash table of row numbers, or the free slot for it."""
    mixed = a * 0x2545F491 ^ (b & LOW31) * 0x5851F42D ^ (b >> 31) * 0x3C6EF372 ^ c * 0x1B873593
    mixed ^= d * 0x19D699A5
    mixed ^= mixed >> 27
    mixed = ((mixed & LOW31) * 0x6C8E9CF5) & 0x3FFFFFFFFFFFFFF
    size = slots.shape[0] - 1
    slot = (mixed >> 20) & size
    searching = True
    while searching:
        row = slots[slot]
        searching = row >= 0 and (
            keys[row, 0] != a or keys[row, 1] != b or keys[row, 2] != c or keys[row, 3] != d
        )
        if searching:
            slot = (slot + 1) & size
    return int(slot)


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
def free_slots(entries: int) -> I32:
    """Empty hash table with room for some entries."""
    size = 64
    while size < 2 * entries:
        size *= 2
    return np.full(size, -1, dtype=np.int32)


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
) -> tuple[I64, I64, F64, I32, int]:
    """Hand out at most `most` candidates of a stack, best estimate first, and make nodes of them.

    `last` says that it is the stack of whole translations.  `arcs` has room.  Returns
    targets (n, 4): gap, mask, end, start of the nodes' groups; keys (n, 4): target, language model
    state, class; scores (n, 2): score, and with the rest; newest (n, 2): option, arc; and n_arcs.
    """
    info, cube_value = cubes.info, cubes.value
    node_score, node_state, node_option = nodes.score, nodes.state, nodes.option
    local, value = outlook.option, outlook.value
    link, arc_value = arcs.link, arcs.value
    score_of, option_info = options.score, options.info
    lexical, lm_weight, threshold = settings.lexical != 0, settings.lm_weight, settings.threshold
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
        kind = int(np.int64(option_info[option, 3]))
        if last:
            q, state = lm_step(lm, state, lm.end)
            p += q
            state, kind = none, none
        score = node_score[node] + cube_value[c, 0] + score_of[option, 0]
        score += lm_weight * p + score_of[option, 2 + orientation]
        if node > 0:
            score += score_of[node_option[node], 5 + orientation]
        total = score + cube_value[c, 1]
        if not last:
            total += max(score_of[option, 5], score_of[option, 6], score_of[option, 7])
        best_total = max(best_total, total)

        if info[c, 6] < 0:
            info[c, 6] = target_of(c, last, lexical, info, target_slots, targets, n_targets)
            n_targets = max(n_targets, info[c, 6] + 1)
        slot = find_slot(slots, keys, info[c, 6], state, kind, none)
        new = slots[slot]
        if new < 0:
            new = n_fresh
            n_fresh += 1
            slots[slot] = new
            keys[new, 0], keys[new, 1], keys[new, 2], keys[new, 3] = info[c, 6], state, kind, 0
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
    return targets[:n_targets], keys[:n_fresh], scores[:n_fresh], newest[:n_fresh], n_arcs


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
    node_score, node_state, node_option, node_arc = nodes
    for i in range(kept):
        new = order[i]
        y = place[keys[new, 0]]
        place[keys[new, 0]] += 1
        node_score[y], node_state[y] = scores[new, 0], keys[new, 1]
        node_option[y], node_arc[y] = newest[new, 0], newest[new, 1]
    return n_nodes, n_groups


@njit(cache=True, nogil=True)
def search(
    n: int, outlook: Outlook, options: Options, lm: LanguageModel, settings: Settings
) -> Graph:
    """Search graph of a sentence of n words (n >= 1), each of which has an option of its own."""
    nodes = Nodes(
        np.zeros(1024), np.zeros(1024, np.int32), np.zeros(1024, np.int32), np.zeros(1024, np.int32)
    )
    nodes.state[0], nodes.option[0], nodes.arc[0] = lm.begin, -1, -1
    group = np.zeros((256, 6), dtype=np.int64)  # gap, mask, end, start, first node, nodes
    group[0, 3], group[0, 5] = -1, 1
    stack_group = np.zeros(n + 2, dtype=np.int64)
    stack_group[1] = 1
    n_nodes, n_groups, n_arcs = stack_group[1], stack_group[1], stack_group[0]
    arcs = Arcs(np.empty((4096, 5), np.int32), np.empty((4096, 2)))
    cubes = Cubes(np.empty((256, 9), np.int64), np.empty((256, 2)))
    for t in range(1, n + 1):
        cubes, n_cubes = make_cubes(t, n, group, stack_group, outlook, settings, cubes)
        most = stack_group[0]
        for c in range(n_cubes):
            most += group[cubes.info[c, 0], 5] * cubes.info[c, 2]
        most = min(most, settings.pop_limit)
        if most > 0:
            arcs = Arcs(
                grown_rows(arcs.link, n_arcs + most, n_arcs),
                grown_rows(arcs.value, n_arcs + most, n_arcs),
            )
            targets, keys, scores, newest, n_arcs = fill_stack(
                t == n,
                cubes,
                n_cubes,
                group,
                nodes,
                outlook,
                options,
                lm,
                settings,
                most,
                arcs,
                n_arcs,
            )
            size = n_nodes + len(keys)
            nodes = Nodes(
                grown(nodes.score, size, n_nodes),
                grown(nodes.state, size, n_nodes),
                grown(nodes.option, size, n_nodes),
                grown(nodes.arc, size, n_nodes),
            )
            group = grown_rows(group, n_groups + len(targets), n_groups)
            n_nodes, n_groups = lay_out(
                targets, keys, scores, newest, settings, nodes, n_nodes, group, n_groups
            )
        stack_group[t + 1] = n_groups
    return Graph(
        nodes.score[:n_nodes], nodes.arc[:n_nodes], arcs.link[:n_arcs], arcs.value[:n_arcs]
    )
