"""The k best derivations of a search graph, exactly.

Lazy k-best (Huang and Chiang 2005, algorithm 3): the derivations of a node are found one by one,
and only when a node after it asks.  A derivation is (arc, a derivation of the node before).

With `distinct`, a node drops a derivation whose words an earlier, better one of the same node has.
Whatever follows would follow the better one too, so the result is the exact k best strings, each
with its best derivation, however many derivations share a string.

Ties: the arc found first, then the better derivation before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.derivations import (
    ARC,
    BEFORE,
    FOLLOWING,
    GrowingDerivations,
    add_derivation,
    best_derivations,
    says_something_new,
    with_more_room,
)
from campanula.stages.kernels.graph.heaps import (
    HeapCandidates,
    added,
    no_candidates,
    with_room,
    without_root,
)
from campanula.stages.kernels.graph.paths import Paths, paths_to
from campanula.stages.kernels.memory import grown
from campanula.stages.kernels.records import NEXT, NODE_BEFORE, THROUGH, Graph
from campanula.stages.kernels.wide import wide


class NodeLists(NamedTuple):
    """What each node has found so far (n_nodes,).

    newest: its last derivation; heap: root of its candidates, -1 for none; opened: whether all its
    arcs are candidates; exhausted: whether there is no other derivation.  taken (n_nodes, 2): arc
    of the candidate taken last and derivation before it, whose successor (same arc, next
    derivation) is no candidate yet; -1 where it is one.
    """

    newest: Ints
    heap: Ints
    opened: Flags
    exhausted: Flags
    taken: Ints


@njit(cache=True, nogil=True)
def first_lists(derivations: GrowingDerivations, n_nodes: int) -> NodeLists:
    """Of each node, its best derivation alone; the start has no other."""
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
    """The k best derivations (fewer when there are no more), best first.

    `info`, `word`: the options (records.Options; words as strings are to differ by).
    """
    n_nodes, n_arcs = len(graph.first_arc), len(graph.link)
    derivations = best_derivations(graph, info, word, distinct)
    candidates = no_candidates(n_arcs + 1024)
    lists = first_lists(derivations, n_nodes)
    final = n_nodes - 1
    found = np.empty(min(k, 1024), dtype=np.int64)
    found[0] = final
    n_found = 1
    waiting = np.empty(n_nodes + 1, dtype=np.int64)  # nodes that are to find one more derivation
    while n_found < k and not lists.exhausted[final]:
        waiting[0] = final
        n_waiting = 1
        while n_waiting > 0:
            # every arc still to be opened needs its place, too
            if candidates.size[0] + n_arcs >= len(candidates.score):
                candidates = with_room(candidates, n_arcs + 1)
            if derivations.size[0] == len(derivations.score):
                derivations = with_more_room(derivations)
            v = waiting[n_waiting - 1]
            u = asked(v, graph, lists, derivations, candidates)
            if u >= 0:
                waiting[n_waiting] = u
                n_waiting += 1
            elif answered(v, graph, info, word, lists, derivations, candidates):
                n_waiting -= 1
        if not lists.exhausted[final]:
            found = grown(found, n_found + 1)
            found[n_found] = lists.newest[final]
            n_found += 1
    return paths_to(found[:n_found], derivations.step)


@njit(**LEAN)
def asked(
    v: int,
    graph: Graph,
    lists: NodeLists,
    derivations: GrowingDerivations,
    candidates: HeapCandidates,
) -> int:
    """Make candidates of what may be node v's next derivation; there is room for them.

    Returns the node before that must find one more derivation first, -1 if all are there.
    """
    if not lists.opened[v]:
        open_node(v, graph, lists, derivations, candidates)
    a, d = lists.taken[v, ARC], lists.taken[v, BEFORE]
    if a < 0:
        return wide(-1)
    u = wide(graph.link[a, NODE_BEFORE])
    following = derivations.step[d, FOLLOWING]
    if following < 0 and not lists.exhausted[u]:
        return u
    lists.taken[v, ARC] = -1
    if following >= 0:
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
    """Make candidates of all arcs of node v, but for that of its best derivation."""
    lists.opened[v] = True
    a = wide(graph.first_arc[v])
    while a >= 0:
        if a != derivations.step[v, ARC]:
            before = wide(graph.link[a, NODE_BEFORE])
            score = graph.arc_value[a, THROUGH]
            lists.heap[v] = added(lists.heap[v], a, before, score, candidates)
        a = wide(graph.link[a, NEXT])


@njit(**LEAN)
def answered(
    v: int,
    graph: Graph,
    info: Ids,
    word: Ids,
    lists: NodeLists,
    derivations: GrowingDerivations,
    candidates: HeapCandidates,
) -> bool:
    """Take the best candidate of node v as its next derivation, for which there is room.

    Returns False if it says what another does; True, too, when there is none left.
    """
    c = lists.heap[v]
    if c < 0:
        lists.exhausted[v] = True
        return True
    lists.heap[v] = without_root(c, candidates)
    a, d = candidates.source[c, ARC], candidates.source[c, BEFORE]
    lists.taken[v, ARC] = a
    lists.taken[v, BEFORE] = d
    distinct = len(derivations.slots) > 0
    if distinct and not says_something_new(derivations, v, a, d, graph.link, info, word):
        return False
    new = add_derivation(derivations, a, d, candidates.score[c])
    derivations.step[lists.newest[v], FOLLOWING] = new
    lists.newest[v] = new
    return True
