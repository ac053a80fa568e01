"""The links of one sentence pair: which spans they join consistently, and in which orientation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.records import DISCONTINUOUS, MONOTONE, SWAPPED

WORD, PHRASE, HIERARCHICAL = range(3)  # what decides orientations: links, or blocks (corners.py)

# columns of a pair of spans: their first and last words
SOURCE_FIRST, SOURCE_LAST, TARGET_FIRST, TARGET_LAST = range(4)


class Alignment(NamedTuple):
    """Links of a sentence pair: linked (n_source, n_target).

    Per word, the outermost places of the other side that it is linked to: s_low, s_high (n_target,)
    and t_low, t_high (n_source,); low is past the end and high -1 for a word without links.
    """

    linked: Flags
    s_low: Ints
    s_high: Ints
    t_low: Ints
    t_high: Ints


@njit(cache=True, nogil=True)
def alignment_of(n_source: int, n_target: int, source: Ints, target: Ints) -> Alignment:
    """Return the alignment of a sentence pair with links source (n_links,), target (n_links,)."""
    linked = np.zeros((n_source, n_target), np.bool_)
    s_low, s_high = np.full(n_target, n_source), np.full(n_target, -1)
    t_low, t_high = np.full(n_source, n_target), np.full(n_source, -1)
    for k in range(len(source)):
        s, t = source[k], target[k]
        linked[s, t] = True
        s_low[t], s_high[t] = min(s_low[t], s), max(s_high[t], s)
        t_low[s], t_high[s] = min(t_low[s], t), max(t_high[s], t)
    return Alignment(linked, s_low, s_high, t_low, t_high)


@njit(**LEAN)
def closed(t_low: Ints, t_high: Ints, s0: int, s1: int, t0: int, t1: int) -> bool:
    """Whether no link leads from the source words s0 to s1 out of the target words t0 to t1."""
    inside = True
    for s in range(s0, s1 + 1):
        if t_low[s] < t0 or t_high[s] > t1:
            inside = False
    return inside


@njit(**LEAN)
def most_spans(n_target: int, max_length: int) -> int:
    """Return an upper bound of the number of consistent pairs of spans."""
    # L target spans start at a word.  A source span of at most L words that has a linked word
    # begins i words before it, 0 <= i < L, and may end at L - i places: L (L + 1) / 2 in all.
    return n_target * max_length * (max_length * (max_length + 1) // 2)


@njit(**LEAN)
def consistent_spans(links: Alignment, max_length: int, spans: Ints) -> int:
    """Write the pairs of spans that no link leaves, of at most max_length words a side, to spans.

    spans (n, 4) has room for most_spans; a source span may have unaligned words at its borders.
    Returns the number of pairs.
    """
    n_source, n_target = links.linked.shape
    t_low, t_high = links.t_low, links.t_high
    count = 0
    for t0 in range(n_target):
        low, high = n_source, -1
        for t1 in range(t0, min(n_target, t0 + max_length)):
            low, high = min(low, links.s_low[t1]), max(high, links.s_high[t1])
            # low to high are the words linked to t0 to t1: the shortest source span
            if high < 0 or high - low >= max_length or not closed(t_low, t_high, low, high, t0, t1):
                continue
            # unaligned words before and behind it may belong to it or not (Och and Ney 2004)
            s0 = low
            while s0 >= 0 and s0 > high - max_length and (s0 == low or t_high[s0] < 0):
                s1 = high
                while s1 < n_source and s1 < s0 + max_length and (s1 == high or t_high[s1] < 0):
                    spans[count, SOURCE_FIRST] = s0
                    spans[count, SOURCE_LAST] = s1
                    spans[count, TARGET_FIRST] = t0
                    spans[count, TARGET_LAST] = t1
                    count += 1
                    s1 += 1
                s0 -= 1
    return count


@njit(**LEAN)
def aligned(linked: Flags, s: int, t: int) -> bool:
    """Whether a link joins s and t; the places before both sentences and behind both count as one.

    So the first block of a monotone sentence follows the start, and the last precedes the end.
    """
    n_source, n_target = linked.shape
    if (s == -1 and t == -1) or (s == n_source and t == n_target):
        return True
    if s < 0 or t < 0 or s >= n_source or t >= n_target:
        return False
    return bool(linked[s, t])


@njit(**LEAN)
def turn(straight: bool, crossed: bool) -> int:
    """Orientation by whether links stand at the corner straight on, and at the one across."""
    if straight and not crossed:
        return MONOTONE
    if crossed and not straight:
        return SWAPPED
    return DISCONTINUOUS


@njit(**LEAN)
def pattern_of(linked: Flags, s0: int, s1: int, t0: int, t1: int) -> int:
    """Return the bit pattern of the links between two spans, ends included."""
    # a byte a target word, of which 7 source words take 7 bits (extraction.MAX_LENGTH)
    pattern = 0
    for t in range(t0, t1 + 1):
        for s in range(s0, s1 + 1):
            if linked[s, t]:
                pattern |= 1 << (8 * (t - t0) + s - s0)
    return pattern
