"""The k best derivations of a search graph, exactly, and what they say.

Lazy k-best (Huang and Chiang 2005, algorithm 3): the derivations of a node are found one by one,
and only when a node after it asks.  A derivation is (arc, a derivation of the node before).

With `distinct`, a node drops a derivation whose words an earlier, better one of the same node has.
Whatever follows would follow the better one too, so the result is the exact k best strings, each
with its best derivation, however many derivations share a string.

Ties: the arc found first, then the better derivation before it.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.hashing import LOW31
from campanula.formats.arrays.types import Bytes, Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import grown, rolled
from campanula.stages.kernels.records import (
    LENGTH,
    NEXT,
    NODE_BEFORE,
    OPTION,
    PLACE,
    THROUGH,
    Graph,
)
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def words_hash(left: int, right: int, begin: int, end: int, word: Ids) -> tuple[int, int]:
    """Two 31-bit polynomial hashes of the words so far, with an option's words added."""
    for place in range(begin, end):
        left, right = rolled(left, right, wide(word[place]) + 1)
    return left, right


@njit(cache=True, nogil=True)
def ahead(a: int, b: int, score: Floats, source: Ints) -> bool:
    """Whether candidate a comes before candidate b; source (n, 2): arc, derivation before it."""
    if score[a] == score[b]:
        same = source[a, 0] == source[b, 0]
        first = source[a, 1] < source[b, 1] if same else source[a, 0] < source[b, 0]
    else:
        first = score[a] > score[b]
    return bool(first)


@njit(cache=True, nogil=True)
def melded(a: int, b: int, score: Floats, source: Ints, child: Ints) -> int:
    """Root of the skew heap that holds two heaps' candidates (-1 is the empty heap)."""
    root, parent = wide(-1), wide(-1)
    while a >= 0 and b >= 0:
        if not ahead(a, b, score, source):
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
        root = rest
    else:
        child[parent, 0] = rest
    return int(root)


@njit(cache=True, nogil=True)
def seen_slot(slots: Ints, key: Ints, node: int, left: int, right: int) -> int:
    """Slot of (node, words) in the hash table of the derivations, or the free slot for it."""
    mixed = left * 0x5851F42D ^ right * 0x2545F491 ^ node * 0x19D699A5
    mixed ^= mixed >> 29
    size = slots.shape[0] - 1
    slot = ((mixed & LOW31) * 0x6C8E9CF5 >> 20) & size
    searching = True
    while searching:
        row = slots[slot]
        searching = row >= 0 and (
            key[row, 0] != node or key[row, 1] != left or key[row, 2] != right
        )
        if searching:
            slot = (slot + 1) & size
    return int(slot)


@njit(cache=True, nogil=True)
def filled_slots(key: Ints, count: int) -> Ints:
    """Hash table with room for twice the derivations there are."""
    size = 4096
    while size < 4 * count:
        size *= 2
    slots = np.full(size, -1, dtype=np.int64)
    for row in range(count):
        slots[seen_slot(slots, key, key[row, 0], key[row, 1], key[row, 2])] = row
    return slots


@njit(cache=True, nogil=True)
def best_derivations(
    graph: Graph, info: Ids, word: Ids, derivation: Ints, d_score: Floats, key: Ints
) -> None:
    """Fill in the best derivation of every node; derivation v is that of node v."""
    first_arc, link, arc_value = graph.first_arc, graph.link, graph.arc_value
    derivation[0, 0], derivation[0, 1], derivation[0, 2], d_score[0] = -1, -1, -1, 0.0
    key[0, 0], key[0, 1], key[0, 2] = 0, 0, 0
    for v in range(1, len(first_arc)):
        best, a = -1, first_arc[v]
        while a >= 0:
            if best < 0 or arc_value[a, THROUGH] >= arc_value[best, THROUGH]:
                best = a  # arcs are listed newest first, so of equals the oldest stays
            a = link[a, NEXT]
        u = link[best, NODE_BEFORE]
        derivation[v, 0], derivation[v, 1], derivation[v, 2] = best, u, -1
        d_score[v] = arc_value[best, THROUGH]
        o = link[best, OPTION]
        begin, end = info[o, PLACE], info[o, PLACE] + info[o, LENGTH]
        left, right = words_hash(key[u, 1], key[u, 2], begin, end, word)
        key[v, 0], key[v, 1], key[v, 2] = v, left, right


@njit(cache=True, nogil=True)
def steps_of(found: Ints, n_found: int, derivation: Ints) -> tuple[Ints, Ints]:
    """Arcs of each derivation from the start on: offset (n + 1,), arc (offset[-1],)."""
    offset = np.zeros(n_found + 1, dtype=np.int64)
    for i in range(n_found):
        length, d = 0, found[i]
        while derivation[d, 0] >= 0:
            length += 1
            d = derivation[d, 1]
        offset[i + 1] = offset[i] + length
    arc = np.empty(offset[-1], dtype=np.int64)
    for i in range(n_found):
        place, d = offset[i + 1], found[i]
        while derivation[d, 0] >= 0:
            place -= 1
            arc[place] = derivation[d, 0]
            d = derivation[d, 1]
    return offset, arc


@njit(cache=True, nogil=True)
def offer(
    v: int,
    arc: int,
    tail: int,
    value: float,
    n: int,
    heap: Ints,
    score: Floats,
    source: Ints,
    child: Ints,
) -> int:
    """Make (arc, derivation before it) candidate n of node v; the arrays have room."""
    score[n] = value
    source[n, 0], source[n, 1] = arc, tail
    child[n, 0], child[n, 1] = -1, -1
    heap[v] = melded(heap[v], wide(n), score, source, child)
    return n + 1


