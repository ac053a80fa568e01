"""Tuples of arrays for a language model that leaves out one sentence of its text."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Floats, Ids, Ints, Singles

# Columns of CountedNgrams.context.
TOTAL, ONES, TWOS, MORE, ROW_OF_DISCOUNT, BELOW = range(6)

ASKED_STATE, ASKED_WORD = range(2)  # columns of Remembered.key
MEMORY_BITS = 12  # address bits of Remembered: small enough to stay in the processor's cache


class CountedNgrams(NamedTuple):
    """Counts c of n-grams in a text, beside the automaton of the language models of that text.

    adjusted, times (n_slots,): c of the n-gram in each slot of LanguageModel.table, and how often
    it occurs; unigram (n_words,): c of each word.  context (n_states, 6): of each context h the
    TOTAL sum_v c(h v), how many words v have the count 1 (ONES), 2 (TWOS) and MORE, the
    ROW_OF_DISCOUNT of its n-grams, and the context BELOW, without its first word; discount
    (n_rows, 4): D(0) = 0 to D(3).  uniform, order, first (n_lms,): the probability of each word
    below the unigrams, words of the longest n-grams, and the word <s>.
    """

    adjusted: Ids
    times: Ids
    unigram: Ids
    context: Ids
    discount: Floats
    uniform: Floats
    order: Ints
    first: Ints


class OwnNgrams(NamedTuple):
    """Changes of CountedNgrams without one sentence: two hash tables of 2^k slots.

    A slot with key -1 is free.  gram, change (slots,): the key of an n-gram, which is its slot of
    the automaton's table, or n_slots + word for a unigram, and the change of its count.  context
    (slots,), shift (slots, 4): a state, and the changes of its TOTAL, ONES, TWOS and MORE.
    """

    gram: Ints
    change: Ids
    context: Ints
    shift: Ids


class Remembered(NamedTuple):
    """The last answers to a search, by a hash of state and word.

    key (2^MEMORY_BITS, 2): state and word, -1 where there is no answer yet; log (2^MEMORY_BITS,):
    the log probability; after: the state after the word.
    """

    key: Ids
    log: Floats
    after: Ids


class LeftLanguageModel(NamedTuple):
    """A LanguageModel from whose text one sentence is left out (kernels/lm/left_step.py).

    counted: counts of the whole text; own: their changes without the sentence; all fields up to
    `end` are those of the LanguageModel.

    Its states are those of the whole model, whose probabilities (table_value, unigram_value,
    state_value) are not read.  A step writes to `remembered`, so one thread at a time may read
    words.
    """

    # the fields of LanguageModel in its order: kernels read both kinds by these names
    table: Ids
    table_value: Singles
    unigram: Ids
    unigram_value: Singles
    state: Ids
    state_value: Singles
    bits: int
    begin: Ints
    end: Ints
    counted: CountedNgrams
    own: OwnNgrams
    remembered: Remembered
