"""The substrings of a text as a trie, and the choice of sentences that have rare ones.

A node is a substring: its parent is the substring without its last word.  Nodes are numbered from 1
in the order in which they first occur; 0 is the empty substring.
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
    """The distinct substrings (n,) of a text, of up to `longest` words, the empty one first.

    parent and word (n,): the substring without its last word, and that word; slots (2^bits,): a
    hash table of nodes by these two, -1 where free.  pairs (n,): how many chosen sentences have the
    substring; last (n,): the last of them.
    """

    parent: Ids
    word: Ids
    slots: Ids
    bits: int
    pairs: Ids
    last: Ints
    longest: int


@njit(**LEAN)
def _step(trie: Substrings, node: int, word: int) -> int:
    """Return the node one word on; if there is none, -1 - the free slot where it belongs."""
    slot = transition_home(node, wide(word), trie.bits)
    while True:  # ends: half of the slots at least are free
        after = wide(trie.slots[slot])
        if after < 0:
            return int(-1 - slot)
        if trie.parent[after] == node and trie.word[after] == word:
            return int(after)
        slot = (slot + 1) & (len(trie.slots) - 1)


@njit(cache=True, nogil=True)
def substrings(token: Ints, start: Ints, longest: int) -> Substrings:
    """Return the substrings of up to `longest` words of the sentences token[start[i]:start[i + 1]].

    No sentence is chosen yet.
    """
    # an upper bound, as if all substrings were distinct: arrays and table need not grow
    bound = 1
    for i in range(len(start) - 1):
        length = start[i + 1] - start[i]
        for left in range(1, length + 1):
            bound += min(left, longest)
    bits = 4
    while 1 << bits < 2 * bound:
        bits += 1
    parent, words = np.full(bound, -1, np.int32), np.full(bound, -1, np.int32)
    slots = np.full(1 << bits, -1, np.int32)
    pairs = np.zeros(0, np.int32)
    trie = Substrings(parent, words, slots, bits, pairs, np.zeros(0, np.int64), longest)
    n = 1
    for i in range(len(start) - 1):
        for begin in range(start[i], start[i + 1]):
            node = ROOT
            for place in range(begin, min(begin + longest, start[i + 1])):
                after = _step(trie, node, token[place])
                if after < 0:
                    slots[-1 - after] = n
                    parent[n] = node
                    words[n] = token[place]
                    after = n
                    n += 1
                node = after
    pairs, last = np.zeros(n, np.int32), np.full(n, -1, np.int64)
    # copies: a view would keep the memory of the whole bound
    return Substrings(parent[:n].copy(), words[:n].copy(), slots, bits, pairs, last, longest)


@njit(cache=True, nogil=True)
def choose(trie: Substrings, token: Ints, start: Ints, count: int, first: int) -> Flags:
    """Choose the sentences (n,) that have a substring which fewer than `count` chosen ones have.

    Words are numbered as in `substrings`, -1 for others.  Sentences are numbered from `first` on;
    trie.pairs and trie.last are updated.
    """
    chosen = np.zeros(len(start) - 1, np.bool_)
    for i in range(len(chosen)):
        for begin in range(start[i], start[i + 1]):
            node = ROOT
            for place in range(begin, min(begin + trie.longest, start[i + 1])):
                node = _step(trie, node, token[place]) if token[place] >= 0 else -1
                if node < 0:  # longer substrings from here are not in the trie either
                    break
                chosen[i] |= trie.pairs[node] < count
            if chosen[i]:  # one rare substring is enough
                break
        # counted at once: it decides about the sentences that follow
        if chosen[i]:
            _count(trie, token[start[i] : start[i + 1]], first + i)
    return chosen


@njit(**LEAN)
def _count(trie: Substrings, token: Ints, sentence: int) -> None:
    """Count a chosen sentence for each substring that it has, once."""
    for begin in range(len(token)):
        node = ROOT
        for place in range(begin, min(begin + trie.longest, len(token))):
            node = _step(trie, node, token[place]) if token[place] >= 0 else -1
            if node < 0:
                break
            if trie.last[node] != sentence:  # not counted for an earlier place of the sentence
                trie.last[node] = sentence
                trie.pairs[node] += 1
