"""Grids of candidates: which phrases may come next, and what the rest of the sentence will cost.

A group of nodes and a span of free words make a grid, nodes by options.  `rest` is the best
estimate of what the uncovered words will cost, with the distortion they force (Moore and Quirk
2007).
"""

from __future__ import annotations

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.bits import trailing_zeros
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.hierarchical import followed_by, run_before
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.records import (
    DISTANCE_ORDER,
    ORIENTATIONS,
    SWAP_ORDER,
    Sentence,
    Settings,
)
from campanula.stages.kernels.search.outlook import STARTS
from campanula.stages.kernels.search.records import (
    CUBE_BACK,
    CUBE_FIRST,
    CUBE_FORTH,
    CUBE_GAP,
    CUBE_LENGTH,
    CUBE_MASK,
    CUBE_NODE,
    CUBE_NODES,
    CUBE_OPTIONS,
    CUBE_ORIENTATION,
    CUBE_START,
    CUBE_TARGET,
    FIRST_NODE,
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
from campanula.stages.kernels.wide import wide


@njit(**LEAN)
def rest(
    n: int, gap: int, mask: int, end: int, inner: Floats, tail: Floats, ahead: Floats
) -> float:
    """Estimate of what the uncovered words cost, and of the jumps they force after `end`.

    ahead (n + 1, n) is that of Jumps.
    """
    total = 0.0
    place, here = end, gap
    while mask != 0:
        length = trailing_zeros(mask)
        if length > 0:
            total += inner[here, length] + ahead[place, here]
            here += length
            place = here
            mask >>= length
        length = trailing_zeros(~mask)
        mask >>= length
        here += length
    if here < n:
        total += tail[here] + ahead[place, here]
    return total


@njit(**LEAN, inline="always")
def up_to(place: int) -> int:
    """Bits 0 to `place`; none before 0."""
    return (1 << max(place + 1, 0)) - 1


@njit(**LEAN)
def next_starts(
    length: int, gap: int, mask: int, end: int, starts: Ints, settings: Settings
) -> int:
    """Bits that say which words from the gap on may start the next phrase, one of `length` words.

    Its words are free and have an option (starts, that of Outlook), and the order is one of the
    mode's.  DISTANCE_ORDER: the jump is at most the limit, and so is the jump from its end back to
    the gap.  SWAP_ORDER: in order, or behind a gap that one block can fill, which comes next.
    """
    known = starts[gap, length - 1]
    for k in range(length):
        known &= ~(mask >> k)
    limit = settings.limit
    if settings.reordering == DISTANCE_ORDER:
        near = up_to(min(end - gap + limit, limit)) & ~up_to(end - gap - limit - 1)
        return int(known & near & (up_to(limit - length) | 1))
    in_order = wide(0)
    if mask == 0 or (mask >> length) & 1 == 1:
        in_order = known & 1
    if settings.reordering == SWAP_ORDER and mask == 0:
        for k in range(starts.shape[1]):
            if starts[gap, k] & 1 == 1:
                in_order |= known & (2 << k)
    return in_order


@njit(**LEAN, inline="always")
def covered(gap: int, mask: int, start: int, length: int) -> tuple[int, int]:
    """Gap and mask when the words from `start` on are covered, too."""
    mask |= ((1 << length) - 1) << (start - gap)
    run = trailing_zeros(~mask)
    return gap + run, mask >> run


@njit(**LEAN)
def make_cubes(t: int, sentence: Sentence, hypotheses: Hypotheses, cubes: Cubes) -> int:
    """Make the grids of all phrases that lead from earlier stacks to stack t.

    Returns how many there are, or -1 where there may not be room for all.
    """
    group, stack_group, starts = hypotheses.group, hypotheses.stack_group, sentence.outlook.starts
    room = len(cubes.info)
    count = wide(0)
    for k in range(min(starts.shape[1], t)):
        for g in range(stack_group[t - k - 1], stack_group[t - k]):
            gap, mask, end = group[g, GAP], group[g, MASK], group[g, LAST_END]
            found = next_starts(k + 1, gap, mask, end, starts, sentence.settings)
            if found != 0:
                if count + STARTS > room:
                    return wide(-1)
                count = add_grids(count, g, k + 1, found, sentence, hypotheses, cubes)
    return count


@njit(**LEAN)
def add_grids(
    count: int, g: int, length: int, starts: int, sentence: Sentence, hypotheses: Hypotheses,
    cubes: Cubes,
) -> int:  # fmt: skip
    """Add the grids of group g before spans of some length, whose starts are given as bits from the
    gap on; how many grids there are then.
    """
    info, value, group = cubes.info, cubes.value, hypotheses.group
    outlook, jumps = sentence.outlook, sentence.jumps
    gap, mask, end, before = group[g, GAP], group[g, MASK], group[g, LAST_END], group[g, LAST_START]
    low, high = run_before(end, gap, mask)
    while starts != 0:
        start = gap + trailing_zeros(starts)
        starts &= starts - 1
        stop = start + length
        new_gap, new_mask = covered(gap, mask, start, length)
        info[count, CUBE_NODE] = group[g, FIRST_NODE]
        info[count, CUBE_NODES] = group[g, N_NODES]
        info[count, CUBE_FIRST] = outlook.first[start, length - 1]
        info[count, CUBE_OPTIONS] = outlook.n_options[start, length - 1]
        info[count, CUBE_START] = start
        info[count, CUBE_LENGTH] = length
        info[count, CUBE_ORIENTATION] = orientation(start, stop, before, end)
        if outlook.back.shape[1] > ORIENTATIONS:
            info[count, CUBE_BACK] = orientation(start, stop, low, high)
            info[count, CUBE_FORTH] = followed_by(start, stop, before, end, gap, mask)
        info[count, CUBE_TARGET] = -1
        info[count, CUBE_GAP] = new_gap
        info[count, CUBE_MASK] = new_mask
        value[count, JUMP] = jumps.cost[end, start]
        value[count, REST] = rest(
            sentence.n_words, new_gap, new_mask, stop, outlook.inner, outlook.tail, jumps.ahead
        )
        count += 1
    return count


@njit(**LEAN)
def n_candidates(n_cubes: int, cubes: Cubes) -> int:
    """Cells of the first grids, so many."""
    total = wide(0)
    for c in range(n_cubes):
        total += cubes.info[c, CUBE_NODES] * cubes.info[c, CUBE_OPTIONS]
    return total