@njit(cache=True, nogil=True)
def kbest(graph: Graph, info: Ids, word: Ids, k: int, distinct: bool) -> tuple[Ints, Ints]:
    """Steps of the k best derivations (fewer when there are no more), best first.

    `info`, `word`: the options (search_options.describe_rows).  Returns offset (n + 1,) and
    arc (offset[-1],): the arcs of each derivation from the sentence's start to its end.
    """
    first_arc, link, arc_value = graph.first_arc, graph.link, graph.arc_value
    n_nodes, n_arcs = len(first_arc), len(link)
    derivation = np.empty((n_nodes + 1024, 3), dtype=np.int64)  # arc, the one before, node's next
    d_score = np.empty(n_nodes + 1024)
    key = np.empty((n_nodes + 1024, 3), dtype=np.int64)  # node, hashes of the words
    n_derivations = n_nodes
    best_derivations(graph, info, word, derivation, d_score, key)
    slots = filled_slots(key, n_derivations if distinct else 0)
    # candidates of all nodes, in skew heaps
    score = np.empty(n_arcs + 1024)
    source = np.empty((n_arcs + 1024, 2), dtype=np.int64)  # arc, derivation before it
    child = np.empty((n_arcs + 1024, 2), dtype=np.int64)
    n_candidates = 0
    heap = np.full(n_nodes, -1, dtype=np.int64)
    opened = np.zeros(n_nodes, dtype=np.bool_)
    exhausted = np.zeros(n_nodes, dtype=np.bool_)
    exhausted[0] = True
    last = np.arange(n_nodes)  # the newest derivation of each node
    # the candidate taken last, whose successor (same arc, next derivation) is not yet in the heap
    taken = derivation[:n_nodes, :2].copy()

    final = n_nodes - 1
    found = np.empty(min(k, 1024), dtype=np.int64)
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
                a = first_arc[v]
                while a >= 0:
                    if a != derivation[v, 0]:
                        n_candidates = offer(
                            v,
                            a,
                            link[a, NODE_BEFORE],
                            arc_value[a, THROUGH],
                            n_candidates,
                            heap,
                            score,
                            source,
                            child,
                        )
                    a = link[a, NEXT]
            if taken[v, 0] >= 0:
                a, d = taken[v, 0], taken[v, 1]
                u, following = link[a, NODE_BEFORE], derivation[d, 2]
                if following < 0 and not exhausted[u]:
                    stack[depth] = u
                    depth += 1
                    continue
                taken[v, 0] = -1
                if following >= 0:
                    # every arc still to be opened needs its place too
                    room = n_candidates + n_arcs + 1
                    if room > score.shape[0]:
                        score = grown(score, room)
                        source, child = grown(source, room), grown(child, room)
                    value = d_score[following] + (arc_value[a, THROUGH] - d_score[u])
                    n_candidates = offer(
                        v, a, following, value, n_candidates, heap, score, source, child
                    )
            c = heap[v]
            if c < 0:
                exhausted[v] = True
                depth -= 1
                continue
            heap[v] = melded(child[c, 0], child[c, 1], score, source, child)
            a, d = source[c, 0], source[c, 1]
            taken[v, 0], taken[v, 1] = a, d
            new = n_derivations
            if new == derivation.shape[0]:
                derivation, key = grown(derivation, new + 1), grown(key, new + 1)
                d_score = grown(d_score, new + 1)
            if distinct:
                o = link[a, OPTION]
                begin, end = info[o, PLACE], info[o, PLACE] + info[o, LENGTH]
                left, right = words_hash(key[d, 1], key[d, 2], begin, end, word)
                slot = seen_slot(slots, key, wide(v), left, right)
                if slots[slot] >= 0:
                    continue
                key[new, 0], key[new, 1], key[new, 2] = v, left, right
                slots[slot] = new
                if 2 * new > slots.shape[0]:
                    slots = filled_slots(key, new + 1)
            derivation[new, 0], derivation[new, 1], derivation[new, 2] = a, d, -1
            d_score[new] = score[c]
            derivation[last[v], 2] = new
            last[v] = new
            n_derivations += 1
            depth -= 1
        if not exhausted[final]:
            found = grown(found, n_found + 1)
            found[n_found] = last[final]
            n_found += 1
    return steps_of(found, n_found, derivation)


@njit(cache=True, nogil=True)
def texts(
    offset: Ints,
    arc: Ints,
    link: Ids,
    info: Ids,
    word: Ids,
    blob: Bytes,
    start: Ints,
    extra_blob: Bytes,
    extra_start: Ints,
) -> tuple[Bytes, Ints]:
    """Words of derivations with blanks between: bytes and offsets (n_hyps + 1,).

    Word w is `blob[start[w]:start[w + 1]]`; those past the vocabulary are in `extra_blob`.
    """
    n_words = len(start) - 1
    size = 0
    place = np.zeros(len(offset), dtype=np.int64)
    for h in range(len(offset) - 1):
        first = True
        for s in range(offset[h], offset[h + 1]):
            o = link[arc[s], OPTION]
            for k in range(info[o, PLACE], info[o, PLACE] + info[o, LENGTH]):
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
            o = link[arc[s], OPTION]
            for k in range(info[o, PLACE], info[o, PLACE] + info[o, LENGTH]):
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
