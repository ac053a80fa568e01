"""The k best derivations of a search graph, exactly, and what they say.

Lazy k-best (Huang and Chiang 2005, algorithm 3): the derivations of a node are found one by one, and
only when a node after it asks.  A derivation is (arc, a derivation of the node before).

With `distinct`, a node drops a derivation whose words an earlier, better one of the same node has.
Whatever follows would follow the better one too, so the result is the exact k best strings, each
with its best derivation, however many derivations share a string.

Ties: the arc found first, then the better derivation before it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

LOW31 = 0x7FFFFFFF
PRIME = 0x7FFFFFED


@njit(cache=True, nogil=True)
def grown(array, size):
    """Return the array itself, or a copy twice as long when it has no room for `size` entries."""
    if size <= array.shape[0]:
        return array
    larger = np.empty((2 * size,) + array.shape[1:], dtype=array.dtype)
    larger[: array.shape[0]] = array
    return larger


@njit(cache=True, nogil=True)
def words_hash(left, right, option, info, word):
    """Two 31-bit polynomial hashes of the words so far, with an option's words added."""
    place = int(info[option, 2])
    for k in range(int(info[option, 1])):
        left = (left * 0x2545F491 + word[place + k] + 1) % LOW31
        right = (right * 0x19D699A5 + word[place + k] + 1) % PRIME
    return left, right


@njit(cache=True, nogil=True)
def ahead(a, b, score, arc, tail):
    """Whether candidate a comes before candidate b."""
    if score[a] != score[b]:
        return score[a] > score[b]
    if arc[a] != arc[b]:
        return arc[a] < arc[b]
    return tail[a] < tail[b]


@njit(cache=True, nogil=True)
def melded(a, b, score, arc, tail, child):
    """Root of the skew heap that holds two heaps' candidates (-1 is the empty heap)."""
    root, parent = -1, -1
    while a >= 0 and b >= 0:
        if not ahead(a, b, score, arc, tail):
            a, b = b, a
        if parent < 0:
            root = a
        else:
            child[parent, 0] = a
        # going down the right side while swapping the sides keeps the heap balanced on average
        right = child[a, 1]
        child[a, 1] = child[a, 0]
        child[a, 0] = -1
        parent, a = a, right
    rest = a if a >= 0 else b
    if parent < 0:
        return rest
    child[parent, 0] = rest
    return root


@njit(cache=True, nogil=True)
def seen_slot(slots, key, node, left, right):
    """Slot of (node, words) in the hash table of the derivations, or the free slot for it."""
    mixed = left * 0x5851F42D ^ right * 0x2545F491 ^ node * 0x19D699A5
    mixed ^= mixed >> 29
    size = slots.shape[0] - 1
    slot = ((mixed & LOW31) * 0x6C8E9CF5 >> 20) & size
    while slots[slot] >= 0:
        row = slots[slot]
        if key[row, 0] == node and key[row, 1] == left and key[row, 2] == right:
            break
        slot = (slot + 1) & size
    return slot


@njit(cache=True, nogil=True)
def filled_slots(key, count):
    """Hash table with room for twice the derivations there are."""
    size = 4096
    while size < 4 * count:
        size *= 2
    slots = np.full(size, -1, dtype=np.int64)
    for row in range(count):
        slots[seen_slot(slots, key, key[row, 0], key[row, 1], key[row, 2])] = row
    return slots


@njit(cache=True, nogil=True)
def best_derivations(graph, info, word, d_arc, d_tail, d_score, key):
    """Fill in the best derivation of every node; derivation v is that of node v."""
    d_arc[0], d_tail[0], d_score[0] = -1, -1, 0.0
    key[0] = 0
    for v in range(1, len(graph.first_arc)):
        best, a = -1, graph.first_arc[v]
        while a >= 0:
            if best < 0 or graph.arc_score[a] >= graph.arc_score[best]:
                best = a  # arcs are listed newest first, so of equals the oldest stays
            a = graph.next_arc[a]
        u = graph.before[best]
        d_arc[v], d_tail[v], d_score[v] = best, u, graph.arc_score[best]
        left, right = words_hash(key[u, 1], key[u, 2], graph.option[best], info, word)
        key[v, 0], key[v, 1], key[v, 2] = v, left, right


