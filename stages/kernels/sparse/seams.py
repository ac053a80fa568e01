"""Scores of the sparse features that reach beyond a block, and the history that they need.

The history of a hypothesis is all that features of later steps may need of it, a row of

    key of the last target phrase, key of the last source phrase, the last two words,
    a hash of the triggers among the words so far, and then their set, 32 bits a column

each only if the feature of some weight begins with it (-1 otherwise), so that hypotheses with the
same future are still one node.  Histories are equal if their first four columns are.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import (
    LAST_SOURCE,
    LAST_TARGET,
    LAST_WORDS,
    LENGTH,
    PLACE,
    SETS,
    SOURCE,
    TARGET,
    TRIGGERED,
    Seams,
    Triggers,
)
from campanula.stages.kernels.sparse.weights import (
    BOUNDARY,
    HEADLESS,
    SOURCE_PHRASES,
    TARGET_PHRASES,
    TEXT_BIGRAM,
    TEXT_TRIGRAM,
    fold,
    key_of,
    phrases_key,
    weight_of,
)
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def no_history(triggers: Triggers) -> Ints:
    """History (1, SETS + columns of a set) of the start: no phrase, no word, no trigger."""
    n_bits = 0
    for left in range(len(triggers.bit)):
        n_bits = max(n_bits, wide(triggers.bit[left]) + 1)
    history = np.zeros((1, SETS + ((n_bits + 31) >> 5)), dtype=np.int64)
    history[0, LAST_TARGET] = -1
    history[0, LAST_SOURCE] = -1
    history[0, TRIGGERED] = -1
    return history


@njit(cache=True, nogil=True)
def words_score(words: int, option: int, info: Ids, seams: Seams) -> float:
    """Score of the n-grams that cross into an option after two words, given as in a history."""
    keys, ids, theta, on, mark = seams.table
    word = seams.word
    # two numbers of 32 bits, each plus 1, so that 0 is no word
    last, before = (words & 0xFFFFFFFF) - 1, (words >> 32) - 1
    length, place = info[option, LENGTH], info[option, PLACE]
    total = 0.0
    if length > 0 and last >= 0:
        left, first = mark[last], mark[word[place]]
        if on[BOUNDARY]:
            total += weight_of(keys, ids, theta, key_of(BOUNDARY, left, first, -1))
        if on[TEXT_BIGRAM]:
            total += weight_of(keys, ids, theta, key_of(TEXT_BIGRAM, left, first, -1))
        if on[TEXT_TRIGRAM] and before >= 0:
            total += weight_of(keys, ids, theta, key_of(TEXT_TRIGRAM, mark[before], left, first))
        if on[TEXT_TRIGRAM] and length > 1:
            key = key_of(TEXT_TRIGRAM, left, first, mark[word[place + 1]])
            total += weight_of(keys, ids, theta, key)
    return total


@njit(cache=True, nogil=True)
def phrases_score(history: Ints, h: int, option: int, seams: Seams) -> float:
    """Score of the features of an option's phrases with the last phrases of history h."""
    keys, ids, theta, _, _ = seams.table
    phrase = seams.phrase
    total = 0.0
    if history[h, LAST_TARGET] >= 0:
        key = phrases_key(TARGET_PHRASES, HEADLESS, history[h, LAST_TARGET], phrase[option, TARGET])
        total += weight_of(keys, ids, theta, key)
    if history[h, LAST_SOURCE] >= 0:
        key = phrases_key(SOURCE_PHRASES, HEADLESS, history[h, LAST_SOURCE], phrase[option, SOURCE])
        total += weight_of(keys, ids, theta, key)
    return total


@njit(cache=True, nogil=True)
def triggers_score(history: Ints, h: int, option: int, info: Ids, triggers: Triggers) -> float:
    """Score of pairs of a word of history h and a word of an option that the first one triggers."""
    begin, end = info[option, PLACE], info[option, PLACE] + info[option, LENGTH]
    total = 0.0
    for place in range(begin, end):
        right = triggers.right[place]
        if right >= 0:
            for t in range(triggers.start[right], triggers.start[right + 1]):
                left = triggers.first[t]
                bit = wide(triggers.bit[left])
                if bit >= 0 and (history[h, SETS + (bit >> 5)] >> (bit & 31)) & 1 == 1:
                    # a pair counts once: if the option has its first word, too, the block's own
                    # score has the pair (blocks.trigger_score)
                    here = begin
                    while here < place and triggers.left[here] != left:
                        here += 1
                    if here == place:
                        total += triggers.value[t]
    return total


@njit(cache=True, nogil=True, inline="always")
def seam_score(history: Ints, h: int, option: int, info: Ids, seams: Seams) -> float:
    """Score of the features between history h and an option (info: records.Options)."""
    # inlined, and each kind a function of its own: passing on an array takes time, read or not
    total = 0.0
    if history[h, LAST_WORDS] != 0:
        total += words_score(int(history[h, LAST_WORDS]), option, info, seams)
    if history[h, LAST_TARGET] >= 0 or history[h, LAST_SOURCE] >= 0:
        total += phrases_score(history, h, option, seams)
    if history.shape[1] > SETS:
        total += triggers_score(history, h, option, info, seams.triggers)
    return total


@njit(cache=True, nogil=True)
def words_after(words: int, option: int, info: Ids, useful: Ids) -> int:
    """Return the last two words after an option, 32 bits each, plus 1, the last one lowest."""
    length, place = info[option, LENGTH], info[option, PLACE]
    if length > 0:
        before = words & 0xFFFFFFFF
        if length > 1:
            before = wide(useful[place + length - 2]) + 1
        last = wide(useful[place + length - 1]) + 1
        # every n-gram across a seam has the last word: without it the other one is not needed
        words = before << 32 | last if last > 0 else 0
    return int(words)


@njit(cache=True, nogil=True)
def set_after(history: Ints, h: int, new: int, option: int, info: Ids, triggers: Triggers) -> int:
    """Write the set of triggers after h and an option to row `new`; return a hash of the set."""
    for column in range(SETS, history.shape[1]):
        history[new, column] = history[h, column]
    for place in range(info[option, PLACE], info[option, PLACE] + info[option, LENGTH]):
        left = triggers.left[place]
        if left >= 0 and triggers.bit[left] >= 0:
            bit = wide(triggers.bit[left])
            history[new, SETS + (bit >> 5)] |= np.int64(1) << np.int64(bit & 31)
    one, two = 1, 1
    for column in range(SETS, history.shape[1]):
        one, two = fold(one, two, history[new, column])
    return int(one << 31 | two)


@njit(cache=True, nogil=True, inline="always")
def remember(
    history: Ints, h: int, new: int, option: int, info: Ids, seams: Seams
) -> tuple[int, int, int, int]:
    """Write the history after h and an option to row `new`; return its first four columns."""
    # `context` is -1 where no feature begins with the option's phrase
    target = int(seams.context[option, TARGET])
    source = int(seams.context[option, SOURCE])
    words = words_after(int(history[h, LAST_WORDS]), option, info, seams.useful)
    triggered = -1
    if history.shape[1] > SETS:
        triggered = set_after(history, h, new, option, info, seams.triggers)
    history[new, LAST_TARGET] = target
    history[new, LAST_SOURCE] = source
    history[new, LAST_WORDS] = words
    history[new, TRIGGERED] = triggered
    return target, source, words, triggered
