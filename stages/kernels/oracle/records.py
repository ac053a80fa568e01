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

# Of Growth.size: nodes, arcs, rows of sets that were ever taken, those that are free again.
N_NODES, N_ARCS, N_ROWS, N_FREE = range(4)

# Rows of StepRoom.used: what a hypothesis has matched, and what it matches with the best end.
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


class OptionClasses(NamedTuple):
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
    """How a sentence may go on: the class that comes next in a likely best end.

    Of place i the entries are context[bounds[i, 0]:bounds[i, 1]], ascending, with choice, the class
    after that context; a context without one has that of its longest end (NGrams.link) that has
    one, and context 0 always has.  behind (n_classes,): the place after a class; gap_class (n,
    longest) the best class of each span, -1 without one.
    """

    bounds: Ints
    context: Ids
    choice: Ids
    behind: Ids
    gap_class: Ids


class TailCache(NamedTuple):
    """Ends of the sentence that were asked for, some of very many: they are made when they are.

    key (size, 2): place and context, -1 where nothing is; bits (size, n_words) the slots that the
    end matches, length (size,) its words.  path (n + 1, 3) and work (n_words,) are scratch: place,
    context and class of each step, and the slots of the end at work.
    """

    key: Ids
    bits: Ints
    length: Ints
    path: Ids
    work: Ints


class Limits(NamedTuple):
    """Which block sequences to find: swap, whether two neighbours may change places; beam, how many
    nodes a stack keeps; n_best, how many sequences are asked for.
    """

    swap: bool
    beam: int
    n_best: int


class OracleTask(NamedTuple):
    """A sentence as the search sees it: its classes, its references' ngrams, its tails, its limits.

    brevity (longest + 1,): penalty of each length, to the fourth power; cache: tails made so far.
    """

    classes: OptionClasses
    ngrams: NGrams
    tails: Tails
    brevity: Floats
    limits: Limits
    cache: TailCache


class StateNodes(NamedTuple):
    """Hypotheses that share a state: place (n, 6), used (n_rows, n_words) slots matched.

    row (n,) of `used`, -1 once the node's stack is done, when another may have it; estimate (n,);
    blocks (n,) fewest blocks; newest arc (n,); following (n,) node of the same stack.
    """

    place: Ids
    row: Ids
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
    """A graph that grows: size (4,), N_NODES, N_ARCS, N_ROWS and N_FREE so far.

    There is room for more nodes and arcs.  slots (a power of 2,): hash table of the nodes by their
    states, -1 where free; free (n_rows,): the first N_FREE are rows of sets that no node has.
    """

    size: Ints
    nodes: StateNodes
    arcs: StateArcs
    slots: Ids
    free: Ids


class Stacks(NamedTuple):
    """Linked lists of nodes, of stacks 2 n and 2 n + 1 of arcs, all (2 n + 2,).

    head: newest member, -1 without; size; least: value below which nothing is kept; checked: size
    when that was last found.
    """

    head: Ints
    size: Ints
    least: Floats
    checked: Ints


class StepRoom(NamedTuple):
    """Room for a step: used (2, n_words) sets of slots, OWN and WITH_END; place (6,) of a state;
    steps (n_steps, 6).
    """

    used: Ints
    place: Ids
    steps: Ints
