"""The k best derivations of a search graph, exactly.

Lazy k-best (Huang and Chiang 2005, algorithm 3): the derivations of a node are found one by one,
and only when a node after it asks.  A derivation is (arc, a derivation of the node before).

With `distinct`, a node drops a derivation that has the words of an earlier, better one of the same
node.  Arcs that may follow the worse one may follow the better one too, so the result is the exact
k best strings, each with its best derivation, however many derivations share a string.

Ties: the arc found first, then the better derivation before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.derivations import (
    FOLLOWING,
    GrowingDerivations,
    add_derivation,
    best_derivations,
    has_new_words,
    with_more_room,
)
from campanula.stages.kernels.graph.heaps import (
    HeapCandidates,
    added,
    no_candidates,
    with_room,
    without_root,
)
from campanula.stages.kernels.graph.paths import ARC, BEFORE, Paths, paths_to
from campanula.stages.kernels.memory import ROOM, grown
from campanula.stages.kernels.records import NEXT, NODE_BEFORE, THROUGH, Graph
from campanula.stages.kernels.wide import wide


class NodeLists(NamedTuple):
    """The state of every node's list of derivations (n_nodes,).

    newest: its last derivation; heap: root of its candidates, -1 for none; opened: whether all its
    arcs are candidates; exhausted: whether there is no other derivation.  taken (n_nodes, 2): ARC
    of the candidate taken last and derivation BEFORE it, while its successor (same arc, next
    derivation) is no candidate; the arc is -1 once it is one, or there is none.
    """

    newest: Ints
    heap: Ints
    opened: Flags
    exhausted: Flags
    taken: Ints


@njit(cache=True, nogil=True)
def first_lists(derivations: GrowingDerivations, n_nodes: int) -> NodeLists:
    """Return lists that have the best derivation of each node alone; the start has no other."""
    exhausted = np.zeros(n_nodes, dtype=np.bool_)
    exhausted[0] = True
    return NodeLists(
        np.arange(n_nodes),
        np.full(n_nodes, -1, dtype=np.int64),
        np.zeros(n_nodes, dtype=np.bool_),
        exhausted,
        derivations.step[:n_nodes, :2].copy(),
    )


@njit(cache=True, nogil=True)
def kbest(graph: Graph, info: Ids, word: Ids, k: int, distinct: bool) -> Paths:
    """Return the k best derivations (fewer when there are no more), best first.

    info: that of the options (records.Options); word: their words, numbered so that two have one
    number if strings shall not differ by them.
    """
    n_nodes, n_arcs = len(graph.first_arc), len(graph.link)
    derivations = best_derivations(graph, info, word, distinct)
    candidates = no_candidates(n_arcs + ROOM)
    lists = first_lists(derivations, n_nodes)
    final = n_nodes - 1
    chosen = np.empty(min(k, ROOM), dtype=np.int64)  # k may be far more than there are
    chosen[0] = final
    n_chosen = 1
    # A stack of nodes that must find one more derivation, in place of recursion: each waits for the
    # one above, which is nearer to the start, so no node is in it twice.
    waiting = np.empty(n_nodes + 1, dtype=np.int64)
    while n_chosen < k and not lists.exhausted[final]:
        waiting[0] = final
        n_waiting = 1
        while n_waiting > 0:
            # A step adds at most the arcs of one node, and a successor.  Room is made here: the
            # kernels below make no arrays.
            if candidates.size[0] + n_arcs >= len(candidates.score):
                candidates = with_room(candidates, n_arcs + 1)
            if derivations.size[0] == len(derivations.score):
                derivations = with_more_room(derivations)
            v = waiting[n_waiting - 1]
            u = offer_successor(v, graph, lists, derivations, candidates)
            if u >= 0:
                waiting[n_waiting] = u
                n_waiting += 1
            elif take_next(v, graph, info, word, lists, derivations, candidates):
                n_waiting -= 1
        if not lists.exhausted[final]:
            chosen = grown(chosen, n_chosen + 1)
            chosen[n_chosen] = lists.newest[final]
            n_chosen += 1
    return paths_to(chosen[:n_chosen], derivations.step)


@njit(**LEAN)
def offer_successor(
    v: int,
    graph: Graph,
    lists: NodeLists,
    derivations: GrowingDerivations,
    candidates: HeapCandidates,
) -> int:
    """Add what may be node v's next derivation to its candidates, which have room.

    Returns the node before v that must find one more derivation first, -1 if none must.
    """
    if not lists.opened[v]:
        open_node(v, graph, lists, derivations, candidates)
    a, d = lists.taken[v, ARC], lists.taken[v, BEFORE]
    if a < 0:
        return wide(-1)
    u = wide(graph.link[a, NODE_BEFORE])
    following = derivations.step[d, FOLLOWING]
    if following < 0 and not lists.exhausted[u]:
        return u  # v asks again when u has one more
    lists.taken[v, ARC] = -1
    if following >= 0:
        # THROUGH is the score by the best derivation of u, which is number u: the rest is the arc's
        own = graph.arc_value[a, THROUGH] - derivations.score[u]
        score = derivations.score[following] + own
        lists.heap[v] = added(lists.heap[v], a, following, score, candidates)
    return wide(-1)


@njit(**LEAN)
def open_node(
    v: int,
    graph: Graph,
    lists: NodeLists,
    derivations: GrowingDerivations,
    candidates: HeapCandidates,
) -> None:
    """Make candidates of all arcs of node v but that of its best derivation, which is taken."""
    lists.opened[v] = True
    a = wide(graph.first_arc[v])
    while a >= 0:
        if a != derivations.step[v, ARC]:
            before = wide(graph.link[a, NODE_BEFORE])
            score = graph.arc_value[a, THROUGH]
            lists.heap[v] = added(lists.heap[v], a, before, score, candidates)
        a = wide(graph.link[a, NEXT])


@njit(**LEAN)
def take_next(
    v: int,
    graph: Graph,
    info: Ids,
    word: Ids,
    lists: NodeLists,
    derivations: GrowingDerivations,
    candidates: HeapCandidates,
) -> bool:
    """Take the best candidate of node v as its next derivation, for which there is room.

    Returns False if another derivation of v has its words, so that v must go on; True if v has its
    next derivation, or has no candidate left.
    """
    c = lists.heap[v]
    if c < 0:
        lists.exhausted[v] = True
        return True
    lists.heap[v] = without_root(c, candidates)
    a, d = candidates.source[c, ARC], candidates.source[c, BEFORE]
    lists.taken[v, ARC] = a
    lists.taken[v, BEFORE] = d
    # noted even if the derivation is dropped: its successor may have other words
    distinct = len(derivations.slots) > 0
    if distinct and not has_new_words(derivations, v, a, d, graph.link, info, word):
        return False
    new = add_derivation(derivations, a, d, candidates.score[c])
    derivations.step[lists.newest[v], FOLLOWING] = new
    lists.newest[v] = new
    return True
