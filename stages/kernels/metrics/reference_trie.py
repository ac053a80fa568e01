"""The n-grams of a sentence's references as a trie, and the length of the closest reference.

Node t < n_types is the unigram of type t; the child of a node by type t is the node's n-gram with t
appended.  So the n-grams that end at a place of a hypothesis are children of those that end at the
place before, and a hypothesis is read once for all orders.

References are those of `tokens.number`: ref holds types one after the other, and reference r is
ref[ref_end[r]:ref_end[r + 1]].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.wide import wide

BLEU_ORDER = 4
_SPREAD = 0x9E3779B1  # 2^32 over the golden ratio, an odd number (Knuth's multiplicative hashing)


class ReferenceTrie(NamedTuple):
    """A hash table of children: the child of node v by type t has the key v * n_types + t.

    key (size,), -1 where a slot is free; child (size,).  times (n_nodes, n_refs): how often each
    reference has each n-gram.
    """

    n_types: int
    key: Ints
    child: Ids
    times: Ids


@njit(**LEAN)
def slot_of(keys: Ints, key: int) -> int:
    """Slot of the table that holds the key, or the free slot where it belongs."""
    mask = len(keys) - 1
    # keys of neighbouring nodes differ little: a product spreads them, its low bits least
    slot = ((key * _SPREAD) >> 15) & mask
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True, nogil=True)
def reference_trie(ref: Ids, ref_end: Ints, n_types: int, order: int) -> ReferenceTrie:
    """Return the n-grams of all references up to an order; children have higher node numbers."""
    n_refs = len(ref_end) - 1
    # n_types nodes for unigrams, whether or not they occur: the node of a unigram is its type
    bound = n_types + (order - 1) * len(ref)
    size = 16
    while size < 2 * bound:
        size *= 2
    keys = np.full(size, -1, np.int64)
    nodes = np.empty(size, np.int32)
    times = np.zeros((bound, n_refs), np.int32)
    n_nodes = n_types
    for r in range(n_refs):
        for i in range(ref_end[r], ref_end[r + 1]):
            node = wide(ref[i])
            times[node, r] += 1
            for k in range(i + 1, min(i + order, ref_end[r + 1])):
                key = node * n_types + wide(ref[k])
                slot = slot_of(keys, key)
                if keys[slot] < 0:
                    keys[slot] = key
                    nodes[slot] = n_nodes
                    n_nodes += 1
                node = wide(nodes[slot])
                times[node, r] += 1
    return ReferenceTrie(n_types, keys, nodes, times[:n_nodes])


@njit(cache=True, nogil=True)
def most_times(trie: ReferenceTrie) -> Ids:
    """Return how often each n-gram (n_nodes,) may match: its highest count in one reference."""
    most = np.zeros(len(trie.times), np.int32)
    for node in range(len(most)):
        most[node] = trie.times[node].max()
    return most


@njit(**LEAN, inline="always")
def child_of(trie: ReferenceTrie, node: int, t: int) -> int:
    """Node of a node's n-gram with type t appended, -1 if no reference has it."""
    slot = slot_of(trie.key, wide(node) * trie.n_types + wide(t))
    return int(trie.child[slot]) if trie.key[slot] >= 0 else -1


@njit(cache=True, nogil=True)
def read_type(trie: ReferenceTrie, ending: Ints, t: int) -> None:
    """Append type t (-1: no reference has it) to the n-grams that end before it, in place.

    ending (order,) by length - 1: node of the n-gram that ends here, -1 if no reference has it, and
    then of all longer ones, too.
    """
    # the longest first: each is a child of the next shorter one as it was before this type
    for n in range(len(ending) - 1, 0, -1):
        node = ending[n - 1]
        if node >= 0 and t >= 0:
            ending[n] = child_of(trie, node, t)
        else:
            ending[n] = -1
    ending[0] = t


@njit(**LEAN)
def closest_length(ref_end: Ints, target: int) -> int:
    """Return the reference length closest to the target; of two as close, the shorter one."""
    best = ref_end[1] - ref_end[0]
    for r in range(1, len(ref_end) - 1):
        length = ref_end[r + 1] - ref_end[r]
        off = abs(length - target)
        best_off = abs(best - target)
        if off < best_off or (off == best_off and length < best):
            best = length
    return int(best)
