"""Extract the phrase pairs that are consistent with a word alignment, and count them.

A pair of spans is consistent if at least one link joins them and no link leads out of either
(Och and Ney 2004); unaligned words at the borders of the source span may belong to it or not.
A pair has an orientation to what comes before it (previous) and to what comes after it (next):
monotone, swapped, or other, by the links at its corners (Koehn et al. 2005, the word-based
msd-bidirectional model), or by the blocks there (corners.py).

Links inside a pair are a bit pattern: bit s of byte t is set if source word s of the phrase is
linked to target word t of it.  Seven bytes keep the sign bit clear, hence MAX_LENGTH.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Ids, Ints
from campanula.stages.kernels.bitext.corners import corners_of, turns_of
from campanula.stages.kernels.bitext.links import (
    SOURCE_FIRST,
    SOURCE_LAST,
    TARGET_FIRST,
    TARGET_LAST,
    WORD,
    alignment_of,
    consistent_spans,
    most_spans,
    pattern_of,
)
from campanula.stages.kernels.compiled import LEAN, njit

MAX_LENGTH = 7


class Occurrences(NamedTuple):
    """Every extracted pair (M,): where its spans begin and how long they are, links, orientation.

    source_at and target_at are places in the texts, source_length and target_length in words;
    `links` is the bit pattern, and `orientation` is 3 * previous + next.
    """

    source_at: Ids
    source_length: Bytes
    target_at: Ids
    target_length: Bytes
    links: Ints
    orientation: Bytes


@dataclass(frozen=True, slots=True)
class PhrasePairs:
    """The distinct pairs (P,), sorted by (source, target) number.

    `count` (P,) occurrences; `links` (P,) the most frequent pattern, and `links_inverse` (P,) the
    same seen from the target's side, bit t of byte s, with ties broken there; `orientation`
    (P, 2, 3) counts, previous then next, of monotone, swap and other.
    """

    source: Ints
    target: Ints
    count: Ints
    links: Ints
    links_inverse: Ints
    orientation: Ids


def extract(
    source_start: Ints,
    target_start: Ints,
    link_start: Ints,
    link_source: Ints,
    link_target: Ints,
    max_length: int,
    kind: int = WORD,
) -> Occurrences:
    """Return the occurrences of all consistent pairs of at most max_length words a side.

    Sentence n is words source_start[n]:source_start[n + 1] of the source text, and its links are
    link_start[n]:link_start[n + 1], with places inside the sentence.  kind: what orientations are
    told by, links.WORD, PHRASE or HIERARCHICAL.
    """
    texts = (source_start, target_start, link_start, link_source, link_target, max_length)
    # counted in a first pass: the arrays are the largest of all, and get the size they need
    occurrences = _empty_occurrences(_extract(*texts, kind, _empty_occurrences(0)))
    _extract(*texts, kind, occurrences)
    return occurrences


def _empty_occurrences(size: int) -> Occurrences:
    return Occurrences(
        np.empty(size, np.int32),
        np.empty(size, np.uint8),
        np.empty(size, np.int32),
        np.empty(size, np.uint8),
        np.empty(size, np.int64),
        np.empty(size, np.uint8),
    )


def count_pairs(
    source: Ints, target: Ints, n_targets: int, links: Ints, orientation: Bytes
) -> PhrasePairs:
    """Count the distinct pairs of phrase numbers source (M,), target (M,) of occurrences."""
    key = source * n_targets + target
    # within a pair by pattern, so that _aggregate counts patterns as runs
    order = np.lexsort((links, key))
    key = key[order]
    first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else order
    bounds = np.append(first, len(key))
    best, best_inverse, orientations = _aggregate(bounds, links[order], orientation[order])
    pair = key[first]
    return PhrasePairs(
        pair // n_targets, pair % n_targets, np.diff(bounds), best, best_inverse, orientations
    )


@njit(cache=True, nogil=True)
def _extract(
    source_start: Ints,
    target_start: Ints,
    link_start: Ints,
    link_source: Ints,
    link_target: Ints,
    max_length: int,
    kind: int,
    out: Occurrences,
) -> int:
    """Return the number of occurrences; unless the arrays of `out` are empty, write them there."""
    # one array of spans for all sentences, as large as the longest needs
    longest = 0
    for n in range(len(target_start) - 1):
        longest = max(longest, target_start[n + 1] - target_start[n])
    spans = np.empty((most_spans(longest, max_length), 4), np.int64)
    n_occurrences = 0
    for n in range(len(link_start) - 1):
        n_source = source_start[n + 1] - source_start[n]
        n_target = target_start[n + 1] - target_start[n]
        begin, end = link_start[n], link_start[n + 1]
        links = alignment_of(n_source, n_target, link_source[begin:end], link_target[begin:end])
        n_spans = consistent_spans(links, max_length, spans)
        if len(out.links) > 0:  # the second pass
            corner = corners_of(links, spans[:n_spans], kind)
            starts = (source_start[n], target_start[n])
            _put(links.linked, corner, spans[:n_spans], starts, out, n_occurrences)
        n_occurrences += n_spans
    return n_occurrences


@njit(**LEAN)
def _put(
    linked: Flags, corner: Flags, spans: Ints, starts: tuple[int, int], out: Occurrences, first: int
) -> None:
    """Write the occurrences of a sentence pair as number `first` and those that follow.

    `starts`: the places of the two texts at which the pair's sentences begin.
    """
    source_at, target_at = starts
    for k in range(len(spans)):
        s0, s1 = spans[k, SOURCE_FIRST], spans[k, SOURCE_LAST]
        t0, t1 = spans[k, TARGET_FIRST], spans[k, TARGET_LAST]
        before, after = turns_of(linked, corner, spans[k])
        x = first + k
        out.source_at[x] = source_at + s0
        out.source_length[x] = s1 - s0 + 1
        out.target_at[x] = target_at + t0
        out.target_length[x] = t1 - t0 + 1
        out.links[x] = pattern_of(linked, s0, s1, t0, t1)
        out.orientation[x] = 3 * before + after


@njit(**LEAN)
def transposed(links: int) -> int:
    """Return the pattern seen from the target's side: bit t of byte s, for bit s of byte t."""
    turned = 0
    for t in range(MAX_LENGTH):
        for s in range(MAX_LENGTH):
            if (links >> (8 * t + s)) & 1:
                turned |= 1 << (8 * s + t)
    return turned


