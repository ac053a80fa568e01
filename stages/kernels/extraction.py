"""Extract the phrase pairs that are consistent with a word alignment, and count them.

A pair of spans is consistent if at least one link joins them and no link leads out of either
(Och and Ney 2004); unaligned words at the borders of the source span may belong to it or not.
The orientation of a pair says where the alignment goes on before it (previous) and after it
(next): monotone, swapped, or elsewhere, by the links at its corners (Koehn et al. 2005, the
word-based msd-bidirectional model).

Links inside a pair are a bit pattern: bit s of byte t is set if source word s of the phrase is
linked to target word t of it.  Seven bytes keep the sign bit clear, hence MAX_LENGTH.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stages.kernels.compiled import njit

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

MAX_LENGTH = 7
MONOTONE, SWAP, OTHER = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Every extracted pair (M,): where its spans start and how long they are, in the two texts.

    `links` (M,) the bit pattern; `orientation` (M,) is 3 * previous + next.
    """

    source_at: Places
    source_length: Bytes
    target_at: Places
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
    orientation: npt.NDArray[np.int32]


def extract(
    source_start: Ints,
    target_start: Ints,
    link_start: Ints,
    link_source: Ints,
    link_target: Ints,
    max_length: int,
) -> Occurrences:
    """Occurrences of all consistent pairs of at most max_length words a side.

    Sentence n is words source_start[n]:source_start[n + 1] of the source text, and its links are
    link_start[n]:link_start[n + 1], with places inside the sentence.
    """
    texts = (source_start, target_start, link_start, link_source, link_target, max_length)
    nothing = _room(0)
    size = _extract(*texts, False, *nothing)
    found = _room(size)
    _extract(*texts, True, *found)
    return Occurrences(*found)


