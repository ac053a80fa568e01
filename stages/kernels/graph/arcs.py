"""Arcs of a search graph that lie on a path to its end, and what each adds to the features.

What an arc adds depends on the node before it alone: nodes tell apart whatever the features of the
next phrase ask of the last one (its end; its start where a swap can follow; its class of forward
reordering scores).  So any arc into that node answers for all of them.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints, Singles
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import Graph
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def useful_arcs(graph: Graph) -> tuple[Ints, Ints, Ints]:
    """Arcs that lead to the end: pointer (n + 1,), arc (pointer[n],), node before it, new numbers.

    The n nodes that are left keep their order and are numbered from 0; the arcs into one of them
    are in the order in which the search found them.
    """
    first_arc, link = graph.first_arc, graph.link
    n_nodes = len(first_arc)
    count = np.zeros(n_nodes, dtype=np.int64)  # arcs into each node that is useful
    useful = np.zeros(n_nodes, dtype=np.bool_)
    useful[n_nodes - 1] = True
    for v in range(n_nodes - 1, 0, -1):
        if useful[v]:
            a = first_arc[v]
            while a >= 0:
                useful[link[a, 0]] = True
                count[v] += 1
                a = link[a, 4]
    number = np.cumsum(useful) - 1
    pointer = np.zeros(number[n_nodes - 1] + 2, dtype=np.int64)
    arc = np.empty(count.sum(), dtype=np.int64)
    before = np.empty(count.sum(), dtype=np.int64)
    for v in range(n_nodes):
        if useful[v]:
            place = pointer[number[v]] + count[v]
            pointer[number[v] + 1] = place
            a = first_arc[v] if v > 0 else -1
            while a >= 0:
                place -= 1  # the newest comes first
                arc[place], before[place] = a, number[link[a, 0]]
                a = link[a, 4]
    return pointer, arc, before


@njit(cache=True, nogil=True)
def arc_features(
    pointer: Ints,
    arc: Ints,
    before: Ints,
    graph: Graph,
    info: Ids,
    score: Singles,
    reordering: Singles,
) -> Floats:
    """Features (5 + n_scores + n_reordering, n_arcs) that arcs add, as in search_kbest."""
    link, arc_value = graph.link, graph.arc_value
    n_scores, lexical = score.shape[1], reordering.shape[0] > 0
    value = np.zeros((5 + n_scores + (6 if lexical else 0), len(arc)))
    for i in range(len(arc)):
        a = arc[i]
        option, start, end = link[a, 1], wide(link[a, 2]), wide(link[a, 3])
        r = wide(info[option, 0])
        before_start, before_end, last = -1, 0, -1
        if before[i] > 0:
            b = arc[pointer[before[i]]]
            before_start, before_end = wide(link[b, 2]), wide(link[b, 3])
            last = wide(info[link[b, 1], 0])
        value[0, i] = arc_value[a, 1]
        value[1, i] -= abs(start - before_end)
        value[2, i] -= info[option, 1]
        value[3, i] = 1.0
        if r >= 0:
            for k in range(n_scores):
                value[5 + k, i] = score[r, k]
        else:
            value[4, i] = -100.0
        if lexical:
            orientation = 2
            if start == before_end:
                orientation = 0
            elif end == before_start:
                orientation = 1
            if r >= 0:
                value[5 + n_scores + orientation, i] = reordering[r, orientation]
            if last >= 0:
                value[8 + n_scores + orientation, i] = reordering[last, 3 + orientation]
    return value


@njit(cache=True, nogil=True)
def path_sums(offset: Ints, arc: Ints, value: Floats) -> Floats:
    """Sums (n_values, n_paths) of values (n_values, n_arcs) along paths, from their start on."""
    total = np.zeros((value.shape[0], len(offset) - 1))
    for k in range(value.shape[0]):
        for h in range(len(offset) - 1):
            for s in range(offset[h], offset[h + 1]):
                total[k, h] += value[k, arc[s]]
    return total


@njit(cache=True, nogil=True)
def best_through(pointer: Ints, before: Ids, local: Floats) -> Floats:
    """Score of the best path that ends with each arc (n_arcs,), from what each arc adds."""
    best = np.zeros(len(pointer) - 1)
    score = np.empty(len(local))
    for v in range(1, len(best)):
        best[v] = -np.inf
        for a in range(pointer[v], pointer[v + 1]):
            score[a] = best[before[a]] + local[a]
            best[v] = max(best[v], score[a])
    return score
