"""Estimates made before the search: the order of each span's options, and the cost of every gap.

    value(option) = theta . f with the language model's estimate + its best forward reordering score
    best(i, j)    = max over options of the span  value + best backward reordering score
                    + cost of coming to i in order
    inner(i, j)   = max over ways to cut the gap  sum of best

The language model's estimate takes a phrase's first words without their context.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import (
    BACKWARD,
    DISCONTINUOUS,
    ESTIMATED,
    FORWARD,
    H_BACKWARD,
    HIERARCHICAL,
    MAX_WINDOW,
    MONOTONE,
    ORIENTATIONS,
    SWAPPED,
    Outlook,
)
from campanula.stages.kernels.wide import wide

STARTS = MAX_WINDOW + 1  # words from a gap on where a phrase may start


@njit(cache=True, nogil=True, inline="always")
def best_orientation(score: Floats, option: int, side: int) -> float:
    """Return the highest score of an option's three orientations from column `side` on."""
    return float(
        max(
            score[option, side + MONOTONE],
            score[option, side + SWAPPED],
            score[option, side + DISCONTINUOUS],
        )
    )


@njit(cache=True, nogil=True, inline="always")
def best_turns(score: Floats, option: int, side: int) -> float:
    """Return an option's highest score by orientations; side: records.BACKWARD or FORWARD.

    Hierarchical orientations, if scored, are added by their own highest score.
    """
    total = best_orientation(score, option, side)
    if score.shape[1] > H_BACKWARD:
        total += best_orientation(score, option, side + HIERARCHICAL)
    return float(total)


@njit(cache=True, nogil=True, inline="always")
def in_order_score(score: Floats, option: int) -> float:
    """Return the score of an option's backward orientations in monotone order."""
    total = score[option, BACKWARD + MONOTONE]
    if score.shape[1] > H_BACKWARD:
        total += score[option, H_BACKWARD + MONOTONE]
    return float(total)


@njit(cache=True, nogil=True)
def ordered_options(
    n: int, span_first: Ids, span_count: Ids, score: Floats
) -> tuple[Ids, Ids, Floats]:
    """Sort the options of every span, best in monotone order first: first, option, value.

    They are arrays of records.Outlook.
    """
    longest = span_first.shape[1]
    total = 0
    first = np.zeros((n, longest), dtype=np.int32)
    for i in range(n):
        for k in range(longest):
            first[i, k] = total
            total += span_count[i, k]
    option = np.empty(total, dtype=np.int32)
    value = np.empty(total)
    for i in range(n):
        for k in range(min(longest, n - i)):
            begin = first[i, k]
            for x in range(begin, begin + span_count[i, k]):
                o = span_first[i, k] + x - begin
                v = score[o, ESTIMATED] + best_turns(score, o, FORWARD)
                y = x
                # inserted: spans have few options, most of them in the right order already
                in_order = v + in_order_score(score, o)
                while y > begin and value[y - 1] + in_order_score(score, option[y - 1]) < in_order:
                    value[y], option[y] = value[y - 1], option[y - 1]
                    y -= 1
                value[y] = v
                option[y] = o
    return first, option, value


@njit(cache=True, nogil=True)
def gap_costs(
    n: int, span_count: Ids, first: Ids, option: Ids, value: Floats, score: Floats, in_order: Floats
) -> tuple[Floats, Floats]:
    """Return the best estimate of every gap, inner and tail; in_order (n,) as in records.Jumps."""
    longest = span_count.shape[1]
    width = min(n, MAX_WINDOW) + 1
    best = np.full((n, longest), -np.inf)
    for i in range(n):
        for k in range(longest):
            for x in range(first[i, k], first[i, k] + span_count[i, k]):
                o = option[x]
                best[i, k] = max(best[i, k], value[x] + best_turns(score, o, BACKWARD))
            best[i, k] += in_order[i]
    inner = np.full((n + 1, width), -np.inf)
    for i in range(n + 1):
        inner[i, 0] = 0.0
    tail = np.full(n + 1, -np.inf)
    tail[n] = 0.0
    # cut by cut from the right: a first phrase of k + 1 words, and the best of the words behind it
    for i in range(n - 1, -1, -1):
        for length in range(1, min(width, n - i + 1)):
            for k in range(min(longest, length)):
                inner[i, length] = max(
                    inner[i, length], best[i, k] + inner[i + k + 1, length - k - 1]
                )
        for k in range(min(longest, n - i)):
            tail[i] = max(tail[i], best[i, k] + tail[i + k + 1])
    return inner, tail


@njit(cache=True, nogil=True)
def span_starts(n: int, span_count: Ids) -> Ints:
    """Return bits (n, longest): which of the STARTS words from i on start a span of k + 1 words.

    Only spans with options count.
    """
    longest = span_count.shape[1]
    starts = np.zeros((n, longest), np.int64)
    for k in range(longest):
        bits = wide(0)
        for i in range(n - 1, -1, -1):
            # one word to the left: all bits move up, and the furthest word drops out
            bits = (bits << 1) & ((1 << STARTS) - 1)
            if i + k < n and span_count[i, k] > 0:
                bits |= 1
            starts[i, k] = bits
    return starts


@njit(cache=True, nogil=True)
def backward_scores(option: Ids, score: Floats) -> Floats:
    """Return backward scores of options by orientation, (n, 3), or (n, 6) with hierarchical ones.

    They are in the order of `option`, so that the cells of a grid find them side by side.
    """
    hierarchical = score.shape[1] > H_BACKWARD
    back = np.empty((len(option), 2 * ORIENTATIONS if hierarchical else ORIENTATIONS))
    for x in range(len(option)):
        for o in range(ORIENTATIONS):
            back[x, o] = score[option[x], BACKWARD + o]
            if hierarchical:
                back[x, ORIENTATIONS + o] = score[option[x], H_BACKWARD + o]
    return back


@njit(cache=True, nogil=True)
def outlook(n: int, span_first: Ids, span_count: Ids, score: Floats, in_order: Floats) -> Outlook:
    """Return the outlook of a sentence of n words; score as in records.Options.

    in_order (n,): the cost of coming to each word in order (records.Jumps).
    """
    first, option, value = ordered_options(n, span_first, span_count, score)
    inner, tail = gap_costs(n, span_count, first, option, value, score, in_order)
    back = backward_scores(option, score)
    starts = span_starts(n, span_count)
    return Outlook(span_count, first, option, value, inner, tail, back, starts)
