"""Grids of candidates: the phrases that may come next, and the estimated cost of the other words.

A group of nodes and a span of free words make a grid, nodes by options.  `rest` is the best
estimate of the cost of the uncovered words, with the distortion that they force (Moore and Quirk
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
    """Return the estimated cost of the uncovered words and of the jumps they force after `end`.

    n: words of the sentence; inner and tail as in records.Outlook, ahead (n + 1, n) as in
    records.Jumps.
    """
    total = 0.0
    # from left to right over the mask, whose lowest bit is word `here`: free words, then covered
    place = end
    here = gap
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
    """Return an integer whose bits 0 to `place` are set; 0 if `place` is negative."""
    return (1 << max(place + 1, 0)) - 1


@njit(**LEAN)
def next_starts(
    length: int, gap: int, mask: int, end: int, starts: Ints, settings: Settings
) -> int:
    """Return the words that may start the next phrase, of `length` words, as bits from the gap on.

    The phrase's words are free and have an option (starts, as in records.Outlook), and the
    reordering mode allows it.  DISTANCE_ORDER: neither the jump to the phrase nor the jump from its
    end back to the gap exceeds the limit.  SWAP_ORDER: the phrase is the next in order, or it
    leaves a gap that one block can fill, which must come next.
    """
    free = starts[gap, length - 1]
    for k in range(length):
        free &= ~(mask >> k)  # a start is free if the word k after it is
    limit = settings.limit
    if settings.reordering == DISTANCE_ORDER:
        # min: a start further from the gap fails by the last term, and shifts stay below 64 bits
        near = up_to(min(end - gap + limit, limit)) & ~up_to(end - gap - limit - 1)
        return int(free & near & (up_to(limit - length) | 1))  # from the gap itself none goes back
    allowed = wide(0)
    # with covered words behind the gap, a swap is open: one phrase must fill the gap exactly
    if mask == 0 or (mask >> length) & 1 == 1:
        allowed = free & 1
    if settings.reordering == SWAP_ORDER and mask == 0:
        for k in range(starts.shape[1]):
            if starts[gap, k] & 1 == 1:  # an option has the k + 1 words that are left out
                allowed |= free & (2 << k)
    return allowed


@njit(**LEAN, inline="always")
def covered(gap: int, mask: int, start: int, length: int) -> tuple[int, int]:
    """Return gap and mask after `length` words from `start` on are covered as well."""
    mask |= ((1 << length) - 1) << (start - gap)
    # the gap moves to the first word that is still free, so that equal coverages are equal numbers
    run = trailing_zeros(~mask)
    return gap + run, mask >> run


@njit(**LEAN)
def make_cubes(t: int, sentence: Sentence, hypotheses: Hypotheses, cubes: Cubes) -> int:
    """Make the grids of all phrases that lead from earlier stacks to stack t.

    Returns their number, or -1 if `cubes` may not have room for all.
    """
    group = hypotheses.group
    stack_group = hypotheses.stack_group
    starts = sentence.outlook.starts
    room = len(cubes.info)
    count = wide(0)
    for k in range(min(starts.shape[1], t)):
        for g in range(stack_group[t - k - 1], stack_group[t - k]):
            gap, mask, end = group[g, GAP], group[g, MASK], group[g, LAST_END]
            allowed = next_starts(k + 1, gap, mask, end, starts, sentence.settings)
            if allowed != 0:
                if count + STARTS > room:  # a group and a length have at most STARTS grids
                    return wide(-1)
                count = add_grids(count, g, k + 1, allowed, sentence, hypotheses, cubes)
    return count


@njit(**LEAN)
def add_grids(
    count: int, g: int, length: int, starts: int, sentence: Sentence, hypotheses: Hypotheses,
    cubes: Cubes,
) -> int:  # fmt: skip
    """Add the grids of group g before spans of `length` words; starts: bits, from the gap on.

    Returns the number of grids after that; `count` is the number before.
    """
    info = cubes.info
    value = cubes.value
    group = hypotheses.group
    outlook, jumps = sentence.outlook, sentence.jumps
    gap, mask, end, before = group[g, GAP], group[g, MASK], group[g, LAST_END], group[g, LAST_START]
    low, high = run_before(end, gap, mask)
    while starts != 0:
        start = gap + trailing_zeros(starts)
        starts &= starts - 1  # clears the lowest bit
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
        info[count, CUBE_TARGET] = -1  # looked up when the first of its candidates is drawn
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
    """Count the cells of the first n_cubes grids."""
    total = wide(0)
    for c in range(n_cubes):
        total += cubes.info[c, CUBE_NODES] * cubes.info[c, CUBE_OPTIONS]
    return total
