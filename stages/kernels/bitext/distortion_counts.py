"""Jumps on the source side of word-aligned text, from target word to target word.

A target word spans the source words from its first link to its last.  Target words that follow
each other (unaligned ones left out) and whose spans overlap are one unit: no block ends between
them.  From unit to unit the jump is

    first source word of the next - last source word of the one before - 1

so that 0 is monotone; -1 does not occur.  The first jump starts before the sentence's first word.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit

FIRST, LAST = range(2)  # columns of a unit: its first and its last source word


@njit(cache=True, nogil=True)
def units(link_source: Ints, link_target: Ints, n_target: int, unit: Ints) -> int:
    """Write first and last source word of a pair's units to `unit` (n_target, 2), in target order.

    Returns the number of units.
    """
    # low starts above any source word, high below: the first link sets both
    low = np.full(n_target, 1 << 40)
    high = np.full(n_target, -1)
    for k in range(len(link_source)):
        low[link_target[k]] = min(low[link_target[k]], link_source[k])
        high[link_target[k]] = max(high[link_target[k]], link_source[k])
    count = 0
    for t in range(n_target):
        if high[t] < 0:
            continue
        unit[count, FIRST] = low[t]
        unit[count, LAST] = high[t]
        count += 1
        # a unit that grows may come to overlap the one before it, too
        while (
            count > 1
            and unit[count - 1, FIRST] <= unit[count - 2, LAST]
            and unit[count - 2, FIRST] <= unit[count - 1, LAST]
        ):
            count -= 1
            unit[count - 1, FIRST] = min(unit[count - 1, FIRST], unit[count, FIRST])
            unit[count - 1, LAST] = max(unit[count - 1, LAST], unit[count, LAST])
    return count


@njit(cache=True, nogil=True)
def jumps(
    source: Ints, target: Ints, start: Ints, source_start: Ints, target_start: Ints
) -> tuple[Ints, Ints, Ints]:
    """Return all jumps (n_jumps,): place of the last word before, of the first word after, length.

    The place before a sentence's first word is -1.  Links of pair i are source, target
    [start[i]:start[i + 1]], places within the sentence; the places returned count through the whole
    text, whose sentences begin at source_start (n + 1,) and target_start (n + 1,).
    """
    longest = 1
    for i in range(len(start) - 1):
        longest = max(longest, target_start[i + 1] - target_start[i])
    unit = np.empty((longest, 2), dtype=np.int64)
    n_words = target_start[-1]  # no more jumps than target words: a unit has one at least
    before, after = np.empty(n_words, dtype=np.int64), np.empty(n_words, dtype=np.int64)
    jump = np.empty(n_words, dtype=np.int64)
    n_jumps = 0
    for i in range(len(start) - 1):
        links = slice(start[i], start[i + 1])
        n_target = target_start[i + 1] - target_start[i]
        end = 0
        last = -1
        for u in range(units(source[links], target[links], n_target, unit)):
            before[n_jumps] = last
            after[n_jumps] = source_start[i] + unit[u, FIRST]
            jump[n_jumps] = unit[u, FIRST] - end
            end = unit[u, LAST] + 1
            last = source_start[i] + unit[u, LAST]
            n_jumps += 1
    return before[:n_jumps], after[:n_jumps], jump[:n_jumps]


def jump_counts(word: Ints, jump: Ints, n_words: int, far: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Count each word's jumps: pointer (n_words + 1,), jump, count, sorted by word and jump.

    Longer jumps than `far` words count as jumps of `far`; the fourth array (2 far + 1,) has the
    counts of all words together, by jump + far.
    """
    width = 2 * far + 1
    # column 0 is the longest jump back: a key of word and column is never negative
    column = np.clip(jump, -far, far) + far
    key, count = np.unique(word * width + column, return_counts=True)
    pointer = np.searchsorted(key, np.arange(n_words + 1) * width)
    return pointer, key % width - far, count, np.bincount(column, minlength=width)


def all_words(count: Ints) -> Floats:
    """Return the probability (2 r + 1,) of each jump, with 1 added to each count but that of -1."""
    # a jump of -1 would start at the last word of the block before: it has probability 0
    more = np.ones(len(count))
    more[len(count) // 2 - 1] = 0.0
    more += count
    return more / float(more.sum())
