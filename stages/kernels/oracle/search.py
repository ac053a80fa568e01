r"""Oracle search: the block sequences of highest BLEU+1, whatever their model score.

    V_N = the N highest of  BP (p_1 p_2 p_3 p_4)^(1/4),  1 added above and below for n > 1
                                        (Tillmann and Zhang, section II; Lin and Och 2004)

A hypothesis covers some source words.  The gain of its completions depends only on its

    state = (place, open gap, swapped or not, n-gram at its end, length, slots matched)

so hypotheses that share a state are one node, and nothing is lost: every way into a node has the
same gain.  Stack t holds the nodes with t covered words, in two layers, before and after a first
swap, each of which is cut down to `beam` nodes by the estimate

    BLEU+1 of (the hypothesis + the best end after its last n-gram, tails), clipped together

With a layer of their own, swaps push no monotone translation out: the search with swaps finds
whatever the monotone search finds.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import ROOM, grown
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

NO_MATCH = 0.1  # unigram matches of an estimate that has none: 0 would make all of them equal


@njit(cache=True, nogil=True)
def task_of(
    classes: OptionClasses, ref: Ids, ref_end: Ints, n_types: int, weight: Floats, limits: Limits
) -> OracleTask:
    """Return what the search needs to know of a sentence.

    References as by `tokens.number`; weight as in tails.Worth.
    """
    ngrams = ngrams_of(reference_trie(ref, ref_end, n_types, BLEU_ORDER))
    ends = tails(classes, ngrams, n_types, weight)
    brevity = brevity_powers(ref_end, longest_translation(classes))
    cache = empty_cache(len(classes.first), int(ngrams.base[BLEU_ORDER]))
    return OracleTask(classes, ngrams, ends, brevity, limits, cache)


@njit(cache=True, nogil=True)
def search(task: OracleTask) -> Graph:
    """Return the graph of the best translations of a sentence that has words, for graph/kbest.py.

    Its k best derivations are those of highest gain, and of equal gain those of fewest blocks.
    """
    limits = task.limits
    count = task.classes.n_classes
    n, longest = count.shape
    n_words = int(task.ngrams.base[BLEU_ORDER])
    growth, stacks = seed(n_words), empty_stacks(n)
    room = StepRoom(
        np.zeros((2, n_words), np.int64),
        np.zeros(PLACE_COLUMNS, np.int32),
        np.empty(((longest + 1) * longest, STEP_COLUMNS), np.int64),
    )
    expanded = np.empty(ROOM, np.int64)
    n_expanded = 0
    for stack in range(2 * n):  # the last two are whole translations, which are not expanded
        nodes = growth.nodes
        members = best_of(stacks, stack, nodes.following, nodes.estimate, limits.beam)
        expanded = grown(expanded, n_expanded + len(members))
        for node in members:
            expanded[n_expanded] = node
            n_expanded += 1
            n_steps = steps_from(growth.nodes.place[node], limits.swap, count, room.steps)
            growth = expand(node, stack // 2, n_steps, task, growth, stacks, room)
        release(growth, stacks, stack)
    # n_best may ask for more whole translations than a stack of partial ones keeps
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
    """Take the first n_steps of room.steps from a node that covers `covered` words.

    Returns the graph, whose arrays may have grown.
    """
    classes, limits = task.classes, task.limits
    first_end = len(stacks.head) - 2
    # room is made here: kernels that are called for every class make no arrays
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
    """Count the classes of the spans of all steps."""
    total = 0
    for s in range(n_steps):
        total += count[steps[s, SPAN_START], steps[s, SPAN_WORDS] - 1]
    return total


@njit(**LEAN)
def classes_of_step(step: Ints, classes: OptionClasses) -> tuple[int, int]:
    """Return the first class of the span of a step, and the one after its last."""
    start = step[SPAN_START]
    k = step[SPAN_WORDS] - 1
    first = wide(classes.first[start, k])
    return first, first + classes.n_classes[start, k]


@njit(**LEAN)
def options_in(step: Ints, classes: OptionClasses) -> int:
    """Count the options of the span of a step."""
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
    """Add the blocks of a step after a node to the graph, which has room, and to stack `to`.

    Blocks whose estimate is below the stack's `least` are dropped.
    """
    classes = task.classes
    nodes = growth.nodes
    own = room.used[OWN]
    place = room.place
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
        if new == n_nodes:  # a state that no other node has
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
    """Add the blocks of a step that covers the last words, as arcs in stack `to`."""
    base = task.ngrams.base
    first, end = classes_of_step(step, task.classes)
    for c in range(first, end):
        _, length = with_block(node, c, task, growth.nodes, used)
        # nothing follows: with itself as tail the set stays as it is, and 0 matches give 0
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
    """Return context and length of a node with a block of class c; write the slots matched to used.

    used (n_words,) is overwritten.
    """
    start = task.classes.start
    row = wide(nodes.row[node])
    for k in range(len(used)):
        used[k] = nodes.used[row, k]
    context = wide(nodes.place[node, CONTEXT])
    after = read(task.ngrams, context, task.classes.word, start[c], start[c + 1], used, UP)
    return after, int(nodes.place[node, SIZE] + start[c + 1] - start[c])


@njit(**LEAN)
def estimate(place: Ids, task: OracleTask, used: Ints) -> float:
    """Return (BLEU+1)^4 of a state with slots used[OWN] and its estimated best end.

    used[WITH_END] is overwritten: used[OWN] and the slots of the block that fills an open gap.
    """
    classes = task.classes
    tails = task.tails
    base = task.ngrams.base
    here, context, length = wide(place[FREE]), wide(place[CONTEXT]), wide(place[SIZE])
    with_gap = used[WITH_END]
    for k in range(len(with_gap)):
        with_gap[k] = used[OWN, k]
    if place[OPEN] > 0:  # the next step fills the gap: assume the best class of its span
        c = wide(tails.gap_class[here, place[OPEN] - 1])
        begin, end = classes.start[c], classes.start[c + 1]
        context = read(task.ngrams, context, classes.word, begin, end, with_gap, UP)
        here = wide(place[BEHIND])
        length += end - begin
    # read DOWN while used is read UP: their union is clipped
    tail = tail_of(task, here, context)
    length += task.cache.length[tail]
    return bleu_power(with_gap, task.cache.bits[tail], length, base, task.brevity, NO_MATCH)
