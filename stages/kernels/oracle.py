r"""Oracle search: the block sequences of highest BLEU+1, whatever a model says of them.

    V_N = the N highest of  BP (p_1 p_2 p_3 p_4)^(1/4),  1 added above and below for n > 1
                                        (Tillmann and Zhang, section II; Lin and Och 2004)

A hypothesis covers some source words.  All that matters for what follows is its

    state = (place, open gap, swapped or not, n-gram at its end, length, slots matched)

so those that share it are one node, exactly: every way into a node has the same gain.  Stack t
holds the nodes with t covered words, those before any swap and those after one apart, each cut down
to `beam` nodes by the estimate

    BLEU+1 of (the hypothesis + the best end after its last n-gram, oracle_tails), clipped together

A swap therefore takes nothing from monotone translations: what the monotone search finds is found.
"""

from __future__ import annotations

import numpy as np

from stages.kernels.compiled import njit
from stages.kernels.language_model import lm_step
from stages.kernels.oracle_ngrams import ORDER, bleu_power, read
from stages.kernels.oracle_records import Arcs, Classes, NGrams, Nodes, Tails
from stages.kernels.search_kbest import grown, grown_rows
from stages.kernels.search_records import F64, I32, I64, Graph, LanguageModel

LOW31 = 0x7FFFFFFF
NO_MATCH = 0.1  # matches that an estimate sees where there are none
SAME = 1e-12  # gains that differ by less are equal, but for the order of their factors


@njit(cache=True, nogil=True)
def find_node(slots: I32, nodes: Nodes, place: I32, used: I64) -> int:
    """Slot of a state in the hash table of nodes, or the free slot for it."""
    mixed = np.int64(0)
    for k in range(6):
        mixed = (mixed * 0x2545F491 + place[k]) % LOW31
    for k in range(len(used)):
        mixed ^= (used[k] >> 31) * 0x3C6EF35
        mixed = ((mixed & LOW31) * 0x19D699A5 + (used[k] & LOW31)) % LOW31
        mixed ^= mixed >> 15
    slot = mixed & (len(slots) - 1)
    known_place, known_used = nodes.place, nodes.used
    while slots[slot] >= 0:
        v = slots[slot]
        same = True
        for k in range(6):
            same = same and known_place[v, k] == place[k]
        for k in range(len(used)):
            same = same and known_used[v, k] == used[k]
        if same:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return int(slot)


@njit(cache=True, nogil=True)
def rehashed(slots: I32, nodes: Nodes, n_nodes: int, room: int) -> I32:
    """Hash table with room for `room` nodes, the first n_nodes in it."""
    if len(slots) >= 2 * room:
        return slots
    size = len(slots)
    while size < 4 * room:
        size *= 2
    larger = np.full(size, -1, np.int32)
    for v in range(n_nodes):
        larger[find_node(larger, nodes, nodes.place[v], nodes.used[v])] = v
    return larger


