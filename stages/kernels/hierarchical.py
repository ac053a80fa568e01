"""Hierarchical orientations: where a block stands, seen from the largest block that ends there.

The definition (Galley and Manning 2008) is that of a shift-reduce parser: blocks that stand side by
side in the source are joined as they are read, and the block before is the top of the stack.
Forward orientations are defined alike, by a parser that reads the blocks from last to first.

A search from left to right knows which words it has covered.  Backward, it takes as the block
before the run of covered words around the last block; this run is the top of the stack in every
derivation that a binary tree can describe.  Forward, the orientation of a block that the next one
does not touch depends on later blocks: the search takes it as monotone or swapped as long as the
word beside the block is free, because later blocks may then join the two.  Moses does the same.

Orientations of steps are (n_steps, 2): column BACK is the step's own backward orientation, column
FORTH the forward orientation of the step before it.  A derivation's first step has no step before
it: FORTH is -1.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.records import DISCONTINUOUS, MONOTONE, SWAPPED
from campanula.stages.kernels.wide import wide

BACK, FORTH = range(2)
FIRST, END = range(2)  # columns of a stack of blocks: first word, and the word after the last


@njit(**LEAN, inline="always")
def run_before(end: int, gap: int, mask: int) -> tuple[int, int]:
    """Return start and end of the run of covered words around a block that ends at `end`.

    At the sentence's start (end = 0) it is (-1, 0).  gap: the first free word.  Bit k of mask is 1
    if word gap + k is covered; bit 0 is 0.
    """
    low, high = wide(-1), wide(0)
    if end > gap:
        low = high = end - gap
        # bit 0 is the gap itself, so the run begins at bit 1 at the earliest
        while low > 1 and (mask >> (low - 1)) & 1 == 1:
            low -= 1
        while (mask >> high) & 1 == 1:
            high += 1
        low, high = low + gap, high + gap
    # no free word before the block: the run reaches from the sentence's start to the gap
    elif end > 0:
        low, high = wide(0), gap
    return low, high


@njit(**LEAN, inline="always")
def followed_by(
    start: int, end: int, before_start: int, before_end: int, gap: int, mask: int
) -> int:
    """Return the forward orientation of a block that is followed by one of words start to end.

    The first block is of words before_start to before_end.  gap and mask: the words covered before
    the second block, as in run_before.  before_start may be -1 where the word before it is covered.
    """
    value = DISCONTINUOUS
    # a free word between the two lets later blocks fill the distance and join them
    if start == before_end or (start > before_end and is_free(before_end, gap, mask)):
        value = MONOTONE
    elif end == before_start or (end < before_start and is_free(before_start - 1, gap, mask)):
        value = SWAPPED
    return value


@njit(**LEAN, inline="always")
def is_free(word: int, gap: int, mask: int) -> bool:
    """Whether a word is not covered; gap and mask as in run_before."""
    # max: a shift by a negative number has no defined result, even where `and` drops the result
    return bool(word >= gap and (mask >> max(word - gap, 0)) & 1 == 0)


@njit(**LEAN)
def turns_after(
    start: int, end: int, before_start: int, before_end: int, covered: Flags
) -> tuple[int, int]:
    """Return the orientations BACK and FORTH of a block after another one, as a search sees them.

    covered (n + 1,): which words are covered before this block; entry n, behind the sentence, is
    False.
    """
    low, high = before_start, before_end
    while low > 0 and covered[low - 1]:
        low -= 1
    while covered[high]:  # the False behind the sentence ends this loop
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
    """Orientations (n_steps, 2) of the steps of derivations as a search from the left sees them.

    hyp (n_steps,) is the derivation of each step; start, end (n_steps,) the step's source words.
    """
    # one array, as long as the longest sentence, serves all derivations
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
    """Orientations (n_steps, 2) of the steps of derivations by the definition, as search_turns."""
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
                low, high = stack[size - 1, FIRST], stack[size - 1, END]
            turn[step, BACK] = orientation(start[step], end[step], low, high)
            size = shifted(stack, size, start[step], end[step])
        # backwards over the steps: now the stack holds the largest blocks of the steps that follow
        size = 0
        for step in range(stop - 1, begin - 1, -1):
            if size > 0:
                low, high = stack[size - 1, FIRST], stack[size - 1, END]
                turn[step + 1, FORTH] = orientation(low, high, start[step], end[step])
            size = shifted(stack, size, start[step], end[step])
        begin = stop
    return turn


@njit(**LEAN)
def shifted(stack: Ints, size: int, low: int, high: int) -> int:
    """Put a block on a stack (n, 2) of `size` blocks and join neighbours; return the new size."""
    # a joined block is larger and may touch the next one on the stack, too
    while size > 0 and (stack[size - 1, END] == low or stack[size - 1, FIRST] == high):
        size -= 1
        low = min(low, stack[size, FIRST])
        high = max(high, stack[size, END])
    stack[size, FIRST] = low
    stack[size, END] = high
    return size + 1


@njit(cache=True, nogil=True)
def node_coverage(pointer: Ints, before: Ints, start: Ids, end: Ids, n_words: int) -> Flags:
    """Which source words the paths to each node of a lattice cover: (n_nodes, n_words + 1).

    pointer, before, start and end as in graph.arcs.LatticeArcs.  All paths to a node cover the
    same words, so its first arc is enough.
    """
    # one column more than words: turns_after needs an uncovered word behind the sentence
    covered = np.zeros((len(pointer) - 1, n_words + 1), np.bool_)
    for v in range(1, len(pointer) - 1):
        if pointer[v] < pointer[v + 1]:
            a = pointer[v]
            covered[v] = covered[before[a]]
            covered[v, start[a] : min(wide(end[a]), n_words)] = True
    return covered
