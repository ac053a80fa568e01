"""The finished graph of the oracle search: what leads to the best whole translations.

Its scores are whole numbers, minus blocks and ranks of gain, so that the k best derivations are
those of highest gain, and of equal gain those of fewest blocks.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.oracle.records import Stacks, StateArcs, StateNodes
from campanula.stages.kernels.oracle.stacks import best_of
from campanula.stages.kernels.records import END, NEXT, NODE_BEFORE, OPTION, START, THROUGH, Graph

SAME = 1e-12  # gains that differ by less are equal, but for the order of their factors


@njit(cache=True, nogil=True)
def finished(
    n: int, stacks: Stacks, keep: int, expanded: Ints, nodes: StateNodes, arcs: StateArcs
) -> Graph:
    """Graph of what leads to the best whole translations, of both layers.

    expanded: the nodes whose arcs lead on, every one after those that lead to it.
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
    """The best arcs to whole translations, `keep` of each layer, of highest value first."""
    plain = best_of(stacks, 2 * n, arcs.link[:, NEXT], arcs.value, keep)
    swapped = best_of(stacks, 2 * n + 1, arcs.link[:, NEXT], arcs.value, keep)
    final = np.concatenate((plain, swapped))
    return final[np.argsort(-arcs.value[final], kind="mergesort")]


@njit(cache=True, nogil=True)
def numbered(
    final: Ints, expanded: Ints, nodes: StateNodes, arcs: StateArcs
) -> tuple[Ids, int, int]:
    """Numbers in the finished graph of all nodes, -1 for none; its nodes but the end; its arcs."""
    number = np.full(len(nodes.estimate), -1, np.int32)
    for a in final:
        number[arcs.link[a, NODE_BEFORE]] = 0
    n_nodes, n_arcs = 0, len(final)
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
    """Add node v, its arcs from `filled` on: where they end."""
    u = number[v]
    graph.node_score[u] = -nodes.blocks[v]
    end, a = filled, nodes.arc[v]
    while a >= 0:
        end += 1
        a = arcs.link[a, NEXT]
    # newest first there, so here from the last to the first
    x, a = end - 1, nodes.arc[v]
    while a >= 0:
        copy_arc(graph, x, a, number, arcs, x - 1 if x > filled else -1)
        x -= 1
        a = arcs.link[a, NEXT]
    graph.first_arc[u] = end - 1 if end > filled else -1
    return end


@njit(**LEAN)
def copy_arc(graph: Graph, x: int, a: int, number: Ids, arcs: StateArcs, following: int) -> None:
    """Make arc x of the graph from arc a: a block more than the node before has."""
    before = number[arcs.link[a, NODE_BEFORE]]
    for column in (OPTION, START, END):
        graph.link[x, column] = arcs.link[a, column]
    graph.link[x, NODE_BEFORE] = before
    graph.link[x, NEXT] = following
    graph.arc_value[x, THROUGH] = graph.node_score[before] - 1.0


@njit(**LEAN)
def add_end(graph: Graph, filled: int, n: int, final: Ints, number: Ids, arcs: StateArcs) -> None:
    """Add the end, whose arcs lose more for a lower gain than any blocks of n words can."""
    end = len(graph.node_score) - 1
    rank, highest = 0, -np.inf
    for k in range(len(final)):
        a, x = final[k], filled + k
        if k > 0 and arcs.value[a] < arcs.value[final[k - 1]] * (1.0 - SAME):
            rank += 1
        copy_arc(graph, x, a, number, arcs, graph.first_arc[end])
        graph.arc_value[x, THROUGH] -= rank * (n + 1.0)
        highest = max(highest, graph.arc_value[x, THROUGH])
        graph.first_arc[end] = x
    graph.node_score[end] = highest
