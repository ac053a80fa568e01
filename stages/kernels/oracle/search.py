r"""Oracle search: the block sequences of highest BLEU+1, whatever a model says of them.

    V_N = the N highest of  BP (p_1 p_2 p_3 p_4)^(1/4),  1 added above and below for n > 1
                                        (Tillmann and Zhang, section II; Lin and Och 2004)

A hypothesis covers some source words.  All that matters for what follows is its

    state = (place, open gap, swapped or not, n-gram at its end, length, slots matched)

so those that share it are one node, exactly: every way into a node has the same gain.  Stack t
holds the nodes with t covered words, those before any swap and those after one apart, each cut down
to `beam` nodes by the estimate

    BLEU+1 of (the hypothesis + the best end after its last n-gram, tails), clipped together

A swap therefore takes nothing from monotone translations: what the monotone search finds is found.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import grown
from campanula.stages.kernels.metrics.reference_trie import BLEU_ORDER, reference_trie
from campanula.stages.kernels.oracle.graphs import finished
from campanula.stages.kernels.oracle.growth import (
    add_arcs,
    node_of,
    release,
    seed,
    with_arc_room,
    with_node_room,
)
from campanula.stages.kernels.oracle.ngrams import (
    UP,
    bleu_power,
    brevity_powers,
    longest_translation,
    ngrams_of,
    read,
)
from campanula.stages.kernels.oracle.records import (
    AFTER,
    BEHIND,
    CONTEXT,
    FREE,
    LAYER,
    N_ARCS,
    N_NODES,
    OPEN,
    OWN,
    PLACE_COLUMNS,
    SIZE,
    SPAN_START,
    SPAN_WORDS,
    STEP_COLUMNS,
    WITH_END,
    Growth,
    Limits,
    OptionClasses,
    OracleTask,
    Stacks,
    StateNodes,
    StepRoom,
)
from campanula.stages.kernels.oracle.stacks import best_of, empty_stacks, raise_least
from campanula.stages.kernels.oracle.steps import steps_from
from campanula.stages.kernels.oracle.tail_cache import empty_cache, tail_of
from campanula.stages.kernels.oracle.tails import tails
from campanula.stages.kernels.records import NEXT, Graph
from campanula.stages.kernels.wide import wide

NO_MATCH = 0.1  # matches that an estimate sees where there are none


@njit(cache=True, nogil=True)
def task_of(
    classes: OptionClasses, ref: Ids, ref_end: Ints, n_types: int, weight: Floats, limits: Limits
) -> OracleTask:
    """A sentence as the search sees it.

    References are those of `tokens.number`; weight as in tails.Worth.
    """
    ngrams = ngrams_of(reference_trie(ref, ref_end, n_types, BLEU_ORDER))
    ends = tails(classes, ngrams, n_types, weight)
    brevity = brevity_powers(ref_end, longest_translation(classes))
    cache = empty_cache(len(classes.first), int(ngrams.base[BLEU_ORDER]))
    return OracleTask(classes, ngrams, ends, brevity, limits, cache)


@njit(cache=True, nogil=True)
def search(task: OracleTask) -> Graph:
    """Graph of the translations of a sentence that has words, for graph/kbest.py.

    Its k best derivations are those of highest gain, and of equal gain those of fewest blocks.
    """
    limits, count = task.limits, task.classes.n_classes
    n, longest = count.shape
    n_words = int(task.ngrams.base[BLEU_ORDER])
    growth, stacks = seed(n_words), empty_stacks(n)
    room = StepRoom(
        np.zeros((2, n_words), np.int64),
        np.zeros(PLACE_COLUMNS, np.int32),
        np.empty(((longest + 1) * longest, STEP_COLUMNS), np.int64),
    )
    expanded = np.empty(1024, np.int64)
    n_expanded = 0
    for stack in range(2 * n):
        nodes = growth.nodes
        members = best_of(stacks, stack, nodes.following, nodes.estimate, limits.beam)
        expanded = grown(expanded, n_expanded + len(members))
        for node in members:
            expanded[n_expanded] = node
            n_expanded += 1
            n_steps = steps_from(growth.nodes.place[node], limits.swap, count, room.steps)
            growth = expand(node, stack // 2, n_steps, task, growth, stacks, room)
        release(growth, stacks, stack)
    keep = max(limits.beam, limits.n_best)
    return finished(n, stacks, keep, expanded[:n_expanded], growth.nodes, growth.arcs)


@njit(cache=True, nogil=True)
def expand(
    node: int,
    covered: int,
    n_steps: int,
    task: OracleTask,
    growth: Growth,
    stacks: Stacks,
    room: StepRoom,
) -> Growth:
    """Take the steps room.steps from a node that covers some words: the graph, with more room."""
    classes, limits = task.classes, task.limits
    first_end = len(stacks.head) - 2
    growth = with_node_room(growth, classes_in(room.steps, n_steps, classes.n_classes))
    for step in room.steps[:n_steps]:
        growth = with_arc_room(growth, options_in(step, classes))
        to = 2 * (covered + step[SPAN_WORDS]) + step[AFTER + LAYER]
        if to < first_end:
            extend(node, step, to, task, growth, stacks, room)
            nodes = growth.nodes
            raise_least(stacks, to, nodes.following, nodes.estimate, limits.beam)
        else:
            complete(node, step, to, task, growth, stacks, room.used[OWN])
            arcs = growth.arcs
            keep = max(limits.beam, limits.n_best)
            raise_least(stacks, to, arcs.link[:, NEXT], arcs.value, keep)
    return growth


@njit(**LEAN)
def classes_in(steps: Ints, n_steps: int, count: Ids) -> int:
    """Classes of the spans of all steps."""
    total = 0
    for s in range(n_steps):
        total += count[steps[s, SPAN_START], steps[s, SPAN_WORDS] - 1]
    return total


@njit(**LEAN)
def classes_of_step(step: Ints, classes: OptionClasses) -> tuple[int, int]:
    """First class of the span of a step, and the one after its last."""
    start, k = step[SPAN_START], step[SPAN_WORDS] - 1
    first = wide(classes.first[start, k])
    return first, first + classes.n_classes[start, k]


@njit(**LEAN)
def options_in(step: Ints, classes: OptionClasses) -> int:
    """Options of the span of a step."""
    first, end = classes_of_step(step, classes)
    return int(classes.member_start[end] - classes.member_start[first])


@njit(**LEAN)
def extend(
    node: int,
    step: Ints,
    to: int,
    task: OracleTask,
    growth: Growth,
    stacks: Stacks,
    room: StepRoom,
) -> None:
    """Add the blocks of a step to a node, in stack `to`; what is below its `least` is dropped.

    There is room in the graph.
    """
    classes, nodes = task.classes, growth.nodes
    own, place = room.used[OWN], room.place
    for column in (FREE, OPEN, BEHIND, LAYER):
        place[column] = step[AFTER + column]
    first, end = classes_of_step(step, classes)
    for c in range(first, end):
        place[CONTEXT], place[SIZE] = with_block(node, c, task, nodes, own)
        value = estimate(place, task, room.used)
        if value < stacks.least[to]:
            continue
        n_nodes = growth.size[N_NODES]
        new = node_of(growth, place, own, value)
        if new == n_nodes:
            nodes.following[new] = stacks.head[to]
            stacks.head[to] = new
            stacks.size[to] += 1
        nodes.blocks[new] = min(nodes.blocks[new], nodes.blocks[node] + 1)
        nodes.arc[new] = add_arcs(growth, node, step, task, c, value, nodes.arc[new])


@njit(**LEAN)
def complete(
    node: int,
    step: Ints,
    to: int,
    task: OracleTask,
    growth: Growth,
    stacks: Stacks,
    used: Ints,
) -> None:
    """Add the blocks of a step that covers the last words: arcs to whole translations."""
    base = task.ngrams.base
    first, end = classes_of_step(step, task.classes)
    for c in range(first, end):
        _, length = with_block(node, c, task, growth.nodes, used)
        value = bleu_power(used, used, length, base, task.brevity, 0.0)
        if value < stacks.least[to]:
            continue
        n_arcs = growth.size[N_ARCS]
        stacks.head[to] = add_arcs(growth, node, step, task, c, value, stacks.head[to])
        stacks.size[to] += growth.size[N_ARCS] - n_arcs


@njit(**LEAN)
def with_block(
    node: int, c: int, task: OracleTask, nodes: StateNodes, used: Ints
) -> tuple[int, int]:
    """Context and length of a node with a block of class c; used: the slots then matched."""
    start, row = task.classes.start, wide(nodes.row[node])
    for k in range(len(used)):
        used[k] = nodes.used[row, k]
    context = wide(nodes.place[node, CONTEXT])
    after = read(task.ngrams, context, task.classes.word, start[c], start[c + 1], used, UP)
    return after, int(nodes.place[node, SIZE] + start[c + 1] - start[c])


@njit(**LEAN)
def estimate(place: Ids, task: OracleTask, used: Ints) -> float:
    """(BLEU+1)^4 of a state with slots used[OWN] and the best that may follow.

    used[WITH_END] is scratch: the slots, and those of the block that fills an open gap.
    """
    classes, tails, base = task.classes, task.tails, task.ngrams.base
    here, context, length = wide(place[FREE]), wide(place[CONTEXT]), wide(place[SIZE])
    with_gap = used[WITH_END]
    for k in range(len(with_gap)):
        with_gap[k] = used[OWN, k]
    if place[OPEN] > 0:
        c = wide(tails.gap_class[here, place[OPEN] - 1])
        begin, end = classes.start[c], classes.start[c + 1]
        context = read(task.ngrams, context, classes.word, begin, end, with_gap, UP)
        here = wide(place[BEHIND])
        length += end - begin
    tail = tail_of(task, here, context)
    length += task.cache.length[tail]
    return bleu_power(with_gap, task.cache.bits[tail], length, base, task.brevity, NO_MATCH)
