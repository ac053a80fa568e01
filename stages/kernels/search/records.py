"""What the kernels of the search alone hand each other, and the names of the columns."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Floats, Ids, Ints

# Columns of Hypotheses.group: what tells groups apart, first node, number of nodes.
GAP, MASK, LAST_END, LAST_START, FIRST_NODE, N_NODES = range(6)

# Entries of Hypotheses.size.
NODES, GROUPS, ARCS, HISTORIES, LM_STATES = range(5)

# Columns of Cubes.info and of Cubes.value.
CUBE_GROUP, CUBE_FIRST, CUBE_OPTIONS, CUBE_START, CUBE_LENGTH = range(5)
CUBE_ORIENTATION, CUBE_TARGET, CUBE_GAP, CUBE_MASK, CUBE_BACK, CUBE_FORTH = range(5, 11)
JUMP, REST = range(2)

# Columns of Stack.key, Stack.score and Stack.newest; entries of Stack.size.
KEY_TARGET, KEY_STATE, KEY_KIND, KEY_HISTORY = range(4)
OWN, WITH_REST = range(2)
BEST_OPTION, NEWEST_ARC = range(2)
TARGETS, STATES = range(2)


class Nodes(NamedTuple):
    """Nodes of the graph: best score, language model state, option of the best arc, newest arc.

    With several language models the state is a row of Hypotheses.lm_states.  history is a row of
    the sparse features' histories, 0 when there are none.
    """

    score: Floats
    state: Ids
    option: Ids
    arc: Ids
    history: Ids


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

    info (n, 11): the group, first option and number of options in Outlook, first word and number of
    words, orientation, the group it leads to (-1 is none yet), gap and mask after it, hierarchical
    orientations, where they score, backward and forward.  value (n, 2): cost of the JUMP, the REST.
    """

    info: Ints
    value: Floats


class Candidates(NamedTuple):
    """A heap of cells, the first `size` of value (n,), estimates, and cell (n,); size (1,)."""

    value: Floats
    cell: Ints
    size: Ints


class Cell(NamedTuple):
    """A candidate: node number `row` of a grid's group before option number `column` of its span.

    These are `node` of the graph and `option`, which stands at `place` in Outlook.
    """

    grid: int
    row: int
    column: int
    node: int
    place: int
    option: int


class Stack(NamedTuple):
    """Nodes of the stack that is being filled, and hash tables of what tells them apart.

    size (2,): how many TARGETS and STATES there are.  targets (n, 4) begin as group does; key
    (n, 4): target, language model state, class of forward scores, history; score (n, 2): OWN, and
    WITH_REST; newest (n, 2): option of the best arc, newest arc.  The tables are target_slots,
    state_slots, history_slots and lm_slots, that of the rows of Hypotheses.lm_states; histories are
    told apart from number first_history on.
    """

    size: Ints
    targets: Ints
    key: Ints
    score: Floats
    newest: Ids
    target_slots: Ids
    state_slots: Ids
    history_slots: Ids
    first_history: int
    lm_slots: Ids
