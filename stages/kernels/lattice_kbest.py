"""Paths of a lattice under features that look beyond an arc: cube pruning, and what occurs.

A node keeps a list of the best paths that reach it (Gimpel and Smith 2012, section 4.3: 100).  A
path after it is an arc and a path of the list before the arc; the best of each arc wait in a heap,
and when one is taken the next of the same arc follows it (Huang and Chiang 2005, algorithm 2):

    score = score(path before) + local(arc) + weights of the features that its words complete

What words complete depends on all words before, so that a worse path may give a better one: lists
that are too short lose some (Chiang 2007).  With lists that hold all paths, nothing is lost.

Ties: the first arc, then the better path before it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stages.kernels.compiled import njit
from stages.kernels.search_kbest import grown, grown_rows, steps_of, words_hash
from stages.kernels.search_records import F64, I32, I64

Bits = NDArray[np.uint8]


class Arcs(NamedTuple):
    """Arcs of a lattice, as formats.lattice has them; phrases are of n_words different words."""

    pointer: I64
    before: I32
    start: I32
    end: I32
    phrase: I32
    phrase_pointer: I64
    phrase_word: I32
    n_words: int


class Local(NamedTuple):
    """Features that an arc has of itself, as numbers in a list of features.

    unigram (n_words,), -1 for none; pair_key sorted, source word * n_words + target word.
    """

    source: I64
    unigram: I64
    pair_key: I64
    pair: I64


class Beyond(NamedTuple):
    """Features that look back over the words before, as numbers in a list of features.

    Keys are sorted, words w1 w2 w3 are (w1 * n_words + w2) * n_words + w3.  Word w is triggered by
    those of trigger_left[trigger_start[w]:trigger_start[w + 1]]; word w is the trigger left[w],
    -1 for none, of n_left.
    """

    bigram_key: I64
    bigram: I64
    trigram_key: I64
    trigram: I64
    trigger_start: I64
    trigger_left: I64
    trigger: I64
    left: I64
    n_left: int


@njit(cache=True, nogil=True)
def find(keys: I64, key: int) -> int:
    """Place of a key among sorted keys, -1 if it is not there."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < len(keys) and keys[low] == key else -1


@njit(cache=True, nogil=True)
def local_features(arcs: Arcs, local: Local) -> tuple[I64, I64]:
    """Features of each arc alone, with repetitions: pointer (n_arcs + 1,), feature."""
    n_arcs = len(arcs.before)
    pointer = np.zeros(n_arcs + 1, dtype=np.int64)
    feature = np.empty(1024, dtype=np.int64)
    count = pointer[0]
    for a in range(n_arcs):
        p = arcs.phrase[a]
        for place in range(arcs.phrase_pointer[p], arcs.phrase_pointer[p + 1]):
            w = arcs.phrase_word[place]
            feature = grown(feature, count + 1 + arcs.end[a] - arcs.start[a])
            if local.unigram[w] >= 0:
                feature[count] = local.unigram[w]
                count += 1
            for i in range(arcs.start[a], arcs.end[a]):
                if local.source[i] >= 0:
                    found = find(local.pair_key, local.source[i] * arcs.n_words + w)
                    if found >= 0:
                        feature[count] = local.pair[found]
                        count += 1
        pointer[a + 1] = count
    return pointer, feature[:count]


@njit(cache=True, nogil=True)
def n_bytes(beyond: Beyond) -> int:
    """Bytes of a set of triggers."""
    return (beyond.n_left + 7) >> 3


@njit(cache=True, nogil=True)
def is_in(seen: Bits, trigger: int) -> bool:
    """Whether a trigger is in a set."""
    return bool((seen[trigger >> 3] >> (trigger & 7)) & 1)


@njit(cache=True, nogil=True)
def include(seen: Bits, trigger: int) -> None:
    """Put a trigger into a set, if it is one (not -1)."""
    if trigger >= 0:
        seen[trigger >> 3] |= np.uint8(1 << (trigger & 7))


@njit(cache=True, nogil=True)
def completed(
    second: int, first: int, w: int, n_words: int, seen: Bits, beyond: Beyond, out: I64
) -> int:
    """Write the features that word w completes to `out`, which has room; returns their number.

    The words `second first` come just before it (-1 for none); seen (n_bytes,) are the triggers
    before it, a bit each.
    """
    count = 0
    if first >= 0:
        found = find(beyond.bigram_key, first * n_words + w)
        if found >= 0:
            out[count] = beyond.bigram[found]
            count += 1
        if second >= 0:
            found = find(beyond.trigram_key, (second * n_words + first) * n_words + w)
            if found >= 0:
                out[count] = beyond.trigram[found]
                count += 1
    for place in range(beyond.trigger_start[w], beyond.trigger_start[w + 1]):
        if is_in(seen, beyond.trigger_left[place]):
            out[count] = beyond.trigger[place]
            count += 1
    return count


