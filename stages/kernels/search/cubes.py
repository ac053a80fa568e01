"""Grids of candidates: which phrases may come next, and what the rest of the sentence will cost.

A group of nodes and a span of free words make a grid, nodes by options.  `rest` is the best
estimate of what the uncovered words will cost, with the distortion they force (Moore and Quirk
2007).
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.hierarchical import followed_by, run_before
from campanula.stages.kernels.memory import grown
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.records import DISTANCE_ORDER, H_BACKWARD, SWAP_ORDER, Sentence
from campanula.stages.kernels.search.records import (
    CUBE_BACK,
    CUBE_FIRST,
    CUBE_FORTH,
    CUBE_GAP,
    CUBE_GROUP,
    CUBE_LENGTH,
    CUBE_MASK,
    CUBE_OPTIONS,
    CUBE_ORIENTATION,
    CUBE_START,
    CUBE_TARGET,
    GAP,
    JUMP,
    LAST_END,
    LAST_START,
    MASK,
    N_NODES,
    REST,
    Cubes,
    Hypotheses,
)


@njit(cache=True, nogil=True)
def rest(
    n: int, gap: int, mask: int, end: int, inner: Floats, tail: Floats, ahead: Floats
) -> float:
    """Estimate of what the uncovered words cost, and of the jumps they force after `end`.

    ahead (n + 1, n) is that of Jumps.
    """
    total = 0.0
    place, here = end, gap
    while mask != 0:
        length = 0
        while mask & 1 == 0:
            mask >>= 1
            length += 1
        if length > 0:
            total += inner[here, length] + ahead[place, here]
            here += length
            place = here
        while mask & 1 == 1:
            mask >>= 1
            here += 1
    if here < n:
        total += tail[here] + ahead[place, here]
    return total


@njit(cache=True, nogil=True)
def allowed(
    gap: int,
    mask: int,
    end: int,
    start: int,
    length: int,
    gap_fills: bool,
    reordering: int,
    limit: int,
) -> bool:
    """Whether a phrase may come next: its words are free, and the order is one of the mode's.

    DISTANCE_ORDER: the jump is at most `limit`, and so is the jump from its end back to the gap.
    SWAP_ORDER: in order, or behind a gap that one block can fill (`gap_fills`), which comes next.
    """
    free = mask & (((1 << length) - 1) << (start - gap)) == 0
    if reordering == DISTANCE_ORDER:
        near = abs(start - end) <= limit and (start == gap or start + length - gap <= limit)
        return free and near
    if start == gap:
        return free and (mask == 0 or (mask >> length) & 1 == 1)
    return reordering == SWAP_ORDER and mask == 0 and gap_fills


@njit(cache=True, nogil=True, inline="always")
def covered(gap: int, mask: int, start: int, length: int) -> tuple[int, int]:
    """Gap and mask when the words from `start` on are covered, too."""
    mask |= ((1 << length) - 1) << (start - gap)
    while mask & 1 == 1:
        mask >>= 1
        gap += 1
    return gap, mask


@njit(cache=True, nogil=True)
def make_cubes(t: int, sentence: Sentence, hypotheses: Hypotheses) -> Cubes:
    """Grids of all phrases that lead from earlier stacks to stack t."""
    n, group, stack_group = sentence.n_words, hypotheses.group, hypotheses.stack_group
    outlook, jumps = sentence.outlook, sentence.jumps
    span_count, first, inner, tail = outlook.n_options, outlook.first, outlook.inner, outlook.tail
    longest = span_count.shape[1]
    reordering, limit = sentence.settings.reordering, sentence.settings.limit
    reach = 0
    if reordering == DISTANCE_ORDER:
        reach = limit
    elif reordering == SWAP_ORDER:
        reach = longest
    hierarchical = sentence.options.score.shape[1] > H_BACKWARD
    info = np.empty((256, 11), np.int64)
    value = np.empty((256, 2))
    count = 0
    for k in range(min(longest, t)):
        for g in range(stack_group[t - k - 1], stack_group[t - k]):
            gap, mask, end = group[g, GAP], group[g, MASK], group[g, LAST_END]
            low, high = run_before(end, gap, mask)
            starts = min(gap + reach, n - k - 1) + 1
            info = grown(info, count + reach + 1)
            value = grown(value, count + reach + 1)
            for i in range(gap, starts):
                gap_fills = (
                    reordering == SWAP_ORDER and i > gap and span_count[gap, i - gap - 1] > 0
                )
                if span_count[i, k] == 0 or not allowed(
                    gap, mask, end, i, k + 1, gap_fills, reordering, limit
                ):
                    continue
                new_gap, new_mask = covered(gap, mask, i, k + 1)
                info[count, CUBE_GROUP] = g
                info[count, CUBE_FIRST] = first[i, k]
                info[count, CUBE_OPTIONS] = span_count[i, k]
                info[count, CUBE_START] = i
                info[count, CUBE_LENGTH] = k + 1
                info[count, CUBE_ORIENTATION] = orientation(i, i + k + 1, group[g, LAST_START], end)
                if hierarchical:
                    info[count, CUBE_BACK] = orientation(i, i + k + 1, low, high)
                    info[count, CUBE_FORTH] = followed_by(
                        i, i + k + 1, group[g, LAST_START], end, gap, mask
                    )
                info[count, CUBE_TARGET] = -1
                info[count, CUBE_GAP] = new_gap
                info[count, CUBE_MASK] = new_mask
                value[count, JUMP] = jumps.cost[end, i]
                value[count, REST] = rest(n, new_gap, new_mask, i + k + 1, inner, tail, jumps.ahead)
                count += 1
    return Cubes(info[:count], value[:count])


@njit(cache=True, nogil=True, inline="always")
def n_candidates(cubes: Cubes, hypotheses: Hypotheses) -> int:
    """Cells of all grids."""
    total = 0
    for c in range(len(cubes.info)):
        n_nodes = hypotheses.group[cubes.info[c, CUBE_GROUP], N_NODES]
        total += n_nodes * cubes.info[c, CUBE_OPTIONS]
    return int(total)