@njit(cache=True, nogil=True)
def extend(
    node: int,
    span: tuple[int, int],
    after: tuple[int, int, int, int],
    last: bool,
    n_best: int,
    least: float,
    classes: Classes,
    ngrams: NGrams,
    tails: Tails,
    brevity: F64,
    nodes: Nodes,
    arcs: Arcs,
    slots: I32,
    used: I64,
    place: I32,
    counts: I64,
) -> None:
    """Add the blocks of a span (first word, words) to a node; what is below `least` is dropped.

    after: place, gap, end and layer that result; `last`: the arcs lead to whole translations.
    used (2, n_words) and place are scratch; counts: nodes, arcs, newest node of the stack, and its
    size, in place.  All arrays have room.
    """
    start, word, base = classes.start, classes.word, ngrams.base
    context, length = int(np.int64(nodes.place[node, 4])), np.int64(nodes.place[node, 5])
    begin = np.int64(classes.first[span[0], span[1] - 1])
    for c in range(begin, begin + classes.n_classes[span[0], span[1] - 1]):
        used[0] = nodes.used[node]
        u = read(ngrams, context, word, start[c], start[c + 1], used[0])
        new_length = length + start[c + 1] - start[c]
        if last:
            value = bleu_power(used[0], used[0], new_length, base, brevity, 0.0)
        else:
            used[1] = used[0]
            v, place_after, total = u, after[0], new_length
            if after[1] > 0:
                g = np.int64(tails.gap_class[after[0], after[1] - 1])
                v = read(ngrams, u, word, start[g], start[g + 1], used[1])
                place_after, total = after[2], new_length + start[g + 1] - start[g]
            tail = tails.row[place_after, v]
            total += tails.length[tail]
            value = bleu_power(used[1], tails.bits[tail], total, base, brevity, NO_MATCH)
        if value < least:
            continue
        new = np.int64(-1)
        if not last:
            place[0], place[1], place[2], place[3] = after[0], after[1], after[2], after[3]
            place[4], place[5] = u, new_length
            slot = find_node(slots, nodes, place, used[0])
            new = np.int64(slots[slot])
            if new < 0:
                new = counts[0]
                counts[0] += 1
                counts[3] += 1
                slots[slot] = new
                nodes.place[new], nodes.used[new] = place, used[0]
                nodes.estimate[new], nodes.blocks[new] = value, nodes.blocks[node] + 1
                nodes.arc[new] = -1
                nodes.following[new] = counts[2]
                counts[2] = new
            nodes.blocks[new] = min(nodes.blocks[new], nodes.blocks[node] + 1)
        m = classes.member_start[c]
        for x in range(m, min(classes.member_start[c + 1], m + n_best)):
            a = counts[1]
            arcs.link[a, 0], arcs.link[a, 1] = node, classes.member[x]
            arcs.link[a, 2], arcs.link[a, 3] = span[0], span[0] + span[1]
            arcs.value[a] = value
            if last:
                arcs.link[a, 4] = counts[2]
                counts[2] = a
                counts[3] += 1
            else:
                arcs.link[a, 4] = nodes.arc[new]
                nodes.arc[new] = a
            counts[1] += 1


@njit(cache=True, nogil=True)
def best_of(head: int, size: int, following: I32, value: F64, keep: int) -> I64:
    """The `keep` best of a linked list, best first, the oldest (lowest) of equals first."""
    member = np.empty(size, np.int64)
    x = head
    for k in range(size - 1, -1, -1):
        member[k] = x
        x = int(np.int64(following[x]))
    order = np.argsort(-value[member], kind="mergesort")
    return member[order[:keep]]


@njit(cache=True, nogil=True)
def grown_nodes(nodes: Nodes, size: int) -> Nodes:
    """Nodes with room for `size`."""
    if size <= len(nodes.estimate):
        return nodes
    return Nodes(
        grown_rows(nodes.place, size),
        grown_rows(nodes.used, size),
        grown(nodes.estimate, size),
        grown(nodes.blocks, size),
        grown(nodes.arc, size),
        grown(nodes.following, size),
    )