@njit(cache=True, nogil=True)
def most_completed(beyond: Beyond) -> int:
    """Most features that one word can complete."""
    most = np.int64(0)
    for w in range(len(beyond.trigger_start) - 1):
        most = max(most, beyond.trigger_start[w + 1] - beyond.trigger_start[w])
    return int(most + 2)


@njit(cache=True, nogil=True)
def path_features(
    offset: I64, arc: I64, arcs: Arcs, arc_pointer: I64, arc_feature: I64, beyond: Beyond
) -> tuple[I64, I64]:
    """All features of paths, with repetitions: pointer (n_paths + 1,), feature.

    `arc_pointer`, `arc_feature`: those of the arcs alone (local_features).
    """
    pointer = np.zeros(len(offset), dtype=np.int64)
    feature = np.empty(1024, dtype=np.int64)
    most, count = most_completed(beyond), pointer[0]
    seen = np.zeros(n_bytes(beyond), dtype=np.uint8)
    for h in range(len(offset) - 1):
        seen[:] = 0
        second, first = -1, -1
        for s in range(offset[h], offset[h + 1]):
            a = arc[s]
            p = arcs.phrase[a]
            begin, end = arcs.phrase_pointer[p], arcs.phrase_pointer[p + 1]
            room = arc_pointer[a + 1] - arc_pointer[a] + (end - begin) * most
            feature = grown(feature, count + room)
            for place in range(arc_pointer[a], arc_pointer[a + 1]):
                feature[count] = arc_feature[place]
                count += 1
            for place in range(begin, end):
                w = int(np.int64(arcs.phrase_word[place]))
                count += completed(second, first, w, arcs.n_words, seen, beyond, feature[count:])
                include(seen, int(np.int64(beyond.left[w])))
                second, first = first, w
        pointer[h + 1] = count
    return pointer, feature[:count]


@njit(cache=True, nogil=True)
def extended(
    a: int,
    score: float,
    last: I32,
    arcs: Arcs,
    local: F64,
    beyond: Beyond,
    weight: F64,
    seen: Bits,
    out: I64,
) -> float:
    """Score of a path and arc a after it.

    `last` (2,) and `seen` are the path's last words and triggers; both are brought up to date.
    """
    total = score + local[a]
    p = arcs.phrase[a]
    for place in range(arcs.phrase_pointer[p], arcs.phrase_pointer[p + 1]):
        w = int(np.int64(arcs.phrase_word[place]))
        second, first = int(np.int64(last[0])), int(np.int64(last[1]))
        for x in range(completed(second, first, w, arcs.n_words, seen, beyond, out)):
            total += weight[out[x]]
        include(seen, int(np.int64(beyond.left[w])))
        last[0], last[1] = first, w
    return float(total)


@njit(cache=True, nogil=True)
def advance(a: int, last: I32, arcs: Arcs, beyond: Beyond, seen: Bits) -> None:
    """Bring a path's last words (2,) and triggers up to date with arc a."""
    p = arcs.phrase[a]
    for place in range(arcs.phrase_pointer[p], arcs.phrase_pointer[p + 1]):
        w = arcs.phrase_word[place]
        include(seen, int(np.int64(beyond.left[w])))
        last[0], last[1] = last[1], w


@njit(cache=True, nogil=True)
def above(a: int, b: int, head: F64) -> bool:
    """Whether arc a comes before arc b of the same node: head (n_arcs,) scores what waits."""
    return bool(head[a] > head[b] or (head[a] == head[b] and a < b))


@njit(cache=True, nogil=True)
def sunk(heap: I64, size: int, head: F64) -> None:
    """Move the top of a heap of arcs down to its place."""
    place, item = 0, heap[0]
    child = 1
    while child < size:
        if child + 1 < size and above(heap[child + 1], heap[child], head):
            child += 1
        if not above(heap[child], item, head):
            break
        heap[place] = heap[child]
        place, child = child, 2 * child + 1
    heap[place] = item


@njit(cache=True, nogil=True)
def lifted(heap: I64, size: int, item: int, head: F64) -> None:
    """Add an arc to a heap of `size` arcs, which has room."""
    place = size
    while place > 0 and above(item, heap[(place - 1) >> 1], head):
        heap[place] = heap[(place - 1) >> 1]
        place = (place - 1) >> 1
    heap[place] = item


