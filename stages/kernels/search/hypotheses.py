"""The search graph while it grows: nodes in groups, arcs, histories; and the finished graph.

Kernels here make new arrays when there is no room left; the kernels that fill them make none.
"""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import ROOM, grown
from campanula.stages.kernels.records import Graph, Sentence
from campanula.stages.kernels.search.records import (
    ARCS,
    GROUPS,
    HISTORIES,
    LAST_START,
    LM_STATES,
    N_NODES,
    NODES,
    STATES,
    TARGETS,
    Hypotheses,
    Nodes,
    Stack,
)
from campanula.stages.kernels.sparse.seams import no_history


@njit(cache=True, nogil=True, inline="always")
def empty_hypothesis(sentence: Sentence) -> Hypotheses:
    """Return a graph of one hypothesis, which has translated nothing."""
    nodes = Nodes(
        np.zeros(ROOM),
        np.zeros(ROOM, np.int32),
        np.zeros(ROOM, np.int32),
        np.zeros(ROOM, np.int32),
        np.zeros((ROOM, sentence.outlook.back.shape[1])),
    )
    begin = sentence.lm.begin
    # with one model the state itself is in the node: a row would be one look-up more
    lm_states = np.empty((ROOM if len(begin) > 1 else 1, len(begin)), np.int32)
    lm_states[0] = begin
    nodes.state[0] = begin[0] if len(begin) == 1 else 0
    nodes.arc[0] = -1
    group = np.zeros((256, 6), dtype=np.int64)
    group[0, LAST_START] = -1  # no phrase, which nothing can be swapped with
    group[0, N_NODES] = 1
    stack_group = np.zeros(sentence.n_words + 2, dtype=np.int64)
    stack_group[1] = 1
    # the start is one node, one group, and the row 0 of histories and of language model states
    size = np.ones(5, dtype=np.int64)
    size[ARCS] = 0
    link = np.empty((4 * ROOM, 5), np.int32)
    value = np.empty((4 * ROOM, 1 + len(begin) + sentence.settings.split))
    history = no_history(sentence.seams.triggers)
    return Hypotheses(size, nodes, group, stack_group, link, value, history, lm_states)


@njit(cache=True, nogil=True, inline="always")
def with_arc_room(hypotheses: Hypotheses, more: int, seamed: bool) -> Hypotheses:
    """Return the graph with room for `more` arcs, and as many histories and states of models.

    Histories only if sparse features need them (`seamed`), states only with several models.
    """
    size, nodes, group, stack_group, link, value, history, lm_states = hypotheses
    link = grown(link, size[ARCS] + more)
    value = grown(value, size[ARCS] + more)
    if seamed:
        history = grown(history, size[HISTORIES] + more)
    if lm_states.shape[1] > 1:
        lm_states = grown(lm_states, size[LM_STATES] + more)
    return Hypotheses(size, nodes, group, stack_group, link, value, history, lm_states)


@njit(cache=True, nogil=True, inline="always")
def with_node_room(hypotheses: Hypotheses, stack: Stack) -> Hypotheses:
    """Return the graph with room for the nodes and groups of a stack."""
    size, nodes, group, stack_group, link, value, history, lm_states = hypotheses
    n_nodes, n_groups = size[NODES] + stack.size[STATES], size[GROUPS] + stack.size[TARGETS]
    nodes = Nodes(
        grown(nodes.score, n_nodes),
        grown(nodes.state, n_nodes),
        grown(nodes.arc, n_nodes),
        grown(nodes.history, n_nodes),
        grown(nodes.forth, n_nodes),
    )
    group = grown(group, n_groups)
    return Hypotheses(size, nodes, group, stack_group, link, value, history, lm_states)


@njit(cache=True, nogil=True, inline="always")
def finished(hypotheses: Hypotheses) -> Graph:
    """Return the graph without unused room; its arrays are views."""
    nodes = hypotheses.nodes
    n_nodes = hypotheses.size[NODES]
    n_arcs = hypotheses.size[ARCS]
    return Graph(
        nodes.score[:n_nodes],
        nodes.arc[:n_nodes],
        hypotheses.link[:n_arcs],
        hypotheses.value[:n_arcs],
    )
