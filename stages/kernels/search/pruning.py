"""A stack that is full: its best nodes are kept, and stored by groups."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import Settings
from campanula.stages.kernels.search.records import (
    BEST_OPTION,
    FIRST_NODE,
    GROUPS,
    KEY_HISTORY,
    KEY_STATE,
    KEY_TARGET,
    N_NODES,
    NEWEST_ARC,
    NODES,
    OWN,
    STATES,
    TARGETS,
    WITH_REST,
    Hypotheses,
    Stack,
)


@njit(cache=True, nogil=True)
def descending(value: Floats) -> Ints:
    """Order of the values, largest first, equal ones as they come (a merge sort, bottom up)."""
    n = len(value)
    order = np.arange(n)
    other = np.empty(n, dtype=np.int64)
    width = 1
    while width < n:
        for begin in range(0, n, 2 * width):
            a, middle = begin, min(begin + width, n)
            b, end = middle, min(begin + 2 * width, n)
            for place in range(begin, end):
                if a < middle and (b == end or value[order[a]] >= value[order[b]]):
                    other[place] = order[a]
                    a += 1
                else:
                    other[place] = order[b]
                    b += 1
        order, other = other, order
        width *= 2
    return order


@njit(cache=True, nogil=True, inline="always")
def kept_nodes(stack: Stack, settings: Settings) -> Ints:
    """Nodes of a stack that are kept, best first."""
    total = stack.score[: stack.size[STATES], WITH_REST].copy()
    order = descending(total)
    kept = min(len(order), settings.stack)
    while kept > 1 and total[order[kept - 1]] < total[order[0]] - settings.threshold:
        kept -= 1
    return order[:kept]


@njit(cache=True, nogil=True, inline="always")
def add_groups(stack: Stack, kept: Ints, hypotheses: Hypotheses) -> Ints:
    """Add the groups of a stack that keep nodes: the first node of each (n_targets,)."""
    group, size, n_targets = hypotheses.group, hypotheses.size, stack.size[TARGETS]
    count = np.zeros(n_targets, dtype=np.int64)
    for new in kept:
        count[stack.key[new, KEY_TARGET]] += 1
    first = np.empty(n_targets, dtype=np.int64)
    n_nodes = size[NODES]
    for target in range(n_targets):
        first[target] = n_nodes
        if count[target] > 0:
            for column in range(FIRST_NODE):
                group[size[GROUPS], column] = stack.targets[target, column]
            group[size[GROUPS], FIRST_NODE] = n_nodes
            group[size[GROUPS], N_NODES] = count[target]
            size[GROUPS] += 1
            n_nodes += count[target]
    return first


@njit(cache=True, nogil=True, inline="always")
def lay_out(stack: Stack, settings: Settings, hypotheses: Hypotheses) -> None:
    """Prune a stack and store it by groups, the best node of each first; there is room."""
    kept = kept_nodes(stack, settings)
    free = add_groups(stack, kept, hypotheses)
    nodes, key, newest = hypotheses.nodes, stack.key, stack.newest
    for new in kept:
        node = free[key[new, KEY_TARGET]]
        free[key[new, KEY_TARGET]] += 1
        nodes.score[node] = stack.score[new, OWN]
        nodes.state[node] = key[new, KEY_STATE]
        nodes.option[node] = newest[new, BEST_OPTION]
        nodes.arc[node] = newest[new, NEWEST_ARC]
        nodes.history[node] = key[new, KEY_HISTORY]
    hypotheses.size[NODES] += len(kept)
