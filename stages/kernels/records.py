"""Tuples of arrays that the search kernels pass to each other, and the names of their columns."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Flags, Floats, Ids, Ints, Singles
from campanula.stages.kernels.lm.left_records import LeftLanguageModel

# Dense features, in the order of a model's: those that every model has, then its scores.
LM, DISTORTION, WORDS, PHRASES, UNKNOWN, SCORES = range(6)
UNKNOWN_LOG = -100.0  # feature UNKNOWN of an unknown word, as in Moses

# Relative to the phrase before: behind it, just before it, elsewhere (Tillmann 2004; kernels/
# orientation.py).  A row's reordering scores are three backward ones, then three forward ones.
MONOTONE, SWAPPED, DISCONTINUOUS = range(3)
ORIENTATIONS = 3
TURNS = 2 * ORIENTATIONS

# Columns of Options.score; BACKWARD and FORWARD are the first of three columns, by orientation, and
# so are H_BACKWARD and H_FORWARD, which only models with hierarchical orientations have.
PLAIN, ESTIMATED, BACKWARD, FORWARD, H_BACKWARD, H_FORWARD = 0, 1, 2, 5, 8, 11
HIERARCHICAL = H_BACKWARD - BACKWARD
OPTION_SCORES, HIERARCHICAL_SCORES = 8, 14  # how many columns there are, without and with them

# Columns of Options.info; LM_STATE is the column of LM0, and those of LM1, ... follow.
ROW, LENGTH, PLACE, KIND, COPIED, LM_STATE = range(6)

# Columns of Graph.link and Graph.arc_value; LM_LOG is the column of LM0, and those of LM1 follow.
NODE_BEFORE, OPTION, START, END, NEXT = range(5)
THROUGH, LM_LOG = range(2)

# Values of Settings.reordering: the jumps that the search may make.
MONOTONE_ORDER, SWAP_ORDER, DISTANCE_ORDER = range(3)

# The longest gap that has covered words behind it, and so the longest jump: a coverage mask, one
# int64, has a bit for each word from the gap on.
MAX_WINDOW = 60

# Columns of a block's keys, and of a history's (kernels/sparse/seams.py).
SOURCE, TARGET = range(2)
LAST_TARGET, LAST_SOURCE, LAST_WORDS, TRIGGERED, SETS = range(5)


def first_reordering(n_scores: int) -> int:
    """Dense feature of the first of six reordering scores, in a model with n_scores scores."""
    return SCORES + n_scores


class Table(NamedTuple):
    """A phrase table whose rows are sorted by source phrase (a node of the trie of them).

    row_start (n_nodes + 1,); target_start (n_rows + 1,) places of target_word (numbers in the
    target vocabulary); score (n_rows, n_scores); reordering (n_rows, 6 * n_tables); kind (n_rows,)
    class of the forward reordering scores; hierarchical (n_tables,) which reordering tables have
    hierarchical orientations; to_lm (n_words, n_lms) a word's numbers in the language models.
    """

    row_start: Ints
    target_start: Ints
    target_word: Ids
    score: Singles
    reordering: Singles
    kind: Ids
    hierarchical: Flags
    to_lm: Ids


class RowScores(NamedTuple):
    """Scores of rows of a table: score, reordering and hierarchical are those of Table."""

    score: Singles
    reordering: Singles
    hierarchical: Flags


class RowWeights(NamedTuple):
    """Weights of the features that a row of a table has by itself.

    lm (n_lms,) weighs every word in each language model; first is added for a phrase's first word
    in LM0; word weighs each word, phrase each phrase, and score (n_scores,) the table's scores.
    """

    lm: Floats
    first: float
    word: float
    phrase: float
    score: Floats


class LanguageModel(NamedTuple):
    """Automaton arrays (formats/model/automaton.py).

    table (n_slots, 4): the transitions, a hash table with 2^bits homes; unigram (n_words, 2): those
    out of states without context; state (n_states, 4): how each state backs off.  Columns are named
    in formats/arrays/columns.py; table_value, unigram_value and state_value are views of the same
    memory as float32.

    One automaton may hold several models (formats/model/language_models.py): `begin` and `end`
    (n_lms,) are the start state and the word </s> of each, and states 0 to n_lms - 1 have no
    context.
    """

    table: Ids
    table_value: Singles
    unigram: Ids
    unigram_value: Singles
    state: Ids
    state_value: Singles
    bits: int
    begin: Ints
    end: Ints


AnyLanguageModel = LanguageModel | LeftLanguageModel
WHOLE = len(LanguageModel._fields)
"""Length of a LanguageModel.  The compiler decides a kernel's test `len(lm) == WHOLE`: each of the
two kinds of language model has compiled forms of its own.
"""


class Options(NamedTuple):
    """Translation options, one a row.

    score (n, OPTION_SCORES), all weighted: PLAIN, without language model; ESTIMATED, with its
    estimate; from BACKWARD and FORWARD on, the scores of the orientations.  Or (n,
    HIERARCHICAL_SCORES), with those of hierarchical orientations from H_BACKWARD and H_FORWARD on.

    info (n, LM_STATE + n_lms): ROW of the table, LENGTH in words, PLACE in the word arrays, KIND of
    the forward scores (its class), COPIED, 1 if it is an unknown word, and from LM_STATE on the
    state of each language model after the words alone.

    lm_word, rest (places, n_lms): words in the language models; the natural log probability of the
    words from here on, given those of the phrase alone (one place more than words).
    """

    score: Floats
    info: Ids
    lm_word: Ids
    rest: Floats


class Settings(NamedTuple):
    """Settings of the search: weights of the language models, reordering, and pruning.

    reordering is one of MONOTONE_ORDER, SWAP_ORDER and DISTANCE_ORDER; lexical is 1 when scores of
    orientations count.

    limit: the longest jump, in words, of DISTANCE_ORDER; pop_limit: candidates drawn for a stack;
    stack: nodes that a stack keeps; threshold: nodes further below a stack's best are dropped.

    lm_weight (n_lms,) weighs every word in each model, and first_weight is added for a phrase's
    first word in LM0; split is 1 when the log probabilities of first words are kept apart, which a
    first_weight needs.
    """

    lm_weight: Floats
    first_weight: float
    split: int
    reordering: int
    limit: int
    lexical: int
    pop_limit: int
    stack: int
    threshold: float


class Jumps(NamedTuple):
    """Costs of jumps in a sentence of n words, by end of the phrase before and start of the next.

    cost (n + 1, n) of the jump; for estimates: in_order (n,), the cost of coming to a start in
    order, and ahead (n + 1, n), how much worse the jump to that start is.
    """

    cost: Floats
    ahead: Floats
    in_order: Floats


class SparseTable(NamedTuple):
    """Weights of sparse features (sparse/weights.py).

    key, id (slots,): a hash table of features, whose free slots have key -1; theta (n,) weights by
    id, 0 for ids beyond n; on (n_kinds,): which kinds of features have a weight; mark (n_words,):
    fingerprints of target words by their numbers.
    """

    key: Ints
    id: Ids
    theta: Floats
    on: Flags
    mark: Ints


class Triggers(NamedTuple):
    """Pairs of target words with a weight; the second word stands anywhere after the first.

    By place of the options' words: left, the number of a word that triggers, and right, the number
    of a word that is triggered; -1 for a word that is neither.  The words
    first[start[r]:start[r + 1]] trigger word r, with the weights `value` at those places.  bit
    (n_left,): which bit of a history's sets says that word l stands before; -1 for none.
    """

    left: Ids
    right: Ids
    start: Ints
    first: Ids
    value: Floats
    bit: Ids


class Seams(NamedTuple):
    """Arrays for features that reach beyond one block; `active` is 0 when none has a weight.

    table: the weights.  By option: phrase (n, 2), the keys of its source and target phrase; context
    (n, 2), the same keys where a feature begins with them, else -1.  By place of the options'
    words: word, its number; useful, the number where a feature begins with the word or has it in
    the middle, else -1.  jump (2 r + 1,): weight of a jump of -r to r words.
    triggers: pairs of words that may be far apart.
    """

    active: int
    table: SparseTable
    phrase: Ints
    context: Ints
    word: Ids
    useful: Ids
    jump: Floats
    triggers: Triggers


class Graph(NamedTuple):
    """The search graph.  Node 0 is the start, the last node the end; arcs lead backward.

    node_score of the best derivation, first_arc (n_nodes,); link (n_arcs, 5): NODE_BEFORE, OPTION,
    START, first word, END, word after the last, NEXT arc of the same node (-1 ends); arc_value
    (n_arcs, 1 + n_lms or 2 + n_lms): score of the best derivation THROUGH the arc, from LM_LOG on
    its own share of each language model's feature, and last that of its first word in LM0, if asked
    for (Settings.split).
    """

    node_score: Floats
    first_arc: Ids
    link: Ids
    arc_value: Floats


class Outlook(NamedTuple):
    """The options of a sentence, best first in each span, and the best estimate of every gap.

    Span (i, k + 1 words) has n_options[i, k] options, from first[i, k] on, in the local
    columns `option` (row of Options) and `value`.  inner (n + 1, width) is by start and length of a
    gap, tail (n + 1,) by the start of a gap that reaches to the end.  back (n_places, 3) are the
    options' backward scores by orientation, or (n_places, 6), with the hierarchical ones.  starts
    (n, longest): bit j says whether span (i + j, k + 1 words) has options.
    """

    n_options: Ids
    first: Ids
    option: Ids
    value: Floats
    inner: Floats
    tail: Floats
    back: Floats
    starts: Ints


class Sentence(NamedTuple):
    """A sentence of n_words in the search: all that stays the same while it is translated.

    outlook: its options by span; jumps: costs between its words; options: rows that the outlook
    names; lm and settings: the models and how to search; seams: what crosses blocks.
    """

    n_words: int
    outlook: Outlook
    jumps: Jumps
    options: Options
    lm: AnyLanguageModel
    settings: Settings
    seams: Seams
