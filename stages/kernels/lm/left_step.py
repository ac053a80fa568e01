"""One step of a language model as if its text had not contained one sentence: read a word.

    p(w | h) = (c(h w) - D(c(h w))) / sum_v c(h v) + sum_v D(c(h v)) / sum_v c(h v) p(w | h')

as in kneser_ney.py, with the counts c of the other sentences, and the whole text's discounts D and
words.  For a context h that no other sentence has, p(w | h) = p(w | h').  Every probability of an
interpolated model depends on every sentence, so each is computed from counts when it is needed;
only the counts of the sentence's own n-grams differ from the whole text's (own_ngrams.py).
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.columns import STATE, TARGET, UNIGRAM_TARGET
from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lm.left_records import (
    ASKED_STATE,
    ASKED_WORD,
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
    """Slot of a key in a table of OwnNgrams; a free slot if the table does not have the key."""
    last = keys.shape[0] - 1
    # 31 bits times an odd number of 31 bits stays below 2^63; the lowest bits are mixed least
    slot = (((key & 0x7FFFFFFF) * 0x6C8E9CF5) >> 20) & last
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & last
    return int(slot)


@njit(cache=True, nogil=True, inline="always")
def left_share(lm: LeftLanguageModel, context: int, key: int, count: int) -> tuple[float, float]:
    """Return a word's own share of p(w | h) in a context, and the weight of p(w | h').

    key and count are those of the n-gram h w; -1 and 0 if the text does not have it.
    """
    counted, own = lm.counted, lm.own
    total = wide(counted.context[context, TOTAL])
    ones = wide(counted.context[context, ONES])
    twos = wide(counted.context[context, TWOS])
    more = wide(counted.context[context, MORE])
    place = find_own(own.context, context)
    # an n-gram of the sentence has a context of the sentence: other contexts are as they were
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
    discount = counted.discount
    row = counted.context[context, ROW_OF_DISCOUNT]
    held = ones * discount[row, 1] + twos * discount[row, 2] + more * discount[row, 3]
    return (count - discount[row, min(count, 3)]) / total, held / total


@njit(cache=True, nogil=True, inline="always")
def left_log(lm: LeftLanguageModel, state: int, word: int) -> tuple[float, int]:
    """Compute what left_step returns from the counts."""
    table, bits, counted = lm.table, lm.bits, lm.counted
    n_models = lm.begin.shape[0]
    p = 0.0
    weight = 1.0
    after = -1
    while state >= n_models:
        key = -1
        count = 0
        slot = find_transition(table, bits, state, word)
        if table[slot, STATE] >= 0:
            key = slot
            count = wide(counted.adjusted[slot])
            # the longest n-gram that exists leads to the state after; shorter ones only add to p
            if after < 0:
                after = wide(table[slot, TARGET])
        share, below = left_share(lm, state, key, count)
        p += weight * share
        weight *= below
        state = wide(counted.context[state, BELOW])
    if after < 0:
        after = wide(lm.unigram[word, UNIGRAM_TARGET])
    if word == counted.first[state]:  # p(<s>) = 1 below all contexts, as in kneser_ney.py
        p += weight
    else:
        key = table.shape[0] + word
        count = wide(counted.unigram[word])
        share, below = left_share(lm, state, key, count)
        p += weight * (share + below * counted.uniform[state])
    return min(np.log(p), 0.0), after


@njit(**LEAN)
def left_step(lm: LeftLanguageModel, state: int, word: int) -> tuple[float, int]:
    """Read a word in a state: return its log probability and the state after it.

    The states are the whole model's; each belongs to one model, and the word is one of that model.
    """
    # a search asks for the same word and state again and again, so the last answers are kept
    key, log, after = lm.remembered
    slot = transition_home(state, word, MEMORY_BITS)
    if key[slot, ASKED_STATE] != state or key[slot, ASKED_WORD] != word:
        log[slot], after[slot] = left_log(lm, state, word)
        key[slot, ASKED_STATE] = state
        key[slot, ASKED_WORD] = word
    return log[slot], wide(after[slot])
