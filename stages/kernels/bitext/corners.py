"""Corners of the blocks of a sentence pair, which decide the orientations of blocks.

A block is monotone to the one before if another block ends just before it on both sides, and
swapped if another block that ends just before it in the target starts just behind it in the source;
the orientation to the block after is the same, from the block's last corner on.  Other blocks are
those that are extracted (phrase-based; Tillmann 2004), or all that no link leaves, however long
(hierarchical; Galley and Manning 2008).  As in Moses a link at such a place counts as a block
does, and where both hold, monotone wins.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Ints
from campanula.stages.kernels.bitext.links import (
    HIERARCHICAL,
    PHRASE,
    SOURCE_FIRST,
    SOURCE_LAST,
    TARGET_FIRST,
    TARGET_LAST,
    Alignment,
    aligned,
    turn,
)
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.records import DISCONTINUOUS, MONOTONE, SWAPPED

# Corners by the words that meet there: of the source, then of the target.
FIRST_FIRST, FIRST_LAST, LAST_FIRST, LAST_LAST = range(4)


@njit(cache=True, nogil=True)
def corners_of(links: Alignment, spans: Ints, kind: int) -> Flags:
    """Return corners (4, n_source + 2, n_target + 2) of blocks: True where one has such a corner.

    Word i of a sentence has row or column i + 1.  kind: PHRASE, the blocks are the spans (n, 4)
    that are extracted; HIERARCHICAL, blocks of any length; else the result is empty, (0, 0, 0).
    """
    n_source, n_target = links.linked.shape
    if kind in (PHRASE, HIERARCHICAL):
        # a border of False on each side: neighbours of the first and the last word need no test
        corner = np.zeros((4, n_source + 2, n_target + 2), np.bool_)
        if kind == HIERARCHICAL:
            mark_blocks(corner, links)
        else:
            for k in range(len(spans)):
                s0, s1 = spans[k, SOURCE_FIRST] + 1, spans[k, SOURCE_LAST] + 1
                t0, t1 = spans[k, TARGET_FIRST] + 1, spans[k, TARGET_LAST] + 1
                corner[FIRST_FIRST, s0, t0] = True
                corner[FIRST_LAST, s0, t1] = True
                corner[LAST_FIRST, s1, t0] = True
                corner[LAST_LAST, s1, t1] = True
        return corner
    return np.zeros((0, 0, 0), np.bool_)


@njit(**LEAN)
def mark_blocks(corner: Flags, links: Alignment) -> None:
    """Mark the corners of all blocks; their source may have unaligned words at its borders."""
    n_source, n_target = links.linked.shape
    t_low, t_high = links.t_low, links.t_high
    for t0 in range(n_target):
        s0, s1 = n_source, -1  # the source words that are linked
        low, high = n_target, -1  # and what they are linked to
        for t1 in range(t0, n_target):
            if links.s_high[t1] >= 0:
                first, last = min(s0, links.s_low[t1]), max(s1, links.s_high[t1])
                for s in range(first, last + 1):
                    if s < s0 or s > s1:
                        low, high = min(low, t_low[s]), max(high, t_high[s])
                s0, s1 = first, last
            if low < t0:  # and so it will be for every longer span
                break
            if s1 < 0 or high > t1:
                continue
            s = s0
            while s >= 0 and (s == s0 or t_high[s] < 0):
                corner[FIRST_FIRST, s + 1, t0 + 1] = True
                corner[FIRST_LAST, s + 1, t1 + 1] = True
                s -= 1
            s = s1
            while s < n_source and (s == s1 or t_high[s] < 0):
                corner[LAST_FIRST, s + 1, t0 + 1] = True
                corner[LAST_LAST, s + 1, t1 + 1] = True
                s += 1


@njit(**LEAN)
def turns_of(linked: Flags, corner: Flags, span: Ints) -> tuple[int, int]:
    """Orientations of a block (4,) to the one before and the one after, by links and corners."""
    s0, s1 = span[SOURCE_FIRST], span[SOURCE_LAST]
    t0, t1 = span[TARGET_FIRST], span[TARGET_LAST]
    before = turn(aligned(linked, s0 - 1, t0 - 1), aligned(linked, s1 + 1, t0 - 1))
    after = turn(aligned(linked, s1 + 1, t1 + 1), aligned(linked, s0 - 1, t1 + 1))
    if len(corner) > 0:
        # places count from 1
        before = joined(before, corner[LAST_LAST, s0, t0], corner[FIRST_LAST, s1 + 2, t0])
        after = joined(after, corner[FIRST_FIRST, s1 + 2, t1 + 2], corner[LAST_FIRST, s0, t1 + 2])
    return before, after


@njit(**LEAN)
def joined(by_links: int, straight: bool, crossed: bool) -> int:
    """Orientation by links; if they say DISCONTINUOUS, by the corners straight on and across."""
    if by_links == MONOTONE or straight:
        return MONOTONE
    if by_links == SWAPPED or crossed:
        return SWAPPED
    return DISCONTINUOUS
