r"""Oracle search: the block sequences of highest BLEU+1, whatever a model says of them.

    V_N = the N highest of  BP (p_1 p_2 p_3 p_4)^(1/4),  1 added above and below for n > 1
                                        (Tillmann and Zhang, section II; Lin and Och 2004)

A hypothesis covers some source words.  All that matters for what follows is its

    state = (place, open gap, swapped or not, n-gram at its end, length, slots matched)

so those that share it are one node, exactly: every way into a node has the same gain.  Stack t
holds the nodes with t covered words, those before any swap and those after one apart, each cut down
to `beam` nodes by the estimate

    BLEU+1 of (the hypothesis + the best end after its last n-gram, oracle_tails), clipped together

A swap therefore takes nothing from monotone translations: what the monotone search finds is found.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.kbest import grown
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.metrics.reference_trie import BLEU_ORDER
from campanula.stages.kernels.oracle.graphs import finished
from campanula.stages.kernels.oracle.growth import (
    add_arcs,
    node_of,
    seed,
    with_arc_room,
    with_node_room,
)
from campanula.stages.kernels.oracle.ngrams import UP, bleu_power, read
from campanula.stages.kernels.oracle.records import (
    Classes,
    Growth,
    NGrams,
    Nodes,
    Scratch,
    Stacks,
    Tails,
    Task,
)
from campanula.stages.kernels.oracle.stacks import best_of, empty_stacks, raise_least
from campanula.stages.kernels.oracle.steps import steps_from
from campanula.stages.kernels.records import LENGTH, NEXT, PLACE, Graph, LanguageModel
from campanula.stages.kernels.wide import wide

NO_MATCH = 0.1  # matches that an estimate sees where there are none


@njit(cache=True, nogil=True)
def search(
    n: int,
    swap: bool,
    beam: int,
    n_best: int,
    classes: Classes,
    ngrams: NGrams,
    tails: Tails,
    brevity: Floats,
) -> Graph:
    """Graph of the translations of a sentence of n > 0 words, for graph/kbest.py.

    Its k best derivations are those of highest gain, and of equal gain those of fewest blocks.
    """
    task, count = Task(classes, ngrams, tails, brevity), classes.n_classes
    n_words, longest = int(ngrams.base[BLEU_ORDER]), count.shape[1]
    growth, stacks = seed(n_words), empty_stacks(n)
    used, place = np.zeros((2, n_words), np.int64), np.zeros(6, np.int32)
    room = Scratch(used, place, np.empty(((longest + 1) * longest, 6), np.int64))
    expanded, n_expanded = np.empty(1024, np.int64), 0
    for stack in range(2 * n):
        nodes = growth.nodes
        members = best_of(stacks, stack, nodes.following, nodes.estimate, beam)
        expanded = grown(expanded, n_expanded + len(members))
        for node in members:
            expanded[n_expanded] = node
            n_expanded += 1
            n_steps = steps_from(growth.nodes.place[node], swap, count, room.steps)
            growth = expand(node, stack // 2, n_steps, beam, n_best, task, growth, stacks, room)
    keep, nodes, arcs = max(beam, n_best), growth.nodes, growth.arcs
    return finished(n, stacks, keep, expanded[:n_expanded], nodes, arcs)


@njit(cache=True, nogil=True)
def expand(
    node: int,
    covered: int,
    n_steps: int,
    beam: int,
    n_best: int,
    task: Task,
    growth: Growth,
    stacks: Stacks,
    room: Scratch,
) -> Growth:
    """Take the steps room.steps from a node that covers some words: the graph, with more room."""
    classes, ends = task.classes, len(stacks.head) - 2
    growth = with_node_room(growth, classes_in(room.steps, n_steps, classes.n_classes))
    for step in room.steps[:n_steps]:
        growth = with_arc_room(growth, options_in(step, classes))
        to = 2 * (covered + step[1]) + step[5]
        if to < ends:
            extend(node, step, to, n_best, task, growth, stacks, room)
            nodes = growth.nodes
            raise_least(stacks, to, nodes.following, nodes.estimate, beam)
        else:
            complete(node, step, to, n_best, task, growth, stacks, room.used[0])
            arcs = growth.arcs
            raise_least(stacks, to, arcs.link[:, NEXT], arcs.value, max(beam, n_best))
    return growth


@njit(**LEAN)
def classes_in(steps: Ints, n_steps: int, count: Ids) -> int:
    """Classes of the spans of all steps."""
    total = 0
    for s in range(n_steps):
        total += count[steps[s, 0], steps[s, 1] - 1]
    return total


@njit(**LEAN)
def options_in(step: Ints, classes: Classes) -> int:
    """Options of the span of a step."""
    begin, size = classes.first[step[0], step[1] - 1], classes.n_classes[step[0], step[1] - 1]
    return int(classes.member_start[begin + size] - classes.member_start[begin])


@njit(**LEAN)
def extend(
    node: int,
    step: Ints,
    to: int,
    n_best: int,
    task: Task,
    growth: Growth,
    stacks: Stacks,
    room: Scratch,
) -> None:
    """Add the blocks of a step to a node, in stack `to`; what is below its `least` is dropped.

    step as in oracle_steps.  There is room in the graph.
    """
    classes, nodes, used, place = task.classes, growth.nodes, room.used, room.place
    place[0], place[1], place[2], place[3] = step[2], step[3], step[4], step[5]
    begin = np.int64(classes.first[step[0], step[1] - 1])
    for c in range(begin, begin + classes.n_classes[step[0], step[1] - 1]):
        place[4], place[5] = with_block(node, c, task, nodes, used[0])
        value = estimate(place, task, used)
        if value < stacks.least[to]:
            continue
        n_nodes = growth.size[0]
        new = node_of(growth, place, used[0], value)
        if new == n_nodes:
            nodes.following[new] = stacks.head[to]
            stacks.head[to] = new
            stacks.size[to] += 1
        nodes.blocks[new] = min(nodes.blocks[new], nodes.blocks[node] + 1)
        span = step[0], step[1]
        nodes.arc[new] = add_arcs(growth, node, span, classes, c, n_best, value, nodes.arc[new])


@njit(**LEAN)
def complete(
    node: int,
    step: Ints,
    to: int,
    n_best: int,
    task: Task,
    growth: Growth,
    stacks: Stacks,
    used: Ints,
) -> None:
    """Add the blocks of a step that covers the last words: arcs to whole translations."""
    classes, base = task.classes, task.ngrams.base
    begin = np.int64(classes.first[step[0], step[1] - 1])
    for c in range(begin, begin + classes.n_classes[step[0], step[1] - 1]):
        _, length = with_block(node, c, task, growth.nodes, used)
        value = bleu_power(used, used, length, base, task.brevity, 0.0)
        if value < stacks.least[to]:
            continue
        span, n_arcs = (step[0], step[1]), growth.size[1]
        stacks.head[to] = add_arcs(growth, node, span, classes, c, n_best, value, stacks.head[to])
        stacks.size[to] += growth.size[1] - n_arcs


@njit(**LEAN)
def with_block(node: int, c: int, task: Task, nodes: Nodes, used: Ints) -> tuple[int, int]:
    """Context and length of a node with a block of class c; used: the slots then matched."""
    start = task.classes.start
    for k in range(len(used)):
        used[k] = nodes.used[node, k]
    context = wide(nodes.place[node, 4])
    after = read(task.ngrams, context, task.classes.word, start[c], start[c + 1], used, UP)
    return after, int(nodes.place[node, 5] + start[c + 1] - start[c])


@njit(**LEAN)
def estimate(place: Ids, task: Task, used: Ints) -> float:
    """(BLEU+1)^4 of a state with slots used[0] and the best that may follow; used[1] is scratch."""
    classes, tails = task.classes, task.tails
    here, context, length = np.int64(place[0]), wide(place[4]), np.int64(place[5])
    for k in range(used.shape[1]):
        used[1, k] = used[0, k]
    if place[1] > 0:
        g = np.int64(tails.gap_class[here, place[1] - 1])
        begin, end = classes.start[g], classes.start[g + 1]
        context = read(task.ngrams, context, classes.word, begin, end, used[1], UP)
        here, length = np.int64(place[2]), length + end - begin
    tail = tails.row[here, context]
    length += tails.length[tail]
    return bleu_power(used[1], tails.bits[tail], length, task.ngrams.base, task.brevity, NO_MATCH)


@njit(cache=True, nogil=True)
def lm_logs(offset: Ints, option: Ints, info: Ids, lm_word: Ids, lm: LanguageModel) -> Floats:
    """Log probabilities (n_steps, 2) of the words of each derivation's steps, and of their first.

    offset (n_hyps + 1,) into option (n_steps,).  The end of a sentence counts with its last step,
    as a first word.
    """
    value = np.zeros((len(option), 2))
    for h in range(len(offset) - 1):
        state = lm.begin
        for s in range(offset[h], offset[h + 1]):
            o = option[s]
            for k in range(info[o, LENGTH]):
                p, state = lm_step(lm, state, wide(lm_word[info[o, PLACE] + k]))
                value[s, 0] += p
                if k == 0:
                    value[s, 1] = p
        p, state = lm_step(lm, state, lm.end)
        value[offset[h + 1] - 1] += p
    return value
