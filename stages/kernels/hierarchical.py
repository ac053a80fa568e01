"""Hierarchical orientations: where a block stands, seen from the largest block that ends there.

The definition (Galley and Manning 2008) is that of a shift-reduce parser: blocks that stand side by
side in the source are joined as they come, and the block before is the top of the stack.  Forward,
the same from the other end, of what follows.

A search from left to right knows what it has covered.  Backward, the block before is the run of
covered words around the last block, which is the top of the stack wherever a binary tree has the
derivation.  Forward, of a block that the next one does not touch, all depends on what comes later:
monotone or swapped as long as the word beside it is free, so that the rest may join the two; this
is what Moses says, too.

Orientations of steps are (n_steps, 2): of the step, BACK, and of the step before it as it is
followed by this one, FORTH.  The first of a derivation has no step before: -1.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.records import DISCONTINUOUS, MONOTONE, SWAPPED
from campanula.stages.kernels.wide import wide

BACK, FORTH = range(2)


@njit(**LEAN, inline="always")
def run_before(end: int, gap: int, mask: int) -> tuple[int, int]:
    """The run of covered words around a block that ends at `end`; (-1, 0) at the start.

    Every word before `gap` is covered, bit k of mask says whether gap + k is, not bit 0.
    """
    low, high = wide(-1), wide(0)
    if end > gap:
        low = high = end - gap
        while low > 1 and (mask >> (low - 1)) & 1 == 1:
            low -= 1
        while (mask >> high) & 1 == 1:
            high += 1
        low, high = low + gap, high + gap
    elif end > 0:
        low, high = wide(0), gap
    return low, high


@njit(**LEAN, inline="always")
def followed_by(
    start: int, end: int, before_start: int, before_end: int, gap: int, mask: int
) -> int:
    """Forward orientation of a block before one of words start to end.

    gap and mask: what is covered before that, as in run_before.  before_start may be -1 where the
    word before it is covered.
    """
    value = DISCONTINUOUS
    if start == before_end or (start > before_end and is_free(before_end, gap, mask)):
        value = MONOTONE
    elif end == before_start or (end < before_start and is_free(before_start - 1, gap, mask)):
        value = SWAPPED
    return value


@njit(**LEAN, inline="always")
def is_free(word: int, gap: int, mask: int) -> bool:
    """Whether a word is not covered."""
    return bool(word >= gap and (mask >> max(word - gap, 0)) & 1 == 0)


@njit(**LEAN)
def turns_after(
    start: int, end: int, before_start: int, before_end: int, covered: Flags
) -> tuple[int, int]:
    """Orientations BACK and FORTH of a block after another, as a search has them.

    covered (n + 1,): the words before this block; the last, behind the sentence, never is.
    """
    low, high = before_start, before_end
    while low > 0 and covered[low - 1]:
        low -= 1
    while covered[high]:
        high += 1
    back = orientation(start, end, low, high)
    forth = DISCONTINUOUS
    if start == before_end or (start > before_end and not covered[before_end]):
        forth = MONOTONE
    elif end == before_start or (end < before_start and not covered[before_start - 1]):
        forth = SWAPPED
    return back, forth


@njit(cache=True, nogil=True)
def search_turns(hyp: Ints, start: Ints, end: Ints) -> Ints:
    """Orientations (n_steps, 2) of the steps of derivations as a search has them."""
    n_words = wide(0)
    for step in range(len(hyp)):
        n_words = max(n_words, wide(end[step]))
    covered = np.zeros(n_words + 1, np.bool_)
    turn = np.full((len(hyp), 2), -1, np.int64)
    for step in range(len(hyp)):
        if step == 0 or hyp[step] != hyp[step - 1]:
            covered[:] = False
            turn[step, BACK] = orientation(start[step], end[step], -1, 0)
        else:
            back, forth = turns_after(
                start[step], end[step], start[step - 1], end[step - 1], covered
            )
            turn[step, BACK] = back
            turn[step, FORTH] = forth
        covered[start[step] : end[step]] = True
    return turn


@njit(cache=True, nogil=True)
def exact_turns(hyp: Ints, start: Ints, end: Ints) -> Ints:
    """Orientations (n_steps, 2) of the steps of derivations by the definition."""
    n = len(hyp)
    turn = np.full((n, 2), -1, np.int64)
    stack = np.empty((n + 1, 2), np.int64)
    begin = 0
    while begin < n:
        stop = begin
        while stop < n and hyp[stop] == hyp[begin]:
            stop += 1
        size = 0
        for step in range(begin, stop):
            low, high = wide(-1), wide(0)
            if size > 0:
                low, high = stack[size - 1, 0], stack[size - 1, 1]
            turn[step, BACK] = orientation(start[step], end[step], low, high)
            size = shifted(stack, size, start[step], end[step])
        # from the end: the stack has the largest blocks of what follows, as it had of what precedes
        size = 0
        for step in range(stop - 1, begin - 1, -1):
            if size > 0:
                low, high = stack[size - 1, 0], stack[size - 1, 1]
                turn[step + 1, FORTH] = orientation(low, high, start[step], end[step])
            size = shifted(stack, size, start[step], end[step])
        begin = stop
    return turn


@njit(**LEAN)
def shifted(stack: Ints, size: int, low: int, high: int) -> int:
    """Put a block on a stack (n, 2) of so many and join what stands side by side; its size then."""
    while size > 0 and (stack[size - 1, 1] == low or stack[size - 1, 0] == high):
        size -= 1
        low, high = min(low, stack[size, 0]), max(high, stack[size, 1])
    stack[size, 0] = low
    stack[size, 1] = high
    return size + 1


@njit(cache=True, nogil=True)
def node_coverage(pointer: Ints, before: Ints, start: Ids, end: Ids, n_words: int) -> Flags:
    """Which source words the paths to each node of a lattice cover: (n_nodes, n_words + 1).

    pointer, before, start and end as in graph.arcs.LatticeArcs.  All paths to a node cover the
    same, so the first arc tells.
    """
    covered = np.zeros((len(pointer) - 1, n_words + 1), np.bool_)
    for v in range(1, len(pointer) - 1):
        if pointer[v] < pointer[v + 1]:
            a = pointer[v]
            covered[v] = covered[before[a]]
            covered[v, start[a] : min(wide(end[a]), n_words)] = True
    return covered
