"""The arcs of a search graph that lie on a path to its end, and the best score up to each arc."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import (
    NEXT,
    NODE_BEFORE,
    Graph,
)


class LatticeArcs(NamedTuple):
    """Arcs and phrases of a lattice, as in formats/records/lattice.py; n_words target words.

    Into node v lead the arcs pointer[v]:pointer[v + 1].  Of each arc (n_arcs,): before, the node it
    comes from; start and end, its source words; phrase, whose target words are
    phrase_word[phrase_pointer[p]:phrase_pointer[p + 1]].
    """

    pointer: Ints
    before: Ids
    start: Ids
    end: Ids
    phrase: Ids
    phrase_pointer: Ints
    phrase_word: Ids
    n_words: int


class UsefulArcs(NamedTuple):
    """The arcs of a search graph that lead to its end, by the n nodes that they lead to.

    The nodes keep their order and are numbered from 0.  Into node v lead arc[pointer[v]:pointer[
    v + 1]], in the order in which the search found them, each from node before[i] of these n.
    """

    pointer: Ints
    arc: Ints
    before: Ints


@njit(cache=True, nogil=True)
def useful_arcs(graph: Graph) -> UsefulArcs:
    """Return the arcs of the graph that lead to its end."""
    first_arc, link = graph.first_arc, graph.link
    n_nodes = len(first_arc)
    count = np.zeros(n_nodes, dtype=np.int64)  # arcs into each node that is useful
    useful = np.zeros(n_nodes, dtype=np.bool_)
    useful[n_nodes - 1] = True
    # nodes are in topological order: from the last back, all nodes after v have been marked
    for v in range(n_nodes - 1, 0, -1):
        if useful[v]:
            a = first_arc[v]
            while a >= 0:
                useful[link[a, NODE_BEFORE]] = True
                count[v] += 1
                a = link[a, NEXT]
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
                place -= 1  # the list begins with the newest arc, the result ends with it
                arc[place] = a
                before[place] = number[link[a, NODE_BEFORE]]
                a = link[a, NEXT]
    return UsefulArcs(pointer, arc, before)


@njit(cache=True, nogil=True)
def best_through(pointer: Ints, before: Ids, local: Floats) -> Floats:
    """Return the score of the best path that ends with each arc (n_arcs,); local: arcs' scores."""
    best = np.zeros(len(pointer) - 1)
    score = np.empty(len(local))
    for v in range(1, len(best)):
        best[v] = -np.inf
        for a in range(pointer[v], pointer[v + 1]):
            score[a] = best[before[a]] + local[a]
            best[v] = max(best[v], score[a])
    return score
