"""Tuples of arrays that only the kernels of the search share, and the names of their columns."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Floats, Ids, Ints

# Columns of Hypotheses.group: four that tell groups apart, first node, number of nodes.
GAP, MASK, LAST_END, LAST_START, FIRST_NODE, N_NODES = range(6)

# Entries of Hypotheses.size.
NODES, GROUPS, ARCS, HISTORIES, LM_STATES = range(5)

# Columns of Cubes.info and of Cubes.value; CUBE_TARGET is the group that a grid leads to.
CUBE_NODE, CUBE_NODES, CUBE_FIRST, CUBE_OPTIONS, CUBE_START, CUBE_LENGTH = range(6)
CUBE_ORIENTATION, CUBE_TARGET, CUBE_GAP, CUBE_MASK, CUBE_BACK, CUBE_FORTH = range(6, 12)
COLUMNS_OF_CUBES = 12
JUMP, REST = range(2)

# Columns of Stack.key, Stack.score and Stack.newest; entries of Stack.size.
KEY_TARGET, KEY_STATE, KEY_KIND, KEY_HISTORY = range(4)
OWN, WITH_REST = range(2)
BEST_OPTION, NEWEST_ARC = range(2)
TARGETS, STATES, FIRST_HISTORY = range(3)

# Columns of Steps.memory; one row is what an answer needs, in half a line of the cache.
ASKED, AFTER, WORDS, LOG = range(4)


class Nodes(NamedTuple):
    """Nodes of the graph: best score, language model state, newest arc.

    With several language models the state is a row of Hypotheses.lm_states.  history is a row of
    the sparse features' histories, 0 when there are none.  forth (n, 3) are the forward scores of
    the best arc's option, by the orientation of what follows, or (n, 6), with the hierarchical
    ones; those of the start are 0.
    """

    score: Floats
    state: Ids
    arc: Ids
    history: Ids
    forth: Floats


class Hypotheses(NamedTuple):
    """The search graph while it grows, in arrays with room for more.

    size (5,): how many NODES, GROUPS, ARCS, HISTORIES and LM_STATES there are.  group
    (n_groups, 6): nodes that follow each other and differ only in what scores the next phrase; the
    groups of stack t begin at stack_group[t] (n_words + 2,).  link and value are the arcs, as in
    Graph; history (n_histories, columns) are those of sparse/seams.py; lm_states (n_lm_states,
    n_lms) are the states of all language models at some nodes, one column where there is one model.
    """

    size: Ints
    nodes: Nodes
    group: Ints
    stack_group: Ints
    link: Ids
    value: Floats
    history: Ints
    lm_states: Ids


class Cubes(NamedTuple):
    """Grids of candidates for one stack: a group of nodes before the options of a span.

    info (n, COLUMNS_OF_CUBES): first node and number of nodes, first option and number of options
    in Outlook, first word and number of words, orientation, the group that the grid leads to (-1:
    not looked up yet), gap and mask after it, and the hierarchical orientations, backward and
    forward, if any score.  value (n, 2): cost of the JUMP, and of the REST.
    """

    info: Ints
    value: Floats


class Candidates(NamedTuple):
    """A heap of cells, the first `size` of value (n,), estimates, and cell (n,); size (1,)."""

    value: Floats
    cell: Ints
    size: Ints


class Drawn(NamedTuple):
    """Candidates that were drawn from the heap together, in that order, (n,) of each.

    estimate; grid; node, the node before; option.  Of each language model (n_lms, n): log, the log
    probability of the option's words, and of the end after the last; after, the state after them.
    first (n,): the log probability of the first word in LM0 and of the end.
    """

    estimate: Floats
    grid: Ints
    node: Ints
    option: Ints
    log: Floats
    after: Ints
    first: Floats


class Steps(NamedTuple):
    """Steps of language models to answer, their answers, and a memory of answers; (n,) of each.

    item: the candidate that a step is for; state, word: the question; log, after, context: the
    answer, the log probability, the state after the word, and how many words that state holds.
    missed: steps that are not in the memory; waiting: those of them not yet looked up; same: steps
    that repeat one of the same batch.  memory (slots, 4): the state and word ASKED last (-1: none),
    the state AFTER, its WORDS, and the bits of the LOG probability, of which memory_log is a view
    as floats.  While step x of the batch is to be answered, AFTER is -1 - x.
    """

    item: Ints
    state: Ints
    word: Ints
    log: Floats
    after: Ints
    context: Ints
    missed: Ints
    same: Ints
    waiting: Ints
    memory: Ints
    memory_log: Floats


class Stack(NamedTuple):
    """Nodes of the stack that is being filled, and hash tables of the states that make them.

    size (3,): how many TARGETS (groups) and STATES (nodes) it has, and the FIRST_HISTORY of this
    stack.  targets (n, 4): the first four columns of Hypotheses.group; key (n, 4): target, language
    model state, class of forward scores, history; score (n, 2): OWN, and WITH_REST; newest (n, 2):
    option of the best arc, newest arc.  Hash tables are target_slots, state_slots, history_slots
    and lm_slots, the last of rows of Hypotheses.lm_states.  For pruning: kept (n,), the nodes to
    keep, and ordered (n,), the same by target; first and end (n,), the places of each target in
    `ordered`; scratch (n,).
    """

    size: Ints
    targets: Ints
    key: Ints
    score: Floats
    newest: Ids
    target_slots: Ids
    state_slots: Ids
    history_slots: Ids
    lm_slots: Ids
    kept: Ints
    ordered: Ints
    first: Ints
    end: Ints
    scratch: Floats


class Work(NamedTuple):
    """Arrays that the search reuses from stack to stack: cubes, the grids of a stack; heap, its
    candidates; drawn, those drawn together; steps of language models; and nodes of the stack.
    """

    cubes: Cubes
    heap: Candidates
    drawn: Drawn
    steps: Steps
    stack: Stack