@njit(cache=True, nogil=True)
def steps_of(found, d_arc, d_tail):
    """Arcs of each derivation from the start on: offset (n + 1,), arc (offset[-1],)."""
    offset = np.zeros(len(found) + 1, dtype=np.int64)
    for i in range(len(found)):
        length, d = 0, found[i]
        while d_arc[d] >= 0:
            length += 1
            d = d_tail[d]
        offset[i + 1] = offset[i] + length
    arc = np.empty(offset[-1], dtype=np.int64)
    for i in range(len(found)):
        place, d = offset[i + 1], found[i]
        while d_arc[d] >= 0:
            place -= 1
            arc[place] = d_arc[d]
            d = d_tail[d]
    return offset, arc


@njit(cache=True, nogil=True)
def kbest(graph, info, word, k, distinct):
    """Steps of the k best derivations (fewer when there are no more), best first.

    `info`, `word`: the options (search_options.describe_rows).  Returns offset (n + 1,) and
    arc (offset[-1],): the arcs of each derivation from the sentence's start to its end.
    """
    n_nodes, n_arcs = len(graph.first_arc), len(graph.before)
    # derivations: arc, derivation before it, the next one of its node, node and hashes of the words
    d_arc = np.empty(n_nodes + 1024, dtype=np.int64)
    d_tail = np.empty(n_nodes + 1024, dtype=np.int64)
    d_next = np.full(n_nodes + 1024, -1, dtype=np.int64)
    d_score = np.empty(n_nodes + 1024)
    key = np.zeros((n_nodes + 1024, 3), dtype=np.int64)
    n_derivations = n_nodes
    best_derivations(graph, info, word, d_arc, d_tail, d_score, key)
    slots = np.full(4096, -1, dtype=np.int64)
    if distinct:
        slots = filled_slots(key, n_derivations)
    # candidates of all nodes, in skew heaps
    score = np.empty(n_arcs + 1024)
    arc = np.empty(n_arcs + 1024, dtype=np.int64)
    tail = np.empty(n_arcs + 1024, dtype=np.int64)
    child = np.empty((n_arcs + 1024, 2), dtype=np.int64)
    n_candidates = 0
    heap = np.full(n_nodes, -1, dtype=np.int64)
    opened = np.zeros(n_nodes, dtype=np.bool_)
    exhausted = np.zeros(n_nodes, dtype=np.bool_)
    exhausted[0] = True
    last = np.arange(n_nodes)  # the newest derivation of each node
    # the candidate taken last, whose successor (same arc, next derivation) is not yet in the heap
    taken_arc, taken_tail = d_arc[:n_nodes].copy(), d_tail[:n_nodes].copy()

    final = n_nodes - 1
    found = np.empty(k, dtype=np.int64)
    found[0] = final
    n_found = 1
    stack = np.empty(n_nodes + 1, dtype=np.int64)  # nodes that are to find one more derivation
    while n_found < k and not exhausted[final]:
        depth = 1
        stack[0] = final
        while depth > 0:
            v = stack[depth - 1]
            if not opened[v]:
                opened[v] = True
                a = int(graph.first_arc[v])
                while a >= 0:
                    if a != d_arc[v]:
                        if n_candidates == score.shape[0]:
                            score, arc = (
                                grown(score, n_candidates + 1),
                                grown(arc, n_candidates + 1),
                            )
                            tail, child = (
                                grown(tail, n_candidates + 1),
                                grown(child, n_candidates + 1),
                            )
                        score[n_candidates], arc[n_candidates] = graph.arc_score[a], a
                        tail[n_candidates] = graph.before[a]
                        child[n_candidates] = -1
                        heap[v] = melded(heap[v], n_candidates, score, arc, tail, child)
                        n_candidates += 1
                    a = int(graph.next_arc[a])
            if taken_arc[v] >= 0:
                a, d = taken_arc[v], taken_tail[v]
                u = int(graph.before[a])
                if d_next[d] < 0 and not exhausted[u]:
                    stack[depth] = u
                    depth += 1
                    continue
                taken_arc[v] = -1
                if d_next[d] >= 0:
                    if n_candidates == score.shape[0]:
                        score, arc = grown(score, n_candidates + 1), grown(arc, n_candidates + 1)
                        tail, child = grown(tail, n_candidates + 1), grown(child, n_candidates + 1)
                    score[n_candidates] = d_score[d_next[d]] + (graph.arc_score[a] - d_score[u])
                    arc[n_candidates], tail[n_candidates] = a, d_next[d]
                    child[n_candidates] = -1
                    heap[v] = melded(heap[v], n_candidates, score, arc, tail, child)
                    n_candidates += 1
            c = heap[v]
            if c < 0:
                exhausted[v] = True
                depth -= 1
                continue
            heap[v] = melded(child[c, 0], child[c, 1], score, arc, tail, child)
            taken_arc[v], taken_tail[v] = arc[c], tail[c]
            new, d = n_derivations, tail[c]
            if new == d_arc.shape[0]:
                d_arc, d_tail = grown(d_arc, new + 1), grown(d_tail, new + 1)
                d_next, d_score = grown(d_next, new + 1), grown(d_score, new + 1)
                key = grown(key, new + 1)
            if distinct:
                option = graph.option[arc[c]]
                left, right = words_hash(key[d, 1], key[d, 2], option, info, word)
                slot = seen_slot(slots, key, v, left, right)
                if slots[slot] >= 0:
                    continue
                key[new, 0], key[new, 1], key[new, 2] = v, left, right
                slots[slot] = new
                if 2 * new > slots.shape[0]:
                    slots = filled_slots(key, new + 1)
            d_arc[new], d_tail[new], d_next[new], d_score[new] = arc[c], d, -1, score[c]
            d_next[last[v]] = new
            last[v] = new
            n_derivations += 1
            depth -= 1
        if not exhausted[final]:
            found[n_found] = last[final]
            n_found += 1
    return steps_of(found[:n_found], d_arc, d_tail)


