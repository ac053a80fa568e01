"""What a language model is without one sentence of its text: tuples of arrays for the kernels."""

from __future__ import annotations

from typing import NamedTuple

from campanula.formats.arrays.types import Floats, Ids, Ints, Singles

# Columns of CountedNgrams.context.
TOTAL, ONES, TWOS, MORE, ROW_OF_DISCOUNT, BELOW = range(6)

MEMORY_BITS = 12  # address bits of Remembered: it stays in the cache


class CountedNgrams(NamedTuple):
    """Counts c of n-grams in a text, beside the automaton of the language models made of it.

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
    """What changes in CountedNgrams without one sentence: two hash tables of 2^k slots, of which
    those with key -1 are free.

    gram, change (slots,): an n-gram, by its slot of the table, or n_slots + word, and what its
    count changes by.  context (slots,), shift (slots, 4): a state, and what TOTAL, ONES, TWOS and
    MORE change by.
    """

    gram: Ints
    change: Ids
    context: Ints
    shift: Ids


class Remembered(NamedTuple):
    """What a search asked for last, by a hash of it: key (2^MEMORY_BITS, 2), state and word, -1
    where there is none yet; log (2^MEMORY_BITS,), the log probability; after, the state after.
    """

    key: Ids
    log: Floats
    after: Ids


class LeftLanguageModel(NamedTuple):
    """A LanguageModel from whose text one sentence is left out (kernels/lm/left_step.py).

    Its states are those of the whole model; its own values are not read.  `remembered` is written
    to, so one thread asks at a time.
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
    counted: CountedNgrams
    own: OwnNgrams
    remembered: Remembered