@njit(**LEAN)
def follows(a: int, b: int) -> bool:
    """Whether pattern a sorts behind b, by which Moses breaks ties.

    Patterns are compared as lists, for each target word, of the sorted source words linked to it.
    """
    for t in range(MAX_LENGTH):
        set_a, set_b = (a >> (8 * t)) & 255, (b >> (8 * t)) & 255
        if set_a != set_b:
            # x & -x is the lowest bit of x: the lowest source word that only one list has
            lowest = (set_a ^ set_b) & -(set_a ^ set_b)
            # the list that has it sorts before the other, unless the other has ended
            if set_a & lowest:
                return bool(set_b < lowest)
            return bool(set_a >= lowest)
    return False


@njit(cache=True, nogil=True)
def _aggregate(bounds: Ints, links: Ints, orientation: Bytes) -> tuple[Ints, Ints, Ids]:
    """Return the most frequent patterns, from either side, and orientation counts of all pairs.

    Pair p has the occurrences bounds[p]:bounds[p + 1], sorted by pattern.
    """
    n_pairs = len(bounds) - 1
    best, best_inverse = np.zeros(n_pairs, np.int64), np.zeros(n_pairs, np.int64)
    counts = np.zeros((n_pairs, 2, 3), np.int32)
    for p in range(n_pairs):
        most = 0
        begin = bounds[p]
        while begin < bounds[p + 1]:
            pattern = links[begin]
            end = begin
            while end < bounds[p + 1] and links[end] == pattern:
                counts[p, 0, orientation[end] // 3] += 1
                counts[p, 1, orientation[end] % 3] += 1
                end += 1
            size = end - begin
            if size > most:
                most = size
                best[p] = pattern
                best_inverse[p] = transposed(pattern)
            elif size == most:
                # each side breaks ties by its own order, so the two may be different patterns
                if follows(pattern, best[p]):
                    best[p] = pattern
                turned = transposed(pattern)
                if follows(turned, best_inverse[p]):
                    best_inverse[p] = turned
            begin = end
    return best, best_inverse, counts
