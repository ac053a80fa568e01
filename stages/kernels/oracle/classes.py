"""Classes of blocks that are equal for the metric, so that the search tries each class once.

Options of a span are in one class if they have the same types in the same order, where all words
that no reference has are one type.  Most options of a frequent source word share a class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.graph.strings import words_hash
from campanula.stages.kernels.oracle.records import OptionClasses


class Seen(NamedTuple):
    """Hash table of the classes of one span: slots (size,) classes, owner (size,) spans.

    A slot whose owner is another span is free.  By class, head (n_options,): its first member.
    """

    slots: Ints
    owner: Ints
    head: Ints


@njit(**LEAN)
def same_words(word: Ids, a: int, a_end: int, b: int, b_end: int) -> bool:
    """Whether word[a:a_end] and word[b:b_end] are equal."""
    same = a_end - a == b_end - b
    for k in range(a_end - a):
        same = same and word[a + k] == word[b + k]
    return bool(same)


@njit(cache=True, nogil=True)
def classes_of(span_count: Ids, option: Ids, word: Ids, end: Ints) -> OptionClasses:
    """Sort the options of all spans into classes, in the order of their first members.

    span_count (n, longest): options of each span; option (m,): their numbers, span by span; the
    x-th of them has types word[end[x]:end[x + 1]].
    """
    n, longest = span_count.shape
    first = np.zeros((n, longest), np.int32)
    count = np.zeros((n, longest), np.int32)
    n_slots = 16
    while n_slots < 2 * span_count.max():  # half full at most, by the options of the largest span
        n_slots *= 2
    head = np.empty(len(option), np.int64)
    kind = np.empty(len(option), np.int64)
    seen = Seen(np.zeros(n_slots, np.int64), np.full(n_slots, -1, np.int64), head)
    n_classes = 0
    x = 0
    for i in range(n):
        for k in range(longest):
            first[i, k] = n_classes
            for _ in range(span_count[i, k]):
                kind[x] = class_of(x, i * longest + k, word, end, seen, n_classes)
                n_classes = max(n_classes, kind[x] + 1)  # one more if kind[x] is new
                x += 1
            count[i, k] = n_classes - first[i, k]
    start, words = words_of(head[:n_classes], word, end)
    member_start, member = members_of(kind, n_classes, option)
    return OptionClasses(first, count, start, words, member_start, member)


@njit(**LEAN)
def class_of(x: int, span: int, word: Ids, end: Ints, seen: Seen, n_classes: int) -> int:
    """Return the class of option x of a span: n_classes, a new one, if no other has its types."""
    size = len(seen.slots)
    # from 1: from 0, words that no reference has (-1) would hash to 0, however many they are
    mixed, _ = words_hash(1, 1, end[x], end[x + 1], word)
    slot = mixed & (size - 1)
    # the owner tells the span's entries from older ones: the table need not be cleared for each
    while seen.owner[slot] == span:
        h = seen.head[seen.slots[slot]]
        if same_words(word, end[x], end[x + 1], end[h], end[h + 1]):
            return int(seen.slots[slot])
        slot = (slot + 1) & (size - 1)
    seen.owner[slot] = span
    seen.slots[slot] = n_classes
    seen.head[n_classes] = x
    return n_classes


@njit(cache=True, nogil=True)
def words_of(head: Ints, word: Ids, end: Ints) -> tuple[Ints, Ids]:
    """Return the types of the classes with first members head (n_classes,): start, then words."""
    start = np.zeros(len(head) + 1, np.int64)
    for c in range(len(head)):
        start[c + 1] = start[c] + end[head[c] + 1] - end[head[c]]
    words = np.empty(start[-1], np.int32)
    for c in range(len(head)):
        words[start[c] : start[c + 1]] = word[end[head[c]] : end[head[c] + 1]]
    return start, words


@njit(cache=True, nogil=True)
def members_of(kind: Ints, n_classes: int, option: Ids) -> tuple[Ints, Ids]:
    """Return the options sorted by class, kind (m,): start of each class, then the members."""
    start = np.zeros(n_classes + 1, np.int64)
    member = np.empty(len(option), np.int32)
    for c in kind:
        start[c + 1] += 1
    for c in range(n_classes):
        start[c + 1] += start[c]
    free = start.copy()  # next free place of each class: members keep their order (counting sort)
    for x in range(len(option)):
        member[free[kind[x]]] = option[x]
        free[kind[x]] += 1
    return start, member
