"""The finished graph of the oracle search: all paths to the best whole translations.

A derivation scores minus its number of blocks, minus the rank of its gain times more than blocks
can count.  So the k best derivations are those of highest gain, and of equal gain those of fewest
blocks; and scores are whole numbers, whose ties are exact.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.oracle.records import Stacks, StateArcs, StateNodes
from campanula.stages.kernels.oracle.stacks import best_of
from campanula.stages.kernels.records import END, NEXT, NODE_BEFORE, OPTION, START, THROUGH, Graph

SAME = 1e-12  # relative: products of equal factors in another order differ by less


@njit(cache=True, nogil=True)
def finished(
    n: int, stacks: Stacks, keep: int, expanded: Ints, nodes: StateNodes, arcs: StateArcs
) -> Graph:
    """Return the graph of the best whole translations, of both layers.

    expanded: the nodes that the search has expanded, each after those that lead to it.
    """
    final = best_ends(n, stacks, keep, arcs)
    number, n_nodes, n_arcs = numbered(final, expanded, nodes, arcs)
    graph = Graph(
        np.zeros(n_nodes + 1),
        np.full(n_nodes + 1, -1, np.int32),
        np.empty((n_arcs, 5), np.int32),
        np.zeros((n_arcs, 2)),
    )
    filled = 0
    for v in expanded:
        if number[v] >= 0:
            filled = add_node(graph, filled, v, number, nodes, arcs)
    add_end(graph, filled, n, final, number, arcs)
    return graph


@njit(cache=True, nogil=True)
def best_ends(n: int, stacks: Stacks, keep: int, arcs: StateArcs) -> Ints:
    """Return the best arcs to whole translations, `keep` of each layer, highest value first."""
    plain = best_of(stacks, 2 * n, arcs.link[:, NEXT], arcs.value, keep)
    swapped = best_of(stacks, 2 * n + 1, arcs.link[:, NEXT], arcs.value, keep)
    final = np.concatenate((plain, swapped))
    # a stable sort: of equals those without a swap come first, and older ones
    return final[np.argsort(-arcs.value[final], kind="mergesort")]


@njit(cache=True, nogil=True)
def numbered(
    final: Ints, expanded: Ints, nodes: StateNodes, arcs: StateArcs
) -> tuple[Ids, int, int]:
    """Return each node's number in the finished graph, -1 for none, and how many nodes and arcs.

    The end is not counted as a node.
    """
    # from the last node back: first 0 marks what leads to the end, then forward numbers are given
    number = np.full(len(nodes.estimate), -1, np.int32)
    for a in final:
        number[arcs.link[a, NODE_BEFORE]] = 0
    n_nodes = 0
    n_arcs = len(final)
    for k in range(len(expanded) - 1, -1, -1):
        if number[expanded[k]] >= 0:
            n_nodes += 1
            a = nodes.arc[expanded[k]]
            while a >= 0:
                number[arcs.link[a, NODE_BEFORE]] = 0
                n_arcs += 1
                a = arcs.link[a, NEXT]
    n_numbered = 0
    for v in expanded:
        if number[v] >= 0:
            number[v] = n_numbered
            n_numbered += 1
    return number, n_nodes, n_arcs


@njit(**LEAN)
def add_node(
    graph: Graph, filled: int, v: int, number: Ids, nodes: StateNodes, arcs: StateArcs
) -> int:
    """Add node v, with its arcs from `filled` on, and return where these end."""
    u = number[v]
    graph.node_score[u] = -nodes.blocks[v]
    end = filled
    a = nodes.arc[v]
    while a >= 0:
        end += 1
        a = arcs.link[a, NEXT]
    # the search's list has the newest first: filled from behind, arcs stand here by age
    x = end - 1
    a = nodes.arc[v]
    while a >= 0:
        copy_arc(graph, x, a, number, arcs, x - 1 if x > filled else -1)
        x -= 1
        a = arcs.link[a, NEXT]
    graph.first_arc[u] = end - 1 if end > filled else -1
    return end


@njit(**LEAN)
def copy_arc(graph: Graph, x: int, a: int, number: Ids, arcs: StateArcs, following: int) -> None:
    """Make arc x of the graph from arc a; its score is that of the node before, less a block."""
    before = number[arcs.link[a, NODE_BEFORE]]
    for column in (OPTION, START, END):
        graph.link[x, column] = arcs.link[a, column]
    graph.link[x, NODE_BEFORE] = before
    graph.link[x, NEXT] = following
    graph.arc_value[x, THROUGH] = graph.node_score[before] - 1.0


@njit(**LEAN)
def add_end(graph: Graph, filled: int, n: int, final: Ints, number: Ids, arcs: StateArcs) -> None:
    """Add the end node and its arcs `final`, highest gain first; n: words of the sentence."""
    end = len(graph.node_score) - 1
    rank = 0
    highest = -np.inf
    for k in range(len(final)):
        a = final[k]
        x = filled + k
        if k > 0 and arcs.value[a] < arcs.value[final[k - 1]] * (1.0 - SAME):
            rank += 1
        copy_arc(graph, x, a, number, arcs, graph.first_arc[end])
        # n words are n blocks at most: a lower gain costs more than any number of blocks
        graph.arc_value[x, THROUGH] -= rank * (n + 1.0)
        highest = max(highest, graph.arc_value[x, THROUGH])
        graph.first_arc[end] = x
    graph.node_score[end] = highest
