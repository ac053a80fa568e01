"""Blocks that say the same to the metric, put together, so that a search tries each saying once.

Most blocks of a frequent source word have no word of the references, or the same ones as other
blocks: options of a span that have the same types in the same order are a class.
"""

from __future__ import annotations

import numpy as np

from stages.kernels.compiled import njit
from stages.kernels.oracle_records import Classes
from stages.kernels.search_records import I32, I64

LOW31 = 0x7FFFFFFF


@njit(cache=True, nogil=True)
def sequence_hash(word: I32, begin: int, end: int) -> int:
    """31-bit hash of types."""
    mixed = 1
    for k in range(begin, end):
        mixed = (mixed * 0x2545F491 + int(np.int64(word[k])) + 2) % LOW31
    return int(mixed)


@njit(cache=True, nogil=True)
def same_words(word: I32, a: int, a_end: int, b: int, b_end: int) -> bool:
    """Whether two pieces of `word` are equal."""
    same = a_end - a == b_end - b
    for k in range(a_end - a):
        same = same and word[a + k] == word[b + k]
    return bool(same)


@njit(cache=True, nogil=True)
def classes_of(span_count: I32, option: I32, word: I32, end: I64) -> Classes:
    """Sort the options of all spans into classes, in the order of their first members.

    option (m,): span by span (n, longest); option x has types word[end[x]:end[x + 1]].
    """
    n, longest = span_count.shape
    first, count = np.zeros((n, longest), np.int32), np.zeros((n, longest), np.int32)
    kind, head = np.empty(len(option), np.int64), np.empty(len(option), np.int64)
    size = np.zeros(len(option) + 1, np.int64)
    n_slots = 16
    while n_slots < 2 * span_count.max():
        n_slots *= 2
    slots, owner = np.zeros(n_slots, np.int64), np.full(n_slots, -1, np.int64)
    n_classes, x = 0, 0
    for i in range(n):
        for k in range(longest):
            first[i, k] = n_classes
            for _ in range(span_count[i, k]):
                slot = sequence_hash(word, int(end[x]), int(end[x + 1])) & (n_slots - 1)
                found = -1
                while found < 0:
                    if owner[slot] != i * longest + k:
                        owner[slot], slots[slot] = i * longest + k, n_classes
                        head[n_classes] = x
                        n_classes += 1
                    c = slots[slot]
                    if same_words(word, end[x], end[x + 1], end[head[c]], end[head[c] + 1]):
                        found = c
                    slot = (slot + 1) & (n_slots - 1)
                kind[x] = found
                size[found + 1] += 1
                x += 1
            count[i, k] = n_classes - first[i, k]
    start, n_words = np.zeros(n_classes + 1, np.int64), 0
    for c in range(n_classes):
        n_words += end[head[c] + 1] - end[head[c]]
        start[c + 1] = n_words
        size[c + 1] += size[c]
    words, member = np.empty(n_words, np.int32), np.empty(len(option), np.int32)
    for c in range(n_classes):
        words[start[c] : start[c + 1]] = word[end[head[c]] : end[head[c] + 1]]
    member_start = size[: n_classes + 1]
    free = member_start.copy()
    for x in range(len(option)):
        member[free[kind[x]]] = option[x]
        free[kind[x]] += 1
    return Classes(first, count, start, words, member_start, member)