@njit(cache=True, nogil=True)
def search(
    n: int,
    swap: bool,
    beam: int,
    n_best: int,
    classes: Classes,
    ngrams: NGrams,
    tails: Tails,
    brevity: F64,
) -> Graph:
    """Graph of the translations of a sentence of n > 0 words, for search_kbest.kbest.

    Its scores are whole numbers: the k best derivations are those of highest gain, and of equal
    gain those of fewest blocks.
    """
    count, n_words = classes.n_classes, int(ngrams.base[ORDER])
    longest = count.shape[1]
    nodes = Nodes(
        np.zeros((1024, 6), np.int32),
        np.zeros((1024, n_words), np.int64),
        np.zeros(1024),
        np.zeros(1024, np.int32),
        np.full(1024, -1, np.int32),
        np.full(1024, -1, np.int32),
    )
    arcs = Arcs(np.empty((4096, 5), np.int32), np.empty(4096))
    slots = np.full(4096, -1, np.int32)
    used, place = np.zeros((2, n_words), np.int64), np.zeros(6, np.int32)
    # of each stack: newest node, size, estimate below which nothing is kept, size at the last cut
    head, size = np.full(2 * n + 2, -1, np.int64), np.zeros(2 * n + 2, np.int64)
    least, checked = np.full(2 * n + 2, -1.0), np.zeros(2 * n + 2, np.int64)
    head[0], size[0] = 0, 1
    counts = np.array([1, 0, 0, 0])
    steps = np.empty(((longest + 1) * longest, 6), np.int64)
    expanded, n_expanded = np.empty(1024, np.int64), 0
    for stack in range(2 * n):
        if size[stack] == 0:
            continue
        members = best_of(head[stack], size[stack], nodes.following, nodes.estimate, beam)
        expanded = grown(expanded, n_expanded + len(members))
        for node in members:
            expanded[n_expanded] = node
            n_expanded += 1
            n_steps = steps_from(nodes.place[node], swap, count, steps)
            room = 0
            for s in range(n_steps):
                room += count[steps[s, 0], steps[s, 1] - 1]
            nodes = grown_nodes(nodes, counts[0] + room)
            slots = rehashed(slots, nodes, counts[0], counts[0] + room)
            for s in range(n_steps):
                i, k = steps[s, 0], steps[s, 1]
                covered = stack // 2 + k
                to = 2 * covered + steps[s, 5]
                c = classes.first[i, k - 1]
                room = classes.member_start[c + count[i, k - 1]] - classes.member_start[c]
                link = grown_rows(arcs.link, counts[1] + room)
                arcs = Arcs(link, grown(arcs.value, counts[1] + room))
                counts[2], counts[3] = head[to], size[to]
                extend(
                    node,
                    (i, k),
                    (steps[s, 2], steps[s, 3], steps[s, 4], steps[s, 5]),
                    covered == n,
                    n_best,
                    least[to],
                    classes,
                    ngrams,
                    tails,
                    brevity,
                    nodes,
                    arcs,
                    slots,
                    used,
                    place,
                    counts,
                )
                head[to], size[to] = counts[2], counts[3]
                keep = max(beam, n_best) if covered == n else beam
                if size[to] > keep and size[to] - checked[to] >= keep:
                    following = arcs.link[:, 4] if covered == n else nodes.following
                    value = arcs.value if covered == n else nodes.estimate
                    best = best_of(head[to], size[to], following, value, keep)
                    least[to] = value[best[keep - 1]]
                    checked[to] = size[to]
    return finished(n, head, size, max(beam, n_best), expanded[:n_expanded], nodes, arcs)


@njit(cache=True, nogil=True)
def steps_from(place: I32, swap: bool, count: I32, steps: I64) -> int:
    """The spans that may come next: rows (first word, words, then place, gap, end, layer after)."""
    n, longest = count.shape
    here, gap, end, layer = place[0], place[1], place[2], place[3]
    n_steps = 0
    if gap > 0:
        steps[0, 0], steps[0, 1], steps[0, 2] = here, gap, end
        steps[0, 3], steps[0, 4], steps[0, 5] = 0, 0, layer
        return 1
    reach = min(longest, n - here - 1) if swap else 0
    for skipped in range(reach + 1):
        if skipped > 0 and count[here, skipped - 1] == 0:
            continue
        for k in range(1, min(longest, n - here - skipped) + 1):
            if count[here + skipped, k - 1] == 0:
                continue
            steps[n_steps, 0], steps[n_steps, 1] = here + skipped, k
            if skipped > 0:
                steps[n_steps, 2], steps[n_steps, 3] = here, skipped
                steps[n_steps, 4], steps[n_steps, 5] = here + skipped + k, 1
            else:
                steps[n_steps, 2], steps[n_steps, 3] = here + k, 0
                steps[n_steps, 4], steps[n_steps, 5] = 0, layer
            n_steps += 1
    return n_steps


