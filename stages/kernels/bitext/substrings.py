"""Substrings of a text, as a trie, and which sentences of another text have those still wanted.

A node is a substring: its first words are its parent, its last word the step there.  Nodes are
numbered from 1 in the order in which they are met, 0 is the empty substring.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import transition_home
from campanula.stages.kernels.wide import wide

ROOT = 0


class Substrings(NamedTuple):
    """The distinct substrings (n,) of a text, up to so many words long, the empty one first.

    parent and word (n,): the substring without its last word, and that word; slots (2^bits,) find
    a node by them, -1 where there is none.  pairs (n,): how many chosen sentences have it; last
    (n,): the last of them.
    """

    parent: Ids
    word: Ids
    slots: Ids
    bits: int
    pairs: Ids
    last: Ints
    longest: int


@njit(**LEAN)
def _step(found: Substrings, node: int, word: int) -> int:
    """The node one word on; if there is none, -1 - the free slot where it belongs."""
    slot = transition_home(node, wide(word), found.bits)
    while True:
        after = wide(found.slots[slot])
        if after < 0:
            return int(-1 - slot)
        if found.parent[after] == node and found.word[after] == word:
            return int(after)
        slot = (slot + 1) & (len(found.slots) - 1)


@njit(cache=True, nogil=True)
def substrings(token: Ints, start: Ints, longest: int) -> Substrings:
    """Substrings of up to `longest` words of the sentences token[start[i]:start[i + 1]]."""
    bound = 1
    for i in range(len(start) - 1):
        length = start[i + 1] - start[i]
        for left in range(1, length + 1):
            bound += min(left, longest)
    bits = 4
    while 1 << bits < 2 * bound:
        bits += 1
    parent, words = np.full(bound, -1, np.int32), np.full(bound, -1, np.int32)
    slots, pairs = np.full(1 << bits, -1, np.int32), np.zeros(bound, np.int32)
    found = Substrings(parent, words, slots, bits, pairs, np.full(bound, -1, np.int64), longest)
    n = 1
    for i in range(len(start) - 1):
        for begin in range(start[i], start[i + 1]):
            node = ROOT
            for place in range(begin, min(begin + longest, start[i + 1])):
                after = _step(found, node, token[place])
                if after < 0:
                    slots[-1 - after] = n
                    parent[n] = node
                    words[n] = token[place]
                    after = n
                    n += 1
                node = after
    last = np.full(n, -1, np.int64)
    return Substrings(parent[:n].copy(), words[:n].copy(), slots, bits, pairs[:n], last, longest)


@njit(cache=True, nogil=True)
def choose(found: Substrings, token: Ints, start: Ints, count: int, first: int) -> Flags:
    """Which sentences (n,) have a substring that fewer than `count` chosen ones have.

    Words are those of `substrings`, -1 for others.  Sentences follow each other, the first is
    number `first`; pairs and last are written.
    """
    chosen = np.zeros(len(start) - 1, np.bool_)
    for i in range(len(chosen)):
        for begin in range(start[i], start[i + 1]):
            node = ROOT
            for place in range(begin, min(begin + found.longest, start[i + 1])):
                node = _step(found, node, token[place]) if token[place] >= 0 else -1
                if node < 0:
                    break
                chosen[i] |= found.pairs[node] < count
            if chosen[i]:
                break
        if chosen[i]:
            _count(found, token[start[i] : start[i + 1]], first + i)
    return chosen


@njit(**LEAN)
def _count(found: Substrings, token: Ints, sentence: int) -> None:
    """Count a chosen sentence for each substring that it has, once."""
    for begin in range(len(token)):
        node = ROOT
        for place in range(begin, min(begin + found.longest, len(token))):
            node = _step(found, node, token[place]) if token[place] >= 0 else -1
            if node < 0:
                break
            if found.last[node] != sentence:
                found.last[node] = sentence
                found.pairs[node] += 1
