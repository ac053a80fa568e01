"""Tuples of arrays that the kernels of leave-one-out share, and the names of their columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ids, Ints, Singles

OF_E, OF_F, BOTH = range(3)  # columns of a block's counts: n(e), n(f), n(f, e)
INVERSE, LEX_INVERSE, DIRECT, LEX = range(4)  # a block's scores: p(f|e), lex(f|e), p(e|f), lex(e|f)
# Columns of Best.change, in another order than a block's scores.
OF_INVERSE, OF_DIRECT, OF_LEX_INVERSE, OF_LEX = range(4)
OF_SOURCES, OF_TARGETS = range(2)  # entries of WordLinks.alone
FAULT_NODE, FAULT_ROW = range(2)  # first entries of VisitWork.fault
BEGIN, END, FULL = range(3)  # places in VisitWork.span
NO_ROW, NO_BLOCK = -1, -1  # no row of the table, no block of the sentence pair


class WordLinks(NamedTuple):
    """Links of a text's words, by their numbers in a model; the last number is for all others.

    source_total, target_total: a word's links, with those to NULL; source_alone, target_alone:
    those to NULL; alone (2,): links to NULL of all source words, of all target words.  Source word
    f is linked with pair_target[pair_start[f]:pair_start[f + 1]], ascending, pair_count times.
    """

    source_total: Ints
    target_total: Ints
    source_alone: Ints
    target_alone: Ints
    alone: Ints
    pair_start: Ints
    pair_target: Ints
    pair_count: Ints


class Patterns(NamedTuple):
    """How the words of blocks are linked: row r of the table has the patterns
    pattern[start[r]:start[r + 1]], ascending, times each.

    Bit s of byte t of a pattern is set if source word s is linked to target word t.
    """

    start: Ints
    pattern: Ints
    times: Ints


class TextLinks(NamedTuple):
    """Links of the whole text and the words of the phrases; counts are taken out in place.

    parent, word (n_nodes,): a source phrase is that of node `parent` and one `word` more;
    target_start, target_word as in records.Table.
    """

    words: WordLinks
    patterns: Patterns
    parent: Ids
    word: Ids
    target_start: Ints
    target_word: Ids


class OwnLinks(NamedTuple):
    """Links of sentence pairs, by the words' numbers in the model.

    Pair s links source[start[s]:start[s + 1]] and target[...]; alone are its source words
    source_alone[source_start[s]:source_start[s + 1]], and target words in the same way.  Block b of
    Own has the patterns pattern[pattern_start[b]:pattern_start[b + 1]], one an occurrence.
    """

    start: Ints
    source: Ints
    target: Ints
    source_start: Ints
    source_alone: Ints
    target_start: Ints
    target_alone: Ints
    pattern_start: Ints
    pattern: Ints


class CountTable(NamedTuple):
    """A phrase table with counts, rows sorted by source phrase (records.Table).

    counts (n_rows, 3): N(e), N(f), N(f, e); score (n_rows, n_scores), by INVERSE, LEX_INVERSE, ...;
    weight (4,), by the columns of Best.change.  penalty: log probability of a block that no other
    sentence pair yields; -inf where it is none.  links are those of the text where lexical weights
    change (else NO_LINKS); longest: words of the longest target phrase.
    """

    row_start: Ints
    counts: Ids
    score: Singles
    weight: Floats
    penalty: float
    links: TextLinks
    longest: int


class Ranked(NamedTuple):
    """Rows of source phrases in two orders; filled for the nodes that have been visited.

    value (n_rows,): the score of each row.  A node's rows take the same places here as in the
    table: best, rows by value, best first; key, keys of the target phrases, ascending, and
    key_row, their rows.  whole (n_nodes,): no row of the node is missing from the table.  visit
    (n_rows,): number of the last visit whose sentence pair yields the row's target phrase.
    """

    value: Floats
    best: Ids
    key: Ints
    key_row: Ids
    whole: Flags
    visit: Ints


class Own(NamedTuple):
    """Counts of the phrases and blocks that sentence pairs yield.

    Pair s has the source phrases (trie nodes, ascending) node[node_start[s]:node_start[s + 1]],
    which it yields node_count times, 0 too; target phrases key (ascending) and key_count by
    key_start in the same way; blocks of target phrase k, that is pair_node, ascending, and
    pair_count, by pair_start[k].  links: those of the pairs' words.
    """

    node_start: Ints
    node: Ints
    node_count: Ints
    key_start: Ints
    key: Ints
    key_count: Ints
    pair_start: Ints
    pair_node: Ints
    pair_count: Ints
    links: OwnLinks


class Best(NamedTuple):
    """The best rows: row (n,), block (n,) of Own or NO_BLOCK, value (n,), and change (n, 4) of
    their log probabilities, by OF_INVERSE, OF_DIRECT, OF_LEX_INVERSE, OF_LEX.
    """

    row: Ints
    block: Ints
    value: Floats
    change: Floats


class VisitWork(NamedTuple):
    """What the visit to a node writes: span (3,), begin, end, and full end of its best rows.

    visit (1,), its number; covered (1,), sum of n(f, e) of the rows that the pair yields; fault
    (5,) as in choose.  source: the words of its source phrase; length (1,): how many.
    """

    span: Ints
    visit: Ints
    covered: Ints
    fault: Ints
    source: Ints
    length: Ints


# Compiled kernels take tuples of these types always: without lexical weights these stand in.
_NONE, _START = np.zeros(0, np.int64), np.zeros(1, np.int64)
NO_LINKS = TextLinks(
    WordLinks(_NONE, _NONE, _NONE, _NONE, np.zeros(2, np.int64), _START, _NONE, _NONE),
    Patterns(_START, _NONE, _NONE),
    *(np.zeros(0, np.int32), np.zeros(0, np.int32), _START, np.zeros(0, np.int32)),
)
NO_OWN_LINKS = OwnLinks(_START, _NONE, _NONE, _START, _NONE, _START, _NONE, _START, _NONE)
