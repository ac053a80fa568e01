"""Prune a stack that has been filled, and store its best nodes in the graph by groups."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.records import (
    FORWARD,
    H_FORWARD,
    ORIENTATIONS,
    Sentence,
    Settings,
)
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
from campanula.stages.kernels.wide import wide

FEW = 256  # up to so many nodes are sorted by insertion alone, which is quadratic in a group


@njit(**LEAN)
def kth_largest(value: Floats, n: int, k: int) -> float:
    """Return the k-th largest of the first n values, k from 1 on; reorders them (Hoare 1961)."""
    low, high, wanted = 0, n - 1, k - 1
    while low < high:
        pivot = value[(low + high) >> 1]
        a = low
        b = high
        # values equal to the pivot stop both, so that a run of equal values is cut in the middle
        while a <= b:
            while value[a] > pivot:
                a += 1
            while value[b] < pivot:
                b -= 1
            if a <= b:
                value[a], value[b] = value[b], value[a]
                a += 1
                b -= 1
        if wanted <= b:
            high = b
        elif wanted >= a:
            low = a
        else:
            break
    return float(value[wanted])


@njit(**LEAN)
def keep_nodes(stack: Stack, settings: Settings) -> int:
    """Write the nodes to keep to stack.kept, in the order in which they came; return their number.

    Of nodes with equal scores the first are kept.
    """
    n = stack.size[STATES]
    total = stack.score
    scratch = stack.scratch
    best = -np.inf
    for new in range(n):
        scratch[new] = total[new, WITH_REST]
        best = max(best, scratch[new])
    least = best - settings.threshold
    cut = -np.inf
    equal = n
    if n > settings.stack:
        cut = kth_largest(scratch, n, settings.stack)
        equal = settings.stack
        for new in range(n):
            equal -= total[new, WITH_REST] > cut
    n_kept = 0
    for new in range(n):
        value = total[new, WITH_REST]
        # `not`: a bound that is not a number (inf - inf) drops nothing
        within = not value <= cut
        if value == cut and equal > 0:
            within = True
            equal -= 1
        if within and not value < least:
            stack.kept[n_kept] = new
            n_kept += 1
    return n_kept


@njit(**LEAN)
def add_groups(n_kept: int, stack: Stack, hypotheses: Hypotheses) -> None:
    """Add the groups of a stack that keep nodes; write stack.first, the place of each's nodes."""
    # the new order of groups is that of targets, and groups without nodes are left out
    group = hypotheses.group
    size = hypotheses.size
    count = stack.end
    for target in range(stack.size[TARGETS]):
        count[target] = 0
    for x in range(n_kept):
        count[stack.key[stack.kept[x], KEY_TARGET]] += 1
    place = wide(0)
    for target in range(stack.size[TARGETS]):
        stack.first[target] = place
        if count[target] > 0:
            for column in range(FIRST_NODE):
                group[size[GROUPS], column] = stack.targets[target, column]
            group[size[GROUPS], FIRST_NODE] = size[NODES] + place
            group[size[GROUPS], N_NODES] = count[target]
            size[GROUPS] += 1
            place += count[target]
        count[target] = stack.first[target]  # `end` from now on: order_groups fills up to it


@njit(**LEAN)
def sort_kept(n_kept: int, stack: Stack) -> None:
    """Sort stack.kept best first, equal nodes in their order (a merge sort, bottom up)."""
    order, other, total = stack.kept, stack.ordered, stack.score
    width = 1
    while width < n_kept:
        for begin in range(0, n_kept, 2 * width):
            a = begin
            middle = min(begin + width, n_kept)
            b = middle
            end = min(begin + 2 * width, n_kept)
            for place in range(begin, end):
                if a < middle and (
                    b == end or total[order[a], WITH_REST] >= total[order[b], WITH_REST]
                ):
                    other[place] = order[a]
                    a += 1
                else:
                    other[place] = order[b]
                    b += 1
        order, other = other, order
        width *= 2
    # after an odd number of passes the result is in stack.ordered
    for x in range(n_kept):
        stack.kept[x] = order[x]


@njit(**LEAN)
def order_groups(n_kept: int, stack: Stack) -> None:
    """Write kept nodes to stack.ordered by target, best first, equal ones in their order.

    By insertion: they come nearly sorted, since candidates do, and groups are small.
    """
    if n_kept > FEW:
        sort_kept(n_kept, stack)
    first, end, ordered, total = stack.first, stack.end, stack.ordered, stack.score
    for x in range(n_kept):
        new = stack.kept[x]
        target = stack.key[new, KEY_TARGET]
        value = total[new, WITH_REST]
        place = end[target]
        end[target] += 1
        while place > first[target] and total[ordered[place - 1], WITH_REST] < value:
            ordered[place] = ordered[place - 1]
            place -= 1
        ordered[place] = new


@njit(**LEAN)
def store_nodes(n_kept: int, stack: Stack, score: Floats, hypotheses: Hypotheses) -> None:
    """Store the kept nodes of a stack in the graph, in order; score as in records.Options."""
    nodes = hypotheses.nodes
    key = stack.key
    newest = stack.newest
    node = hypotheses.size[NODES]
    for x in range(n_kept):
        new = stack.ordered[x]
        option = newest[new, BEST_OPTION]
        nodes.score[node] = stack.score[new, OWN]
        nodes.state[node] = key[new, KEY_STATE]
        nodes.arc[node] = newest[new, NEWEST_ARC]
        nodes.history[node] = key[new, KEY_HISTORY]
        for o in range(ORIENTATIONS):
            nodes.forth[node, o] = score[option, FORWARD + o]
            if score.shape[1] > H_FORWARD:
                nodes.forth[node, ORIENTATIONS + o] = score[option, H_FORWARD + o]
        node += 1
    hypotheses.size[NODES] = node


@njit(**LEAN)
def lay_out(stack: Stack, sentence: Sentence, hypotheses: Hypotheses) -> None:
    """Prune a stack and store it by groups, the best node of each first; there is room."""
    n_kept = keep_nodes(stack, sentence.settings)
    add_groups(n_kept, stack, hypotheses)
    order_groups(n_kept, stack)
    store_nodes(n_kept, stack, sentence.options.score, hypotheses)
