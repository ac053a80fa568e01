"""What the kernels of the search alone hand each other, and the names of the columns."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Floats, Ids, Ints

# Columns of Hypotheses.group: what tells groups apart, first node, number of nodes.
GAP, MASK, LAST_END, LAST_START, FIRST_NODE, N_NODES = range(6)

# Entries of Hypotheses.size.
NODES, GROUPS, ARCS, HISTORIES, LM_STATES = range(5)

# Columns of Cubes.info and of Cubes.value.
CUBE_NODE, CUBE_NODES, CUBE_FIRST, CUBE_OPTIONS, CUBE_START, CUBE_LENGTH = range(6)
CUBE_ORIENTATION, CUBE_TARGET, CUBE_GAP, CUBE_MASK, CUBE_BACK, CUBE_FORTH = range(6, 12)
COLUMNS_OF_CUBES = 12
JUMP, REST = range(2)

# Columns of Stack.key, Stack.score and Stack.newest; entries of Stack.size.
KEY_TARGET, KEY_STATE, KEY_KIND, KEY_HISTORY = range(4)
OWN, WITH_REST = range(2)
BEST_OPTION, NEWEST_ARC = range(2)
TARGETS, STATES, FIRST_HISTORY = range(3)

# Columns of Steps.memory.
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
    """The search graph as it grows, with room for more.

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
    in Outlook, first word and number of words, orientation, the group it leads to (-1 is none yet),
    gap and mask after it, hierarchical orientations, where they score, backward and forward.
    value (n, 2): cost of the JUMP, the REST.
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

    estimate; grid; node, the node before; option.  What the language models say, (n_lms, n): log,
    log probabilities of the option's words, and of the end after the last; after, states after
    them.  first (n,): the log probability of the first word in LM0 and of the end.
    """

    estimate: Floats
    grid: Ints
    node: Ints
    option: Ints
    log: Floats
    after: Ints
    first: Floats


class Steps(NamedTuple):
    """Steps of language models that are asked for, and the answers, room for (n,) of each.

    item: what each is for; state, word: of the step; log, after, context: its log probability, the
    state after it, and of how many words that is the context.  missed and waiting: those that were
    not remembered, and those of them that are not found yet.  memory (slots, 4): what was ASKED
    last, state and word (-1 for none), the state AFTER, its WORDS, and the bits of the LOG
    probability, which memory_log shows as such; one that is not answered yet has -1 - x for the
    state, if it is step x of those that are asked for.  same: those that are such a step, too.
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
    """Nodes of the stack that is being filled, and hash tables of what tells them apart.

    size (3,): how many TARGETS and STATES there are, and the FIRST_HISTORY of this stack.  targets
    (n, 4) begin as group does; key (n, 4): target, language model state, class of forward scores,
    history; score (n, 2): OWN, and WITH_REST; newest (n, 2): option of the best arc, newest arc.
    The tables are target_slots, state_slots, history_slots and lm_slots, that of the rows of
    Hypotheses.lm_states.  When it is full: kept (n,) nodes, and ordered (n,), the same by targets;
    first and end (n,), places of each target in these; scratch (n,).
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
    """What the search keeps from stack to stack: room for the grids of a stack, cubes, for its heap
    of candidates, for those drawn together, for steps, and for the nodes of a stack.
    """

    cubes: Cubes
    heap: Candidates
    drawn: Drawn
    steps: Steps
    stack: Stack