@njit(cache=True, nogil=True)
def finished(
    n: int, head: I64, size: I64, keep: int, expanded: I64, nodes: Nodes, arcs: Arcs
) -> Graph:
    """Graph of what leads to the best whole translations, of both layers.

    expanded: the nodes whose arcs lead on, every one after those that lead to it.
    """
    plain = best_of(head[2 * n], size[2 * n], arcs.link[:, 4], arcs.value, keep)
    swapped = best_of(head[2 * n + 1], size[2 * n + 1], arcs.link[:, 4], arcs.value, keep)
    final = np.concatenate((plain, swapped))
    final = final[np.argsort(-arcs.value[final], kind="mergesort")]
    number = np.full(len(nodes.estimate), -1, np.int32)
    for a in final:
        number[arcs.link[a, 0]] = 0
    n_arcs, n_nodes = len(final), 0
    for k in range(len(expanded) - 1, -1, -1):
        v = expanded[k]
        if number[v] >= 0:
            n_nodes += 1
            a = nodes.arc[v]
            while a >= 0:
                number[arcs.link[a, 0]] = 0
                n_arcs += 1
                a = arcs.link[a, 4]
    link, value = np.empty((n_arcs, 5), np.int32), np.zeros((n_arcs, 2))
    score, first = np.zeros(n_nodes + 1), np.full(n_nodes + 1, -1, np.int32)
    n_nodes, filled = 0, 0
    for v in expanded:
        if number[v] < 0:
            continue
        number[v], score[n_nodes] = n_nodes, -nodes.blocks[v]
        begin, a = filled, nodes.arc[v]
        while a >= 0:
            u = number[arcs.link[a, 0]]
            link[filled], link[filled, 0] = arcs.link[a], u
            value[filled, 0] = score[u] - 1.0
            filled += 1
            a = arcs.link[a, 4]
        # newest first there, so here from the last to the first
        link[begin:filled] = link[begin:filled][::-1].copy()
        value[begin:filled] = value[begin:filled][::-1].copy()
        for x in range(begin, filled):
            link[x, 4] = first[n_nodes]
            first[n_nodes] = x
        n_nodes += 1
    rank, highest = 0, -np.inf
    for k in range(len(final)):
        a = final[k]
        if k > 0 and arcs.value[a] < arcs.value[final[k - 1]] * (1.0 - SAME):
            rank += 1
        u = number[arcs.link[a, 0]]
        link[filled], link[filled, 0], link[filled, 4] = arcs.link[a], u, first[n_nodes]
        value[filled, 0] = score[u] - 1.0 - rank * (n + 1.0)
        highest = max(highest, value[filled, 0])
        first[n_nodes] = filled
        filled += 1
    score[n_nodes] = highest
    return Graph(score, first, link, value)


@njit(cache=True, nogil=True)
def lm_logs(offset: I64, option: I64, info: I32, lm_word: I32, lm: LanguageModel) -> F64:
    """Log probabilities (n_steps, 2) of the words of each derivation's steps, and of their first.

    offset (n_hyps + 1,) into option (n_steps,).  The end of a sentence counts with its last step,
    as a first word.
    """
    value = np.zeros((len(option), 2))
    for h in range(len(offset) - 1):
        state = lm.begin
        for s in range(offset[h], offset[h + 1]):
            o = option[s]
            for k in range(info[o, 1]):
                p, state = lm_step(lm, state, int(np.int64(lm_word[info[o, 2] + k])))
                value[s, 0] += p
                if k == 0:
                    value[s, 1] = p
        p, state = lm_step(lm, state, lm.end)
        value[offset[h + 1] - 1] += p
    return value
