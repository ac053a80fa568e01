"""Beam search over blocks: the pruned search graph of one sentence.

A hypothesis covers some source words.  Those that share a state are one node of the graph,

    state = (coverage, end of the last phrase, its start if a swap can follow,
             language model state, forward reordering scores of the last phrase,
             what sparse features of neighbours still need: sparse_seams)

and each way into it is an arc (node before, option, span).  Stack t holds the nodes with t covered
words.  It is filled by cube pruning (Huang and Chiang 2007): the nodes before that differ only in
language model state and reordering scores are a group; group x span is a grid of candidates, and
one heap over all grids hands out candidates, best estimate first:

    estimate = score(node) + score(option) + cost of the jump + rest(coverage)

`rest` is the best estimate of what the uncovered words will cost, with the jumps that they force
(Moore and Quirk 2007).  The language model is asked only when a candidate is handed out.

Coverage is (gap, mask): every word before `gap` is covered, bit k of mask says whether gap + k is.
"""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import grown
from campanula.stages.kernels.records import (
    CUBE_GROUP,
    CUBE_OPTIONS,
    LAST_START,
    N_NODES,
    Arcs,
    Cubes,
    Graph,
    Jumps,
    LanguageModel,
    Nodes,
    Options,
    Outlook,
    Seams,
    Settings,
)
from campanula.stages.kernels.search.cubes import make_cubes
from campanula.stages.kernels.search.stacks import (
    ARCS,
    HISTORIES,
    NODES,
    TARGETS,
    fill_stack,
    lay_out,
)
from campanula.stages.kernels.sparse.seams import no_history


@njit(cache=True, nogil=True)
def search(
    n: int,
    outlook: Outlook,
    jumps: Jumps,
    options: Options,
    lm: LanguageModel,
    settings: Settings,
    seams: Seams,
) -> Graph:
    """Search graph of a sentence of n words (n >= 1), each of which has an option of its own."""
    nodes = Nodes(
        np.zeros(1024),
        np.zeros(1024, np.int32),
        np.zeros(1024, np.int32),
        np.zeros(1024, np.int32),
        np.zeros(1024, np.int32),
    )
    history = no_history(seams.triggers)
    nodes.state[0], nodes.option[0], nodes.arc[0] = lm.begin, -1, -1
    group = np.zeros((256, 6), dtype=np.int64)  # gap, mask, end, start, first node, nodes
    group[0, LAST_START], group[0, N_NODES] = -1, 1
    stack_group = np.zeros(n + 2, dtype=np.int64)
    stack_group[1] = 1
    n_nodes, n_groups, n_arcs = stack_group[1], stack_group[1], stack_group[0]
    n_histories = stack_group[1]
    arcs = Arcs(np.empty((4096, 5), np.int32), np.empty((4096, 2 + settings.split)))
    cubes = Cubes(np.empty((256, 9), np.int64), np.empty((256, 2)))
    for t in range(1, n + 1):
        cubes, n_cubes = make_cubes(t, n, group, stack_group, outlook, settings, jumps, cubes)
        most = stack_group[0]
        for c in range(n_cubes):
            most += group[cubes.info[c, CUBE_GROUP], N_NODES] * cubes.info[c, CUBE_OPTIONS]
        most = min(most, settings.pop_limit)
        if most > 0:
            arcs = Arcs(
                grown(arcs.link, n_arcs + most),
                grown(arcs.value, n_arcs + most),
            )
            if seams.active != 0:
                history = grown(history, n_histories + most)
            stack = fill_stack(
                t == n, cubes, n_cubes, group, nodes, outlook, options, lm, settings, most, arcs,
                n_arcs, seams, history, n_histories,
            )  # fmt: skip
            n_arcs, n_histories = stack.used[ARCS], stack.used[HISTORIES]
            size = n_nodes + stack.used[NODES]
            nodes = Nodes(
                grown(nodes.score, size),
                grown(nodes.state, size),
                grown(nodes.option, size),
                grown(nodes.arc, size),
                grown(nodes.history, size),
            )
            group = grown(group, n_groups + stack.used[TARGETS])
            n_nodes, n_groups = lay_out(stack, settings, nodes, n_nodes, group, n_groups)
        stack_group[t + 1] = n_groups
    return Graph(
        nodes.score[:n_nodes], nodes.arc[:n_nodes], arcs.link[:n_arcs], arcs.value[:n_arcs]
    )
