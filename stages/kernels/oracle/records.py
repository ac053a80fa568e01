"""What the oracle search's kernels hand each other: tuples of arrays, and their columns' names."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Floats, Ids, Ints

# Columns of a state's place: first uncovered word, open gap before it, end of the block behind the
# gap, layer (1 after a swap), node of the last n-gram, words so far.
FREE, OPEN, BEHIND, LAYER, CONTEXT, SIZE = range(6)
PLACE_COLUMNS = 6

# Columns of a step: first word and words of the span, then the first four of the place after it.
SPAN_START, SPAN_WORDS, AFTER = range(3)
STEP_COLUMNS = AFTER + 4

# Of Growth.size.
N_NODES, N_ARCS = range(2)

# Rows of Scratch.used: what a hypothesis has matched, and what it matches with the best end.
OWN, WITH_END = range(2)


class NGrams(NamedTuple):
    """The references' n-grams to order 4, as a trie whose root is node 0.

    Of each node (n_nodes,): first_child, sibling (-1 ends), letter (last type of the n-gram), link
    (node of the n-gram without its first word), depth (its order).  A node has allowed[v] slots
    from slot[v] on, one for each time that the n-gram may match; a slot is a bit of a set of int64
    words, 62 a word, and words base[n] to base[n + 1] are those of order n + 1.
    """

    first_child: Ids
    sibling: Ids
    letter: Ids
    link: Ids
    depth: Ids
    slot: Ids
    allowed: Ids
    base: Ints


class Classes(NamedTuple):
    """Options of a sentence that say the same to the metric: same span, same types.

    Span (i, k + 1 words) has n_classes[i, k] classes from first[i, k] on.  Class c has types
    word[start[c]:start[c + 1]], -1 for what no reference has, and the options
    member[member_start[c]:member_start[c + 1]].
    """

    first: Ids
    n_classes: Ids
    start: Ints
    word: Ids
    member_start: Ints
    member: Ids


class Tails(NamedTuple):
    """How a sentence may go on: a likely best end for each place and context.

    row (n + 1, n_nodes) by place and node of the n-gram before; bits (n_rows, n_words) the slots
    that the end matches, length (n_rows,) its words; gap_class (n, longest) the best class of each
    span, -1 without one.
    """

    row: Ids
    bits: Ints
    length: Ints
    gap_class: Ids


class Limits(NamedTuple):
    """Which block sequences to find: swap, whether two neighbours may change places; beam, how many
    nodes a stack keeps; n_best, how many sequences are asked for.
    """

    swap: bool
    beam: int
    n_best: int


class Task(NamedTuple):
    """A sentence as the search sees it: its classes, its references' ngrams, its tails, its limits.

    brevity (longest + 1,): penalty of each length, to the fourth power.
    """

    classes: Classes
    ngrams: NGrams
    tails: Tails
    brevity: Floats
    limits: Limits


class StateNodes(NamedTuple):
    """Hypotheses that share a state: place (n, 6), used (n, n_words) slots matched.

    estimate (n,); blocks (n,) fewest blocks; newest arc (n,); following (n,) node of the same
    stack.
    """

    place: Ids
    used: Ints
    estimate: Floats
    blocks: Ids
    arc: Ids
    following: Ids


class StateArcs(NamedTuple):
    """Blocks that lead from state to state: link (n, 5) as in records.Graph.

    value (n,) of whole translations, n-gram precision and brevity to the fourth power.
    """

    link: Ids
    value: Floats


class Growth(NamedTuple):
    """A graph that grows: size (2,), N_NODES and N_ARCS so far, of the nodes and arcs for which
    there is room.

    slots (a power of 2,): hash table of the nodes by their states, -1 where free.
    """

    size: Ints
    nodes: StateNodes
    arcs: StateArcs
    slots: Ids


class Stacks(NamedTuple):
    """Linked lists of nodes, of stacks 2 n and 2 n + 1 of arcs, all (2 n + 2,).

    head: newest member, -1 without; size; least: value below which nothing is kept; checked: size
    when that was last found.
    """

    head: Ints
    size: Ints
    least: Floats
    checked: Ints


class Scratch(NamedTuple):
    """Room for a step: used (2, n_words) sets of slots, OWN and WITH_END; place (6,) of a state;
    steps (n_steps, 6).
    """

    used: Ints
    place: Ids
    steps: Ints
