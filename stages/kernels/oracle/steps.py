"""The steps of the oracle search: the spans that may come next, and the place after each.

A place is the first uncovered word, the length of the open gap that it begins (0: none), the end of
the block behind the gap, and the layer, 1 after a swap.  One block must fill a gap, and it comes
next.
"""

from __future__ import annotations

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.oracle.records import (
    AFTER,
    BEHIND,
    FREE,
    LAYER,
    OPEN,
    SPAN_START,
    SPAN_WORDS,
)


@njit(**LEAN)
def steps_from(place: Ids, swap: bool, count: Ids, steps: Ints) -> int:
    """Write the steps that may come next to `steps`, which has room, and return their number.

    count (n, longest): classes of each span.
    """
    n, longest = count.shape
    here, layer = place[FREE], place[LAYER]
    if place[OPEN] > 0:
        write_step(steps[0], here, place[OPEN], place[BEHIND], layer)
        return 1
    n_steps = 0
    # a gap is skipped only if a word stands behind it
    reach = min(longest, n - here - 1) if swap else 0
    for skipped in range(reach + 1):
        if skipped > 0 and count[here, skipped - 1] == 0:  # no block could fill the gap
            continue
        for k in range(1, min(longest, n - here - skipped) + 1):
            if count[here + skipped, k - 1] == 0:
                continue
            if skipped == 0:
                write_step(steps[n_steps], here, k, here + k, layer)
            else:
                step = steps[n_steps]
                write_step(step, here + skipped, k, here, 1)
                step[AFTER + OPEN] = skipped
                step[AFTER + BEHIND] = here + skipped + k
            n_steps += 1
    return n_steps


@njit(**LEAN)
def write_step(step: Ints, start: int, words: int, free: int, layer: int) -> None:
    """Write the step of a span after which the word `free` comes next, and no gap is open."""
    step[SPAN_START] = start
    step[SPAN_WORDS] = words
    step[AFTER + FREE] = free
    step[AFTER + OPEN] = 0
    step[AFTER + BEHIND] = 0
    step[AFTER + LAYER] = layer
