"""Changes of the counts of a text's n-grams if one of its sentences is left out.

The longest n-grams and those that begin with <s> are counted by occurrences, and lose those of the
sentence.  The other n-grams are counted by the distinct words that stand before them; such a count
loses a word if the longer n-gram that begins with it occurs nowhere else (kneser_ney.py).
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.columns import CONTEXT, STATE, TARGET, UNIGRAM_TARGET
from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lm.left_records import TOTAL, CountedNgrams, OwnNgrams
from campanula.stages.kernels.lm.left_step import find_own
from campanula.stages.kernels.memory import find_transition
from campanula.stages.kernels.records import LanguageModel
from campanula.stages.kernels.wide import wide

# Columns of `met`, the sentence's n-grams in order of their first occurrence: the key as in
# OwnNgrams.gram, the state of the context, the count, how often the sentence has the n-gram, and
# the change of the count.
KEY, BEFORE, COUNT, TIMES, CHANGE = range(5)
FIT = -1  # place of the fault if there is none: the text has all n-grams of the sentence


@njit(cache=True, nogil=True)
def no_keys(entries: int) -> Ints:
    """Return the keys of an empty hash table for up to `entries` entries; -1 marks a free slot."""
    size = 8  # a power of two, and below at most half full, as memory.free_slots
    while size < 2 * entries:
        size *= 2
    return np.full(size, -1, dtype=np.int64)


@njit(cache=True, nogil=True)
def collect_ngrams(
    word: Ints, start: Ints, lm: LanguageModel, counted: CountedNgrams, met: Ints, at: Ints
) -> tuple[int, int, int]:
    """Write the sentence's distinct n-grams to `met`, a row each, and their rows to `at`.

    at (n, longest): row of the n-gram that begins at a place, by its length - 1.  Return the number
    of rows, and place and length of an n-gram that the text lacks; FIT and 0 if it has all.
    """
    table, bits = lm.table, lm.bits
    keys = no_keys(len(met))
    rows = np.empty(len(keys), np.int64)
    size = 0
    for m in range(len(start) - 1):
        for i in range(start[m], start[m + 1]):
            state = m
            for k in range(min(counted.order[m], start[m + 1] - i)):
                key = len(table) + word[i + k]
                after = wide(lm.unigram[word[i], UNIGRAM_TARGET])
                count = 0
                if k == 0:
                    count = wide(counted.unigram[word[i]])
                else:
                    key = find_transition(table, bits, state, word[i + k])
                    if lm.state[state, CONTEXT] != k or table[key, STATE] < 0:
                        return size, i, k + 1
                    after = wide(table[key, TARGET])
                    count = wide(counted.adjusted[key])
                slot = find_own(keys, key)
                if keys[slot] < 0:
                    keys[slot] = key
                    rows[slot] = size
                    met[size, KEY] = key
                    met[size, BEFORE] = state
                    met[size, COUNT] = count
                    size += 1
                at[i, k] = rows[slot]
                met[rows[slot], TIMES] += 1
                state = after
    return size, FIT, 0


@njit(cache=True, nogil=True)
def change_counts(start: Ints, counted: CountedNgrams, met: Ints, at: Ints) -> tuple[int, int]:
    """Write the changes of the counts to `met`.

    Return place and length of an n-gram that the text has less often than the sentence; FIT and 0
    if there is none.
    """
    n_slots = len(counted.times)
    seen = np.zeros(len(met), np.bool_)
    for m in range(len(start) - 1):
        order = counted.order[m]
        for i in range(start[m], start[m + 1]):
            for k in range(min(order, start[m + 1] - i)):
                row = at[i, k]
                if seen[row]:
                    continue
                seen[row] = True
                mine = met[row, TIMES]
                whole = met[row, COUNT]
                if met[row, KEY] < n_slots:
                    whole = wide(counted.times[met[row, KEY]])
                    # no other sentence has it: its last words lose the word before them
                    if whole == mine:
                        met[at[i + 1, k - 1], CHANGE] -= 1
                # <s> alone is never counted
                by_times = k + 1 == order and (k > 0 or i > start[m])
                if whole < mine and (k > 0 or by_times):
                    return i, k + 1
                if by_times or (k > 0 and i == start[m]):
                    met[row, CHANGE] -= mine
    return FIT, 0


@njit(cache=True, nogil=True)
def tables_of(met: Ints) -> OwnNgrams:
    """Return hash tables of the n-grams whose counts change, and of their contexts."""
    n_changed = 0
    for row in range(len(met)):
        n_changed += met[row, CHANGE] != 0
    gram, context = no_keys(n_changed), no_keys(n_changed)
    change = np.zeros(len(gram), np.int32)
    shift = np.zeros((len(context), 4), np.int32)
    for row in range(len(met)):
        less = met[row, CHANGE]
        if less != 0:
            slot = find_own(gram, met[row, KEY])
            gram[slot] = met[row, KEY]
            change[slot] = less
            slot = find_own(context, met[row, BEFORE])
            context[slot] = met[row, BEFORE]
            old = met[row, COUNT]
            shift[slot, TOTAL] += less
            # ONES, TWOS and MORE are the columns of the counts 1, 2 and 3
            shift[slot, min(old, 3)] -= 1
            if old + less > 0:
                shift[slot, min(old + less, 3)] += 1
    return OwnNgrams(gram, change, context, shift)


@njit(cache=True, nogil=True)
def own_ngrams(
    word: Ints, start: Ints, lm: LanguageModel, counted: CountedNgrams
) -> tuple[OwnNgrams, Ints]:
    """Return the changes of the counts without a sentence, and a fault (2,).

    The fault is place and length of an n-gram that the text has less often than the sentence, which
    then is none of the text's; FIT and 0 if there is none.  word (n,): the sentence with <s> and
    </s>, once in the numbers of each model: word[start[m]:start[m + 1]] for model m.
    """
    longest = wide(counted.order.max())
    met = np.zeros((len(word) * longest, 5), np.int64)
    at = np.full((len(word), longest), -1)
    size, place, length = collect_ngrams(word, start, lm, counted, met, at)
    met = met[:size]
    if place == FIT:
        place, length = change_counts(start, counted, met, at)
    if place != FIT:
        met = met[:0]
    return tables_of(met), np.array([place, length])


@njit(cache=True, nogil=True)
def transition_slots(table: Ids, bits: int, state: Ints, word: Ints) -> Ints:
    """Slots (n,) of transitions (state, word) of an automaton's table, -1 where there is none."""
    slot = np.empty(len(state), np.int64)
    for i in range(len(state)):
        place = find_transition(table, bits, state[i], word[i])
        slot[i] = place if table[place, STATE] >= 0 else -1
    return slot