def _room(size: int) -> tuple[Places, Bytes, Places, Bytes, Ints, Bytes]:
    return (
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
def _aligned(matrix: Flags, n_source: int, n_target: int, s: int, t: int) -> bool:
    """Whether a link joins s and t; the corners outside the sentence count as linked."""
    if (s == -1 and t == -1) or (s == n_source and t == n_target):
        return True
    if s < 0 or t < 0 or s >= n_source or t >= n_target:
        return False
    return bool(matrix[s, t])


@njit(cache=True, nogil=True)
def _orientation(straight: bool, crossed: bool) -> int:
    if straight and not crossed:
        return MONOTONE
    if crossed and not straight:
        return SWAP
    return OTHER


@njit(cache=True, nogil=True)
def _pattern(matrix: Flags, s0: int, s1: int, t0: int, t1: int) -> int:
    """Bit pattern of the links between two spans, ends included."""
    pattern = 0
    for t in range(t0, t1 + 1):
        for s in range(s0, s1 + 1):
            if matrix[s, t]:
                pattern |= 1 << (8 * (t - t0) + s - s0)
    return pattern


@njit(cache=True, nogil=True)
def _extract(
    source_start: Ints,
    target_start: Ints,
    link_start: Ints,
    link_source: Ints,
    link_target: Ints,
    max_length: int,
    write: bool,
    out_source_at: Places,
    out_source_length: Bytes,
    out_target_at: Places,
    out_target_length: Bytes,
    out_links: Ints,
    out_orientation: Bytes,
) -> int:
    """Number of occurrences; with `write`, they are put into the arrays."""
    found = 0
    for n in range(len(link_start) - 1):
        n_source = source_start[n + 1] - source_start[n]
        n_target = target_start[n + 1] - target_start[n]
        matrix = np.zeros((n_source, n_target), np.bool_)
        # per word, the outermost places of the other side that it is linked to
        s_low, s_high = np.full(n_target, n_source), np.full(n_target, -1)
        t_low, t_high = np.full(n_source, n_target), np.full(n_source, -1)
        for k in range(link_start[n], link_start[n + 1]):
            s, t = link_source[k], link_target[k]
            matrix[s, t] = True
            s_low[t], s_high[t] = min(s_low[t], s), max(s_high[t], s)
            t_low[s], t_high[s] = min(t_low[s], t), max(t_high[s], t)
        for t0 in range(n_target):
            low, high = n_source, -1
            for t1 in range(t0, min(n_target, t0 + max_length)):
                low, high = min(low, s_low[t1]), max(high, s_high[t1])
                if high < 0 or high - low >= max_length:
                    continue
                consistent = True
                for s in range(low, high + 1):
                    if t_low[s] < t0 or t_high[s] > t1:
                        consistent = False
                if not consistent:
                    continue
                s0 = low
                while s0 >= 0 and s0 > high - max_length and (s0 == low or t_high[s0] < 0):
                    s1 = high
                    while s1 < n_source and s1 < s0 + max_length and (s1 == high or t_high[s1] < 0):
                        if write:
                            before = _orientation(
                                _aligned(matrix, n_source, n_target, s0 - 1, t0 - 1),
                                _aligned(matrix, n_source, n_target, s1 + 1, t0 - 1),
                            )
                            after = _orientation(
                                _aligned(matrix, n_source, n_target, s1 + 1, t1 + 1),
                                _aligned(matrix, n_source, n_target, s0 - 1, t1 + 1),
                            )
                            out_source_at[found] = source_start[n] + s0
                            out_source_length[found] = s1 - s0 + 1
                            out_target_at[found] = target_start[n] + t0
                            out_target_length[found] = t1 - t0 + 1
                            out_links[found] = _pattern(matrix, s0, s1, t0, t1)
                            out_orientation[found] = 3 * before + after
                        found += 1
                        s1 += 1
                    s0 -= 1
    return found


@njit(cache=True, nogil=True)
def _transposed(links: int) -> int:
    """The pattern seen from the target's side: bit t of byte s."""
    turned = 0
    for t in range(MAX_LENGTH):
        for s in range(MAX_LENGTH):
            if (links >> (8 * t + s)) & 1:
                turned |= 1 << (8 * s + t)
    return turned


@njit(cache=True, nogil=True)
def _follows(a: int, b: int) -> bool:
    """Whether pattern a sorts behind b as a list of sorted lists, the order that Moses ties by."""
    for t in range(MAX_LENGTH):
        set_a, set_b = (a >> (8 * t)) & 255, (b >> (8 * t)) & 255
        if set_a != set_b:
            lowest = (set_a ^ set_b) & -(set_a ^ set_b)
            # the sorted lists are equal below `lowest`; one of them goes on with it
            if set_a & lowest:
                return bool(set_b < lowest)
            return bool(set_a >= lowest)
    return False


@njit(cache=True, nogil=True)
def _aggregate(
    bounds: Ints, links: Ints, orientation: Bytes
) -> tuple[Ints, Ints, npt.NDArray[np.int32]]:
    """Most frequent patterns, and orientation counts, of the pairs bounds[p]:bounds[p + 1].

    The occurrences of a pair are sorted by pattern.
    """
    n_pairs = len(bounds) - 1
    best, best_inverse = np.zeros(n_pairs, np.int64), np.zeros(n_pairs, np.int64)
    counts = np.zeros((n_pairs, 2, 3), np.int32)
    for p in range(n_pairs):
        most = 0
        begin = bounds[p]
        while begin < bounds[p + 1]:
            pattern, end = links[begin], begin
            while end < bounds[p + 1] and links[end] == pattern:
                counts[p, 0, orientation[end] // 3] += 1
                counts[p, 1, orientation[end] % 3] += 1
                end += 1
            size = end - begin
            if size > most:
                most, best[p], best_inverse[p] = size, pattern, _transposed(pattern)
            elif size == most:
                if _follows(pattern, best[p]):
                    best[p] = pattern
                turned = _transposed(pattern)
                if _follows(turned, best_inverse[p]):
                    best_inverse[p] = turned
            begin = end
    return best, best_inverse, counts