@njit(cache=True, nogil=True)
def feature_values(offset, arc, graph, info, score, reordering):
    """Feature values (n_hyps, 5 + n_scores + n_reordering) of derivations.

    Columns: language model, distortion, words, phrases, unknown words, then the rows of `score` and
    `reordering` (n_rows, 6) or (0, 6) by orientation, backward and forward.
    """
    lexical = reordering.shape[0] > 0
    n_scores = score.shape[1]
    value = np.zeros((len(offset) - 1, 5 + n_scores + (6 if lexical else 0)))
    for h in range(len(offset) - 1):
        row = value[h]
        before_start, before_end, last = -1, 0, -1
        for s in range(offset[h], offset[h + 1]):
            a = arc[s]
            start, end = int(graph.start[a]), int(graph.end[a])
            option = graph.option[a]
            r = int(info[option, 0])
            row[0] += graph.arc_lm[a]
            row[1] -= abs(start - before_end)
            row[2] -= info[option, 1]
            row[3] += 1.0
            if r >= 0:
                for k in range(n_scores):
                    row[5 + k] += score[r, k]
            else:
                row[4] -= 100.0
            if lexical:
                orientation = 2
                if start == before_end:
                    orientation = 0
                elif end == before_start:
                    orientation = 1
                if r >= 0:
                    row[5 + n_scores + orientation] += reordering[r, orientation]
                if last >= 0:
                    row[8 + n_scores + orientation] += reordering[last, 3 + orientation]
            before_start, before_end, last = start, end, r
    return value


@njit(cache=True, nogil=True)
def texts(offset, arc, option, info, word, blob, start, extra_blob, extra_start):
    """Words of derivations with blanks between: bytes and offsets (n_hyps + 1,).

    Word w is `blob[start[w]:start[w + 1]]`; those past the vocabulary are in `extra_blob`.
    """
    n_words = len(start) - 1
    size = 0
    place = np.zeros(len(offset), dtype=np.int64)
    for h in range(len(offset) - 1):
        first = True
        for s in range(offset[h], offset[h + 1]):
            o = option[arc[s]]
            for k in range(info[o, 2], info[o, 2] + info[o, 1]):
                w = word[k]
                if w < n_words:
                    size += start[w + 1] - start[w]
                else:
                    size += extra_start[w - n_words + 1] - extra_start[w - n_words]
                size += 0 if first else 1
                first = False
        place[h + 1] = size
    text = np.empty(size, dtype=np.uint8)
    for h in range(len(offset) - 1):
        here = place[h]
        for s in range(offset[h], offset[h + 1]):
            o = option[arc[s]]
            for k in range(info[o, 2], info[o, 2] + info[o, 1]):
                if here > place[h]:
                    text[here] = 32
                    here += 1
                w = word[k]
                if w < n_words:
                    for b in range(start[w], start[w + 1]):
                        text[here] = blob[b]
                        here += 1
                else:
                    for b in range(extra_start[w - n_words], extra_start[w - n_words + 1]):
                        text[here] = extra_blob[b]
                        here += 1
    return text, place
