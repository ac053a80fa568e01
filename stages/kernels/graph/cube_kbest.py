"""The best paths of a lattice under features that look beyond an arc: cube pruning.

A node keeps a list of the best paths that reach it (Gimpel and Smith 2012, section 4.3: 100).  A
path after it is an arc and a path of the list before the arc; the best of each arc wait in a heap,
and when one is taken the next of the same arc follows it (Huang and Chiang 2005, algorithm 2):

    score = score(path before) + local(arc) + turn(arc before, arc) + seam(history of the path, arc)

The last two depend on what stands before, so that a worse path may give a better one: lists that
are too short lose some (Chiang 2007).  With lists that hold all paths, nothing is lost.

Ties: the first arc, then the better path before it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campanula.formats.arrays.types import Flags, Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.graph.features import Arcs
from campanula.stages.kernels.graph.kbest import steps_of, words_hash
from campanula.stages.kernels.memory import grown
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.records import ORIENTATIONS, Seams
from campanula.stages.kernels.sparse.seams import no_history, remember, seam_score
from campanula.stages.kernels.wide import wide


class Turns(NamedTuple):
    """Scores of orientations and jumps: block (n_arcs,), the block of each arc; score (n_blocks, 6)
    by orientation R, L, N, its own, then that of the block after; jump (2 r + 1,) as in Seams.
    """

    block: Ints
    score: Floats
    jump: Floats


@njit(cache=True, nogil=True)
def turn_score(b: int, a: int, arcs: Arcs, turns: Turns) -> float:
    """Score of the orientation and the jump of arc a after arc b, -1 for the start."""
    before_start, before_end, far = -1, 0, len(turns.jump) >> 1
    if b >= 0:
        before_start, before_end = wide(arcs.start[b]), wide(arcs.end[b])
    start = wide(arcs.start[a])
    turn = orientation(start, wide(arcs.end[a]), before_start, before_end)
    total = turns.score[turns.block[a], turn]
    if b >= 0:
        total += turns.score[turns.block[b], ORIENTATIONS + turn]
    if abs(start - before_end) <= far:
        total += turns.jump[start - before_end + far]
    return float(total)


@njit(cache=True, nogil=True)
def settled_turns(arcs: Arcs, turns: Turns) -> tuple[Floats, Flags]:
    """Turn scores of arcs for which it is the same after every arc before (0 elsewhere; n_arcs,).

    The second result says where it varies.
    """
    score, varies = np.zeros(len(arcs.before)), np.zeros(len(arcs.before), dtype=np.bool_)
    for a in range(len(arcs.before)):
        u = arcs.before[a]
        first = wide(arcs.pointer[u]) if u > 0 else -1
        score[a] = turn_score(first, a, arcs, turns)
        for b in range(arcs.pointer[u] + 1, arcs.pointer[u + 1]):
            if turn_score(b, a, arcs, turns) != score[a]:
                varies[a] = True
        if varies[a]:
            score[a] = 0.0
    return score, varies


@njit(cache=True, nogil=True)
def above(a: int, b: int, head: Floats) -> bool:
    """Whether arc a comes before arc b of the same node: head (n_arcs,) scores what waits."""
    return bool(head[a] > head[b] or (head[a] == head[b] and a < b))


@njit(cache=True, nogil=True)
def sunk(heap: Ints, size: int, head: Floats) -> None:
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
def lifted(heap: Ints, size: int, item: int, head: Floats) -> None:
    """Add an arc to a heap of `size` arcs, which has room."""
    place = size
    while place > 0 and above(item, heap[(place - 1) >> 1], head):
        heap[place] = heap[(place - 1) >> 1]
        place = (place - 1) >> 1
    heap[place] = item


@njit(cache=True, nogil=True)
def sort_rows(order: Ints, begin: int, array: NDArray[Any]) -> None:
    """Put the rows from `begin` on into an order of them."""
    copy = array[begin : begin + len(order)].copy()
    for i in range(len(order)):
        array[begin + i] = copy[order[i]]


@njit(cache=True, nogil=True)
def same_future(a: int, b: int, turned: bool, arcs: Arcs, block: Ints, context: Ints) -> bool:
    """Whether whatever follows scores the same after arcs a and b, the words being the same."""
    x, y = block[a], block[b]
    same = context[x, 0] == context[y, 0] and context[x, 1] == context[y, 1]
    if turned:
        same = x == y and arcs.start[a] == arcs.start[b] and arcs.end[a] == arcs.end[b]
    return bool(same)


@njit(cache=True, nogil=True, inline="always")
def extended(
    d: int,
    a: int,
    score: Floats,
    link: Ints,
    history: Ints,
    arcs: Arcs,
    local: Floats,
    varies: Flags,
    turns: Turns,
    info: Ids,
    seams: Seams,
) -> float:
    """Score of path d and arc a after it."""
    total = score[d] + local[a]
    total += seam_score(history, d, turns.block[a], info, seams)
    if varies[a]:
        total += turn_score(link[d, 0], a, arcs, turns)
    return float(total)


@njit(cache=True, nogil=True)
def cube_kbest(
    arcs: Arcs,
    local: Floats,
    varies: Flags,
    turns: Turns,
    info: Ids,
    seams: Seams,
    node_list: int,
    k: int,
    distinct: bool,
) -> tuple[Ints, Ints]:
    """Steps of the k best paths that cube pruning finds, best first: offset (n + 1,), arc.

    local (n_arcs,) scores each arc alone; varies (n_arcs,) says which turns are to be added; info
    and seams (records.Options, Seams) are those of the blocks.  The list of a node has at
    most `node_list` paths, that of the last node k if this is more.  With `distinct` the last has
    no two paths with the same words, and no other has two with the same words and future.
    """
    n_nodes, start = len(arcs.pointer) - 1, no_history(seams.triggers)
    first_item = np.zeros(n_nodes + 1, dtype=np.int64)
    first_item[1] = 1
    score, link = np.zeros(1024), np.empty((1024, 2), dtype=np.int64)
    key = np.zeros((1024, 2), dtype=np.int64)
    history = np.zeros((1024, start.shape[1]), dtype=np.int64)
    link[0, 0], link[0, 1], history[0] = -1, -1, start[0]
    head, rank = np.empty(len(local)), np.zeros(len(local), dtype=np.int64)
    heap, block = np.empty(len(local), dtype=np.int64), turns.block
    turned = bool(varies.any())
    for v in range(1, n_nodes):
        begin = n = first_item[v]
        most = max(k, node_list) if v == n_nodes - 1 else node_list
        size = 0
        for a in range(arcs.pointer[v], arcs.pointer[v + 1]):
            d = first_item[arcs.before[a]]
            head[a] = extended(d, a, score, link, history, arcs, local, varies, turns, info, seams)
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
            new = n
            if distinct:
                for row in range(begin, n):
                    if key[row, 0] == left and key[row, 1] == right:
                        b = link[row, 0]
                        if v == n_nodes - 1 or same_future(
                            a, b, turned, arcs, block, seams.context
                        ):
                            new = row
            if new == n or head[a] > score[new]:
                if new == score.shape[0]:
                    score, link = grown(score, n + 1), grown(link, n + 1)
                    key, history = grown(key, n + 1), grown(history, n + 1)
                score[new] = head[a]
                remember(history, d, new, turns.block[a], info, seams)
                link[new, 0], link[new, 1], key[new, 0], key[new, 1] = a, d, left, right
                n = max(n, new + 1)
            rank[a] += 1
            d += 1
            if d < first_item[u + 1]:
                head[a] = extended(
                    d, a, score, link, history, arcs, local, varies, turns, info, seams
                )
            else:
                size -= 1
                heap[0] = heap[size]
            sunk(heap, size, head)
        order = np.argsort(-score[begin:n], kind="mergesort")
        sort_rows(order, begin, key)
        sort_rows(order, begin, link)
        sort_rows(order, begin, history)
        score[begin:n] = score[begin:n][order]
        first_item[v + 1] = n
    first = first_item[n_nodes - 1]
    found = np.arange(first, min(first + k, first_item[n_nodes]))
    return steps_of(found, len(found), link)