@njit(cache=True, nogil=True)
def sort_rows(order: I64, begin: int, array: NDArray[Any]) -> None:
    """Put the rows from `begin` on into an order of them."""
    copy = array[begin : begin + len(order)].copy()
    for i in range(len(order)):
        array[begin + i] = copy[order[i]]


@njit(cache=True, nogil=True)
def same_words(key: I64, begin: int, end: int, left: int, right: int) -> int:
    """Row between begin and end with these hashes of its words, -1 if there is none."""
    for row in range(begin, end):
        if key[row, 0] == left and key[row, 1] == right:
            return row
    return -1


@njit(cache=True, nogil=True)
def cube_kbest(
    arcs: Arcs, local: F64, beyond: Beyond, weight: F64, node_list: int, k: int, distinct: bool
) -> tuple[I64, I64]:
    """Steps of the k best paths that cube pruning finds, best first: offset (n + 1,), arc.

    local (n_arcs,) scores each arc alone, weight (n_features,) weighs what `beyond` completes.  The
    list of a node has at most `node_list` paths, that of the last node k if this is more.  With
    `distinct` a list has no two paths with the same words.
    """
    n_nodes = len(arcs.pointer) - 1
    first_item = np.zeros(n_nodes + 1, dtype=np.int64)
    first_item[1] = 1
    score, link = np.zeros(1024), np.empty((1024, 2), dtype=np.int64)
    last, key = np.empty((1024, 2), dtype=np.int32), np.zeros((1024, 2), dtype=np.int64)
    seen = np.zeros((1024, n_bytes(beyond)), dtype=np.uint8)
    link[0, 0], link[0, 1], last[0, 0], last[0, 1] = -1, -1, -1, -1
    head, rank = np.empty(len(local)), np.zeros(len(local), dtype=np.int64)
    heap, out = np.empty(len(local), dtype=np.int64), np.empty(most_completed(beyond), np.int64)
    now_last, now_seen = np.empty(2, dtype=np.int32), np.empty(n_bytes(beyond), np.uint8)
    for v in range(1, n_nodes):
        begin = n = first_item[v]
        most = max(k, node_list) if v == n_nodes - 1 else node_list
        size = 0
        for a in range(arcs.pointer[v], arcs.pointer[v + 1]):
            d = first_item[arcs.before[a]]
            now_last[:], now_seen[:] = last[d], seen[d]
            head[a] = extended(a, score[d], now_last, arcs, local, beyond, weight, now_seen, out)
            lifted(heap, size, a, head)
            size += 1
        while size > 0 and n - begin < most:
            a = heap[0]
            u = arcs.before[a]
            d = first_item[u] + rank[a]
            p = arcs.phrase[a]
            left, right = words_hash(
                key[d, 0],
                key[d, 1],
                arcs.phrase_pointer[p],
                arcs.phrase_pointer[p + 1],
                arcs.phrase_word,
            )
            same = same_words(key, begin, n, left, right) if distinct else -1
            if same < 0:
                if n == score.shape[0]:
                    score, link = grown(score, n + 1), grown_rows(link, n + 1)
                    last, key = grown_rows(last, n + 1), grown_rows(key, n + 1)
                    seen = grown_rows(seen, n + 1)
                last[n], seen[n] = last[d], seen[d]
                score[n] = head[a]
                advance(a, last[n], arcs, beyond, seen[n])
                link[n, 0], link[n, 1], key[n, 0], key[n, 1] = a, d, left, right
                n += 1
            elif head[a] > score[same]:
                score[same], link[same, 0], link[same, 1] = head[a], a, d
            rank[a] += 1
            d += 1
            if d < first_item[u + 1]:
                now_last[:], now_seen[:] = last[d], seen[d]
                head[a] = extended(
                    a, score[d], now_last, arcs, local, beyond, weight, now_seen, out
                )
            else:
                size -= 1
                heap[0] = heap[size]
            sunk(heap, size, head)
        order = np.argsort(-score[begin:n], kind="mergesort")
        sort_rows(order, begin, last)
        sort_rows(order, begin, key)
        sort_rows(order, begin, link)
        sort_rows(order, begin, seen)
        score[begin:n] = score[begin:n][order]
        first_item[v + 1] = n
    first = first_item[n_nodes - 1]
    found = np.arange(first, min(first + k, first_item[n_nodes]))
    return steps_of(found, len(found), link)
