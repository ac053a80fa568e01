"""Tuples of arrays that the kernels of the oracle search share, and the names of their columns."""

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

# Places in Growth.size: nodes, arcs, rows of sets ever used, rows of sets that are free again.
N_NODES, N_ARCS, N_ROWS, N_FREE = range(4)

# Rows of StepRoom.used: slots matched by a hypothesis, and also by the block that fills its gap.
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
    """Options of a sentence by class: those of one span with the same types.

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
    """The estimated best end of a sentence, class by class, from each place and context.

    Place i has the contexts context[bounds[i, 0]:bounds[i, 1]], ascending, and `choice` has the
    class that comes next after each.  A context that is not listed has the choice of its longest
    suffix (NGrams.link) that is; context 0 is always listed.  behind (n_classes,): the place after
    a class; gap_class (n, longest): the best class of each span, -1 if it has none.
    """

    bounds: Ints
    context: Ids
    choice: Ids
    behind: Ids
    gap_class: Ids


class TailCache(NamedTuple):
    """A cache of best ends of the sentence, each made when the search first needs it.

    key (size, 2): place and context, -1 for an empty row; bits (size, n_words): the slots that the
    end matches; length (size,): its words.  path (n + 1, 3) and work (n_words,) are scratch: place,
    context and class of each step, and the slots of the end that is being made.
    """

    key: Ids
    bits: Ints
    length: Ints
    path: Ids
    work: Ints


class Limits(NamedTuple):
    """Settings of the search: swap, whether two neighbouring blocks may change places; beam, how
    many nodes a stack keeps; n_best, how many block sequences to find.
    """

    swap: bool
    beam: int
    n_best: int


class OracleTask(NamedTuple):
    """What stays the same while a sentence is searched: classes of options, ngrams of references,
    tails, limits; and the cache of its ends.

    brevity (longest + 1,): the brevity penalty of each length, to the fourth power.
    """

    classes: OptionClasses
    ngrams: NGrams
    tails: Tails
    brevity: Floats
    limits: Limits
    cache: TailCache


class StateNodes(NamedTuple):
    """Hypotheses that share a state: place (n, 6), used (n_rows, n_words) slots matched.

    row (n,) of `used`, -1 once the node's stack is done, when another node may have the row;
    estimate (n,); blocks (n,): the fewest blocks of a way to the node; arc (n,): newest arc into
    it; following (n,): the next node of the same stack.
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

    value (n,): (BLEU+1)^4 of the whole translation, estimated unless the arc leads to the end.
    """

    link: Ids
    value: Floats


class Growth(NamedTuple):
    """A graph that grows: size (4,), N_NODES, N_ARCS, N_ROWS and N_FREE so far.

    Its arrays have room for more nodes and arcs.  slots (a power of 2,): hash table of the nodes by
    their states, -1 where free; free (n_rows,): the first N_FREE are rows of sets of no node.
    """

    size: Ints
    nodes: StateNodes
    arcs: StateArcs
    slots: Ids
    free: Ids


class Stacks(NamedTuple):
    """Linked lists of nodes, and in the last two of arcs (stacks.py); all (2 n + 2,).

    head: newest member, -1 for none; size: members; least: value below which none is added;
    checked: the size when `least` was last computed.
    """

    head: Ints
    size: Ints
    least: Floats
    checked: Ints


class StepRoom(NamedTuple):
    """Scratch of a step: used (2, n_words), sets of slots OWN and WITH_END; place (6,) of a state;
    steps (n_steps, STEP_COLUMNS), those from the node at hand.
    """

    used: Ints
    place: Ids
    steps: Ints
