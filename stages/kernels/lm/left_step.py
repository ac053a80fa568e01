"""Ask a language model for the next word as if one sentence of its text had not been there.

    p(w | h) = (c(h w) - D(c(h w))) / sum_v c(h v) + sum_v D(c(h v)) / sum_v c(h v) p(w | h')

as in kneser_ney.py, with the counts c of the other sentences, and the whole text's discounts D and
words.  A context that no other sentence has passes p(w | h') on.  Every probability of an
interpolated model changes with a sentence, so they are summed when they are asked for; of the
counts only those of the sentence's own n-grams change (own_ngrams.py).
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.columns import STATE, TARGET, UNIGRAM_TARGET
from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lm.left_records import (
    BELOW,
    MEMORY_BITS,
    MORE,
    ONES,
    ROW_OF_DISCOUNT,
    TOTAL,
    TWOS,
    LeftLanguageModel,
)
from campanula.stages.kernels.memory import find_transition, transition_home
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True, inline="always")
def find_own(keys: Ints, key: int) -> int:
    """Slot of a key in a table of OwnNgrams, or the free slot that says it is not there."""
    last = keys.shape[0] - 1
    slot = (((key & 0x7FFFFFFF) * 0x6C8E9CF5) >> 20) & last
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & last
    return int(slot)


@njit(cache=True, nogil=True, inline="always")
def left_share(lm: LeftLanguageModel, context: int, key: int, count: int) -> tuple[float, float]:
    """What a word has in a context by itself, and what p(w | h') is weighed by.

    key and count are those of the n-gram; without one, -1 and 0.
    """
    counted, own = lm.counted, lm.own
    total = wide(counted.context[context, TOTAL])
    ones = wide(counted.context[context, ONES])
    twos = wide(counted.context[context, TWOS])
    more = wide(counted.context[context, MORE])
    place = find_own(own.context, context)
    if own.context[place] >= 0:
        total += own.shift[place, TOTAL]
        ones += own.shift[place, ONES]
        twos += own.shift[place, TWOS]
        more += own.shift[place, MORE]
        if key >= 0:
            place = find_own(own.gram, key)
            if own.gram[place] >= 0:
                count += own.change[place]
    if total <= 0:
        return 0.0, 1.0
    discount, row = counted.discount, counted.context[context, ROW_OF_DISCOUNT]
    held = ones * discount[row, 1] + twos * discount[row, 2] + more * discount[row, 3]
    return (count - discount[row, min(count, 3)]) / total, held / total


@njit(cache=True, nogil=True, inline="always")
def left_log(lm: LeftLanguageModel, state: int, word: int) -> tuple[float, int]:
    """As left_step, from the counts."""
    table, bits, counted = lm.table, lm.bits, lm.counted
    n_models = lm.begin.shape[0]
    p, weight = 0.0, 1.0
    after = -1
    while state >= n_models:
        key, count = -1, 0
        slot = find_transition(table, bits, state, word)
        if table[slot, STATE] >= 0:
            key, count = slot, wide(counted.adjusted[slot])
            if after < 0:
                after = wide(table[slot, TARGET])
        share, below = left_share(lm, state, key, count)
        p += weight * share
        weight *= below
        state = wide(counted.context[state, BELOW])
    if after < 0:
        after = wide(lm.unigram[word, UNIGRAM_TARGET])
    if word == counted.first[state]:  # it opens every sentence, as in kneser_ney.py
        p += weight
    else:
        key, count = table.shape[0] + word, wide(counted.unigram[word])
        share, below = left_share(lm, state, key, count)
        p += weight * (share + below * counted.uniform[state])
    return min(np.log(p), 0.0), after


@njit(**LEAN)
def left_step(lm: LeftLanguageModel, state: int, word: int) -> tuple[float, int]:
    """Read a word in a state: its log probability, and the state after it in the whole model.

    The state says which of several models reads it; the word is one of that model.  A search asks
    for the same again and again, so the last answers are remembered.
    """
    key, log, after = lm.remembered
    slot = transition_home(state, word, MEMORY_BITS)
    if key[slot, 0] != state or key[slot, 1] != word:
        log[slot], after[slot] = left_log(lm, state, word)
        key[slot, 0], key[slot, 1] = state, word
    return log[slot], wide(after[slot])
