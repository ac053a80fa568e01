"""Scores of the sparse features that look at two neighbouring blocks, and what they must remember.

The history of a hypothesis is what those features may still ask of it:

    (key of the last target phrase, key of the last source phrase, last word, the one before it)

each only if some weight's feature begins with it (-1 otherwise), so that hypotheses with the same
future are still one node.
"""

from __future__ import annotations

from stages.kernels.compiled import njit
from stages.kernels.search_records import I64, Options, Seams
from stages.kernels.sparse_weights import (
    BOUNDARY,
    NGRAM,
    SOURCE_PHRASES,
    TARGET_PHRASES,
    key_of,
    phrases_key,
    weight_of,
)


@njit(cache=True, nogil=True)
def words_score(last: int, before: int, option: int, options: Options, seams: Seams) -> float:
    """Score of the n-grams that cross into an option after the words (before, last)."""
    keys, values, word = seams.key, seams.value, seams.word
    length, place = options.info[option, 1], options.info[option, 2]
    total = 0.0
    if length > 0 and last >= 0:
        first = word[place]
        total += weight_of(keys, values, key_of(BOUNDARY, last, -1, first, -2))
        total += weight_of(keys, values, key_of(NGRAM, last, first, -2, -2))
        if before >= 0:
            total += weight_of(keys, values, key_of(NGRAM, before, last, first, -2))
        if length > 1:
            total += weight_of(keys, values, key_of(NGRAM, last, first, word[place + 1], -2))
    return total


@njit(cache=True, nogil=True)
def seam_score(history: I64, h: int, option: int, options: Options, seams: Seams) -> float:
    """Score of the features between history h and an option; history (n, 4)."""
    keys, values, phrase = seams.key, seams.value, seams.phrase
    total = words_score(history[h, 2], history[h, 3], option, options, seams)
    if history[h, 0] >= 0:
        key = phrases_key(TARGET_PHRASES, -2, history[h, 0], phrase[option, 1])
        total += weight_of(keys, values, key)
    if history[h, 1] >= 0:
        key = phrases_key(SOURCE_PHRASES, -2, history[h, 1], phrase[option, 0])
        total += weight_of(keys, values, key)
    return total


@njit(cache=True, nogil=True)
def history_after(
    history: I64, h: int, option: int, options: Options, seams: Seams
) -> tuple[int, int, int, int]:
    """History after an option."""
    length, place = options.info[option, 1], options.info[option, 2]
    last, before, context = history[h, 2], history[h, 3], seams.context
    if length > 0:
        before = last
        if length > 1:
            before = seams.useful[place + length - 2]
        last = seams.useful[place + length - 1]
        if last < 0:
            before = last
    return int(context[option, 1]), int(context[option, 0]), int(last), int(before)
