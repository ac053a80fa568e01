"""Beam search over blocks: the pruned search graph of one sentence.

A hypothesis covers some source words.  Those that share a state are one node of the graph,

    state = (coverage, end of the last phrase, its start if a swap can follow,
             language model state, forward reordering scores of the last phrase)

and each way into it is an arc (node before, option, span).  Stack t holds the nodes with t covered
words.  It is filled by cube pruning (Huang and Chiang 2007): the nodes before that differ only in
language model state and reordering scores are a group; group x span is a grid of candidates, and
one heap over all grids hands out candidates, best estimate first:

    estimate = score(node) + score(option) + distortion + rest(coverage)

`rest` is the best estimate of what the uncovered words will cost, the distortion they force included
(Moore and Quirk 2007).  The language model is asked only when a candidate is handed out.

Coverage is (gap, mask): every word before `gap` is covered, bit k of mask says whether gap + k is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

MONOTONE, SWAP, DISTANCE = 0, 1, 2
MAX_WINDOW = 60  # the bits of a mask
LOW31 = 0x7FFFFFFF


class LanguageModel(NamedTuple):
    """Automaton arrays (formats.automaton); `prob` is the float32 view of `table`."""

    table: I32
    prob: F32
    unigram_prob: F32
    unigram_next: I32
    backoff: F32
    lower: I32
    length: I32
    bits: int
    begin: int
    end: int


class Options(NamedTuple):
    """Translation options, one a row.

    score (n, 8): without language model; with its estimate; backward monotone, swap, discontinuous;
    forward the same; all weighted.  info (n, 6) int32: table row, words, place in the word arrays,
    class of the forward scores, language model state after the words alone, 1 if unknown.
    lm_word, rest (places,): words in the language model; the natural log probability of the words
    from here on, given those of the phrase alone (one place more than words).
    """

    score: F64
    info: I32
    lm_word: I32
    rest: F64


class Settings(NamedTuple):
    """What the search is told: weights of its own features, reordering, and pruning."""

    lm_weight: float
    distortion_weight: float
    reordering: int
    limit: int
    lexical: int
    pop_limit: int
    stack: int
    threshold: float
    contexts: int


class Graph(NamedTuple):
    """The search graph.  Node 0 is the start, the last node the end; arcs lead backward.

    Nodes: `node_score` of the best derivation, `first_arc`.  Arcs: `before` (node), `option`, source
    words `start` to `end` - 1, `arc_score` of the best derivation through the arc, `arc_lm` its own
    share of the language model feature, `next_arc` of the same node (-1 ends).
    """

    node_score: F64
    first_arc: I32
    before: I32
    option: I32
    start: I32
    end: I32
    arc_score: F64
    arc_lm: F64
    next_arc: I32


@njit(cache=True, nogil=True)
def lm_step(lm, state, word):
    """Read a word in a state: its log probability and the state after it."""
    total = 0.0
    while state != 0:
        mixed = state * 0x5851F42D + word * 0x2545F491
        mixed ^= mixed >> 29
        slot = (((mixed & LOW31) * 0x6C8E9CF5) & LOW31) >> (31 - lm.bits)
        while lm.table[slot, 0] >= 0:
            if lm.table[slot, 0] == state and lm.table[slot, 1] == word:
                return total + lm.prob[slot, 3], int(lm.table[slot, 2])
            slot += 1
        total += lm.backoff[state]
        state = int(lm.lower[state])
    return total + lm.unigram_prob[word], int(lm.unigram_next[word])


@njit(cache=True, nogil=True)
def lm_phrase(lm, options, state, option):
    """Log probability of an option's words after a state, and the state after them.

    Once the state holds words of the phrase alone, the rest is known beforehand.
    """
    place = int(options.info[option, 2])
    total = 0.0
    for k in range(int(options.info[option, 1])):
        step, state = lm_step(lm, state, int(options.lm_word[place + k]))
        total += step
        if lm.length[state] <= k + 1:
            return total + options.rest[place + k + 1], int(options.info[option, 4])
    return total, state


@njit(cache=True, nogil=True)
def grown(array, size):
    """Return the array itself, or a copy twice as long when it has no room for `size` entries."""
    if size <= array.shape[0]:
        return array
    larger = np.empty((2 * size,) + array.shape[1:], dtype=array.dtype)
    larger[: array.shape[0]] = array
    return larger


@njit(cache=True, nogil=True)
def sift_down(priority, cell, size, value, item):
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
def sift_up(priority, cell, size, value, item):
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
def local_options(n, span_first, span_count, options, lm, settings):
    """Order the options of every span: (first, option, value), best first.

    `value` is the option's score with the language model's estimate, and the best forward
    reordering score.  The estimate of its first words assumes the best of the contexts that the
    likeliest options to the left end in.
    """
    longest = span_first.shape[1]
    total = 0
    first = np.zeros((n, longest), dtype=np.int32)
    for i in range(n):
        for k in range(longest):
            first[i, k] = total
            total += span_count[i, k]
    option = np.empty(total, dtype=np.int32)
    value = np.empty(total)
    context = np.empty(max(settings.contexts, 1), dtype=np.int64)
    merit = np.empty(max(settings.contexts, 1))
    alpha = np.full(n + 1, -np.inf)  # best monotone score of the words before
    alpha[0] = 0.0
    for i in range(n):
        n_contexts = 0
        if settings.contexts > 0:
            if i == 0:
                context[0], n_contexts = lm.begin, 1
            for k in range(min(longest, i)):
                s = i - k - 1
                for x in range(first[s, k], first[s, k] + span_count[s, k]):
                    new = alpha[s] + value[x]
                    state = int(options.info[option[x], 4])
                    seen = False
                    for c in range(n_contexts):
                        if context[c] == state:
                            seen = True
                            merit[c] = max(merit[c], new)
                    if seen:
                        continue
                    if n_contexts < settings.contexts:
                        context[n_contexts], merit[n_contexts] = state, new
                        n_contexts += 1
                        continue
                    worst = 0
                    for c in range(1, n_contexts):
                        if merit[c] < merit[worst]:
                            worst = c
                    if merit[worst] < new:
                        context[worst], merit[worst] = state, new
        for k in range(min(longest, n - i)):
            begin = first[i, k]
            for x in range(begin, begin + span_count[i, k]):
                o = span_first[i, k] + x - begin
                f = max(options.score[o, 5], options.score[o, 6], options.score[o, 7])
                v = options.score[o, 1] + f
                if n_contexts > 0:
                    best = -np.inf
                    for c in range(n_contexts):
                        p, _ = lm_phrase(lm, options, context[c], o)
                        best = max(best, settings.lm_weight * p)
                    v = options.score[o, 0] + f + best
                y = x
                while (
                    y > begin
                    and value[y - 1] + options.score[option[y - 1], 2] < v + options.score[o, 2]
                ):
                    value[y], option[y] = value[y - 1], option[y - 1]
                    y -= 1
                value[y], option[y] = v, o
            if span_count[i, k] > 0:
                alpha[i + k + 1] = max(
                    alpha[i + k + 1], alpha[i] + value[begin] + options.score[option[begin], 2]
                )
    return first, option, value


@njit(cache=True, nogil=True)
def rest_costs(n, span_count, first, option, value, options):
    """Best estimate of every gap: inner (n + 1, width) by start and length, tail (n + 1,)."""
    longest = span_count.shape[1]
    width = min(n, MAX_WINDOW) + 1
    best = np.full((n, longest), -np.inf)
    for i in range(n):
        for k in range(longest):
            for x in range(first[i, k], first[i, k] + span_count[i, k]):
                score = options.score[option[x]]
                best[i, k] = max(best[i, k], value[x] + max(score[2], score[3], score[4]))
    inner = np.full((n + 1, width), -np.inf)
    inner[:, 0] = 0.0
    tail = np.full(n + 1, -np.inf)
    tail[n] = 0.0
    for i in range(n - 1, -1, -1):
        for length in range(1, min(width, n - i + 1)):
            for k in range(min(longest, length)):
                inner[i, length] = max(
                    inner[i, length], best[i, k] + inner[i + k + 1, length - k - 1]
                )
        for k in range(min(longest, n - i)):
            tail[i] = max(tail[i], best[i, k] + tail[i + k + 1])
    return inner, tail


@njit(cache=True, nogil=True)
def rest(n, gap, mask, end, inner, tail, distortion_weight):
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
def allowed(n, gap, mask, end, start, length, span_count, settings):
    """Whether a phrase may come next (its words are free, the order is one of the mode's)."""
    if start == gap:
        if settings.reordering == SWAP and mask != 0:
            return (mask >> length) & 1 == 1 and mask & ((1 << length) - 1) == 0
        if mask & ((1 << length) - 1) != 0:
            return False
        return settings.reordering != DISTANCE or abs(start - end) <= settings.limit
    if settings.reordering == SWAP:
        return (
            mask == 0
            and start - gap <= span_count.shape[1]
            and span_count[gap, start - gap - 1] > 0
        )
    if start + length - gap > settings.limit or abs(start - end) > settings.limit:
        return False
    return mask & (((1 << length) - 1) << (start - gap)) == 0


@njit(cache=True, nogil=True)
def find_slot(slots, keys, a, b, c, d):
    """Slot of the key (a, b, c, d) in an open hash table of row numbers, or the free slot for it."""
    mixed = a * 0x2545F491 ^ (b & LOW31) * 0x5851F42D ^ (b >> 31) * 0x3C6EF372 ^ c * 0x1B873593
    mixed ^= d * 0x19D699A5
    mixed ^= mixed >> 27
    mixed = ((mixed & LOW31) * 0x6C8E9CF5) & 0x3FFFFFFFFFFFFFF
    size = slots.shape[0] - 1
    slot = (mixed >> 20) & size
    while slots[slot] >= 0:
        row = slots[slot]
        if keys[row, 0] == a and keys[row, 1] == b and keys[row, 2] == c and keys[row, 3] == d:
            break
        slot = (slot + 1) & size
    return slot


@njit(cache=True, nogil=True)
def rehashed(slots, keys, count):
    """A table twice as large with the same rows."""
    larger = np.full(2 * slots.shape[0], -1, dtype=np.int32)
    for row in range(count):
        slot = find_slot(larger, keys, keys[row, 0], keys[row, 1], keys[row, 2], keys[row, 3])
        larger[slot] = row
    return larger


@njit(cache=True, nogil=True)
def search(n, span_first, span_count, options, lm, settings):
    """Search graph of a sentence of n words (n >= 1).

    `span_first`, `span_count` (n, longest): the options of the span that starts at i and has k + 1
    words are rows span_first[i, k] onward of `options`; each single word has at least one.
    """
    longest = span_first.shape[1]
    first, local, value = local_options(n, span_first, span_count, options, lm, settings)
    inner, tail = rest_costs(n, span_count, first, local, value, options)
    jump_weight = max(settings.distortion_weight, 0.0)
    lexical = settings.lexical != 0
    reach = 0
    if settings.reordering == DISTANCE:
        reach = settings.limit
    if settings.reordering == SWAP:
        reach = longest + 1

    # nodes and groups of all stacks
    node_score = np.zeros(1024)
    node_state = np.zeros(1024, dtype=np.int32)
    node_option = np.zeros(1024, dtype=np.int32)
    first_arc = np.full(1024, -1, dtype=np.int32)
    n_nodes = 1
    node_state[0], node_option[0] = lm.begin, -1
    group = np.zeros((256, 6), dtype=np.int64)  # gap, mask, end, start, first node, nodes
    n_groups = 1
    group[0, 3], group[0, 5] = -1, 1
    stack_group = np.zeros(n + 2, dtype=np.int64)
    stack_group[1] = 1
    # arcs
    before = np.empty(4096, dtype=np.int32)
    arc_option = np.empty(4096, dtype=np.int32)
    arc_start = np.empty(4096, dtype=np.int32)
    arc_end = np.empty(4096, dtype=np.int32)
    arc_score = np.empty(4096)
    arc_lm = np.empty(4096)
    next_arc = np.empty(4096, dtype=np.int32)
    n_arcs = 0
    # the stack that is being filled
    # cube: group, first option, options, start, length, orientation, target, gap, mask
    cube = np.empty((1024, 9), dtype=np.int64)
    cube_value = np.empty((1024, 2))  # distortion, rest
    heap_value = np.empty(2048)
    heap_cell = np.empty(2048, dtype=np.int64)
    target = np.empty((256, 4), dtype=np.int64)  # gap, mask, end, start
    target_rest = np.empty(256)
    target_slots = np.full(1024, -1, dtype=np.int32)
    fresh = np.empty((1024, 4), dtype=np.int64)  # target, language model state, class, 0
    fresh_score = np.empty(1024)
    fresh_total = np.empty(1024)
    fresh_option = np.empty(1024, dtype=np.int32)
    fresh_arc = np.empty(1024, dtype=np.int32)
    fresh_slots = np.full(4096, -1, dtype=np.int32)

    for t in range(1, n + 1):
        n_cubes = 0
        for k in range(min(longest, t)):
            for g in range(stack_group[t - k - 1], stack_group[t - k]):
                gap, mask, end = group[g, 0], group[g, 1], group[g, 2]
                for i in range(gap, min(gap + reach, n - k - 1) + 1):
                    if span_count[i, k] == 0:
                        continue
                    if not allowed(n, gap, mask, end, i, k + 1, span_count, settings):
                        continue
                    if n_cubes == cube.shape[0]:
                        cube = grown(cube, n_cubes + 1)
                        cube_value = grown(cube_value, n_cubes + 1)
                    new_gap, new_mask = gap, mask | (((1 << (k + 1)) - 1) << (i - gap))
                    while new_mask & 1 == 1:
                        new_mask >>= 1
                        new_gap += 1
                    orientation = 2
                    if i == end:
                        orientation = 0
                    elif i + k + 1 == group[g, 3]:
                        orientation = 1
                    row = cube[n_cubes]
                    row[0], row[1], row[2] = g, first[i, k], span_count[i, k]
                    row[3], row[4], row[5], row[6] = i, k + 1, orientation, -1
                    row[7], row[8] = new_gap, new_mask
                    cube_value[n_cubes, 0] = -settings.distortion_weight * abs(i - end)
                    cube_value[n_cubes, 1] = rest(
                        n, new_gap, new_mask, i + k + 1, inner, tail, jump_weight
                    )
                    n_cubes += 1
        heap_value = grown(heap_value, n_cubes + 1)
        heap_cell = grown(heap_cell, n_cubes + 1)
        size = 0
        for c in range(n_cubes):
            node = group[cube[c, 0], 4]
            x = cube[c, 1]
            v = node_score[node] + cube_value[c, 0] + cube_value[c, 1]
            v += value[x] + options.score[local[x], 2 + cube[c, 5]]
            if lexical and node > 0:
                v += options.score[node_option[node], 5 + cube[c, 5]]
            sift_up(heap_value, heap_cell, size, v, c << 40)
            size += 1

        n_targets, n_fresh, pops = 0, 0, 0
        best_total = -np.inf
        while size > 0 and pops < settings.pop_limit:
            if heap_value[0] < best_total - settings.threshold:
                break
            pops += 1
            cell = heap_cell[0]
            c, a, b = cell >> 40, (cell >> 20) & 0xFFFFF, cell & 0xFFFFF
            orientation = cube[c, 5]
            node = group[cube[c, 0], 4] + a
            opt = local[cube[c, 1] + b]
            p, state = lm_phrase(lm, options, int(node_state[node]), opt)
            if t == n:
                q, state = lm_step(lm, state, lm.end)
                p += q
            score = node_score[node] + cube_value[c, 0] + options.score[opt, 0]
            score += settings.lm_weight * p + options.score[opt, 2 + orientation]
            if lexical and node > 0:
                score += options.score[node_option[node], 5 + orientation]
            total = score + cube_value[c, 1]
            if t < n and lexical:
                total += max(options.score[opt, 5], options.score[opt, 6], options.score[opt, 7])
            best_total = max(best_total, total)

            # the node
            start, end = cube[c, 3], cube[c, 3] + cube[c, 4]
            if cube[c, 6] < 0:
                gap, mask = cube[c, 7], cube[c, 8]
                swap_start = -1
                if lexical and start > gap and (mask >> (start - 1 - gap)) & 1 == 0:
                    swap_start = start
                if t == n:
                    end = 0
                slot = find_slot(target_slots, target, gap, mask, end, swap_start)
                if target_slots[slot] < 0:
                    if n_targets == target.shape[0]:
                        target = grown(target, n_targets + 1)
                        target_rest = grown(target_rest, n_targets + 1)
                    row = target[n_targets]
                    row[0], row[1], row[2], row[3] = gap, mask, end, swap_start
                    target_rest[n_targets] = cube_value[c, 1]
                    target_slots[slot] = n_targets
                    n_targets += 1
                    if 2 * n_targets > target_slots.shape[0]:
                        target_slots = rehashed(target_slots, target, n_targets)
                        slot = find_slot(target_slots, target, gap, mask, end, swap_start)
                cube[c, 6] = target_slots[slot]
                end = start + cube[c, 4]
            kind = int(options.info[opt, 3])
            if t == n:
                state, kind = 0, 0
            slot = find_slot(fresh_slots, fresh, cube[c, 6], state, kind, 0)
            new = fresh_slots[slot]
            if new < 0:
                new = n_fresh
                if new == fresh.shape[0]:
                    fresh = grown(fresh, new + 1)
                    fresh_score = grown(fresh_score, new + 1)
                    fresh_total = grown(fresh_total, new + 1)
                    fresh_option = grown(fresh_option, new + 1)
                    fresh_arc = grown(fresh_arc, new + 1)
                fresh[new, 0], fresh[new, 1], fresh[new, 2], fresh[new, 3] = (
                    cube[c, 6],
                    state,
                    kind,
                    0,
                )
                fresh_score[new], fresh_total[new] = score, total
                fresh_option[new], fresh_arc[new] = opt, -1
                fresh_slots[slot] = new
                n_fresh += 1
                if 2 * n_fresh > fresh_slots.shape[0]:
                    fresh_slots = rehashed(fresh_slots, fresh, n_fresh)
            elif score > fresh_score[new]:
                fresh_score[new], fresh_total[new], fresh_option[new] = score, total, opt
            # the arc
            if n_arcs == before.shape[0]:
                before = grown(before, n_arcs + 1)
                arc_option = grown(arc_option, n_arcs + 1)
                arc_start = grown(arc_start, n_arcs + 1)
                arc_end = grown(arc_end, n_arcs + 1)
                arc_score = grown(arc_score, n_arcs + 1)
                arc_lm = grown(arc_lm, n_arcs + 1)
                next_arc = grown(next_arc, n_arcs + 1)
            before[n_arcs], arc_option[n_arcs] = node, opt
            arc_start[n_arcs], arc_end[n_arcs] = start, end
            arc_score[n_arcs], arc_lm[n_arcs] = score, p
            next_arc[n_arcs] = fresh_arc[new]
            fresh_arc[new] = n_arcs
            n_arcs += 1

            # the candidates after this one: the next option, and with the first the next node
            base = cube_value[c, 0] + cube_value[c, 1]
            if b + 1 < cube[c, 2]:
                x = cube[c, 1] + b + 1
                v = node_score[node] + base + value[x] + options.score[local[x], 2 + orientation]
                if lexical and node > 0:
                    v += options.score[node_option[node], 5 + orientation]
                sift_down(heap_value, heap_cell, size, v, cell + 1)
            else:
                size -= 1
                if size > 0:
                    sift_down(heap_value, heap_cell, size, heap_value[size], heap_cell[size])
            if b == 0 and a + 1 < group[cube[c, 0], 5]:
                x = cube[c, 1]
                v = node_score[node + 1] + base
                v += value[x] + options.score[local[x], 2 + orientation]
                if lexical and node + 1 > 0:
                    v += options.score[node_option[node + 1], 5 + orientation]
                if size == heap_value.shape[0]:
                    heap_value = grown(heap_value, size + 1)
                    heap_cell = grown(heap_cell, size + 1)
                sift_up(heap_value, heap_cell, size, v, cell + (1 << 20))
                size += 1

        # prune, then lay the stack out by groups, the best node of each first
        cutoff = best_total - settings.threshold
        if n_fresh > settings.stack:
            kth = n_fresh - settings.stack
            cutoff = max(cutoff, np.partition(fresh_total[:n_fresh], kth)[kth])
        count = np.zeros(n_targets + 1, dtype=np.int64)
        for new in range(n_fresh):
            if fresh_total[new] >= cutoff:
                count[fresh[new, 0]] += 1
        place = np.zeros(n_targets, dtype=np.int64)
        for g in range(n_targets):
            place[g] = n_nodes
            if count[g] > 0:
                if n_groups == group.shape[0]:
                    group = grown(group, n_groups + 1)
                for x in range(4):
                    group[n_groups, x] = target[g, x]
                group[n_groups, 4], group[n_groups, 5] = n_nodes, count[g]
                n_groups += 1
                n_nodes += count[g]
        stack_group[t + 1] = n_groups
        node_score = grown(node_score, n_nodes)
        node_state = grown(node_state, n_nodes)
        node_option = grown(node_option, n_nodes)
        first_arc = grown(first_arc, n_nodes)
        bottom = place.copy()
        node_total = np.empty(n_nodes - place[0] if n_targets else 0)
        for new in range(n_fresh):
            if fresh_total[new] < cutoff:
                continue
            g = fresh[new, 0]
            y = place[g]
            while y > bottom[g] and node_total[y - 1 - bottom[0]] < fresh_total[new]:
                node_total[y - bottom[0]] = node_total[y - 1 - bottom[0]]
                node_score[y], node_state[y] = node_score[y - 1], node_state[y - 1]
                node_option[y], first_arc[y] = node_option[y - 1], first_arc[y - 1]
                y -= 1
            node_total[y - bottom[0]] = fresh_total[new]
            node_score[y], node_state[y] = fresh_score[new], fresh[new, 1]
            node_option[y], first_arc[y] = fresh_option[new], fresh_arc[new]
            place[g] += 1
        target_slots[:] = -1
        fresh_slots[:] = -1
    return Graph(
        node_score[:n_nodes].copy(),
        first_arc[:n_nodes].copy(),
        before[:n_arcs].copy(),
        arc_option[:n_arcs].copy(),
        arc_start[:n_arcs].copy(),
        arc_end[:n_arcs].copy(),
        arc_score[:n_arcs].copy(),
        arc_lm[:n_arcs].copy(),
        next_arc[:n_arcs].copy(),
    )
