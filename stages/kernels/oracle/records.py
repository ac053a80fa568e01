"""What the kernels of the oracle search hand each other: tuples of arrays."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Floats, Ids, Ints


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


class Task(NamedTuple):
    """A sentence as the search sees it: its classes, its references' ngrams, its tails.

    brevity (longest + 1,): penalty of each length, to the fourth power.
    """

    classes: Classes
    ngrams: NGrams
    tails: Tails
    brevity: Floats


class Nodes(NamedTuple):
    """Hypotheses that share a state; `place` (n, 6): first uncovered word, open gap, end of the
    block behind the gap, layer (1 after a swap), node of the last n-gram, length.

    used (n, n_words) slots matched; estimate (n,); blocks (n,) fewest blocks; newest arc (n,);
    following (n,) node of the same stack.
    """

    place: Ids
    used: Ints
    estimate: Floats
    blocks: Ids
    arc: Ids
    following: Ids


class Arcs(NamedTuple):
    """link (n, 5): node before, option, start, end, next arc of the node; value (n,) of whole
    translations, n-gram precision and brevity to the fourth power.
    """

    link: Ids
    value: Floats


class Growth(NamedTuple):
    """A graph that grows: size (2,) its nodes and arcs so far, of those there is room for.

    slots (a power of 2,): hash table of the nodes by their states, -1 where free.
    """

    size: Ints
    nodes: Nodes
    arcs: Arcs
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
    """Room for a step: used (2, n_words) sets of slots, place (6,) as in Nodes, steps (n_steps, 6)
    as in oracle_steps.
    """

    used: Ints
    place: Ids
    steps: Ints
