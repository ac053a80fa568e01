r"""N-grams that a growing hypothesis shares with the references, clipped as BLEU clips.

    matches = sum over n-grams g of min(count of g in the hypothesis, highest count in a reference)
                                                                        (Papineni et al. 2002)

The matches of a hypothesis are a set of bits, one for each time that an n-gram may match; the bits
of `used | tail` are the matches of two parts of a translation together.  Later matches depend on a
hypothesis's words only through the longest n-gram, of up to three words, at its end; so the trie of
the references has links from each n-gram to the one without its first word (oracle.records.NGrams).
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.metrics.reference_trie import (
    BLEU_ORDER,
    ReferenceTrie,
    child_of,
    closest_length,
    most_times,
)
from campanula.stages.kernels.oracle.records import NGrams, OptionClasses
from campanula.stages.kernels.wide import wide

BITS = 62  # slots in an int64: two halves of 31 bits for a hash, and no sum of bit_count wraps
UP, DOWN = 1, -1  # the order in which the slots of an n-gram are taken


@njit(cache=True, nogil=True)
def ngrams_of(trie: ReferenceTrie) -> NGrams:
    """Return the n-grams of a trie to order 4, numbered from 1 in its order: type t is t + 1."""
    n_types = trie.n_types
    n_nodes = len(trie.times) + 1
    first_child = np.full(n_nodes, -1, np.int32)
    sibling = np.full(n_nodes, -1, np.int32)
    depth = np.ones(n_nodes, np.int32)
    depth[0] = 0
    link = np.zeros(n_nodes, np.int32)
    letter, parent = letters(trie)
    for v in range(n_types + 1, n_nodes):  # the parent of v, and its link, have lower numbers
        u = parent[v]
        depth[v] = depth[u] + 1
        sibling[v] = first_child[u]
        first_child[u] = v
        # the references have every part of their n-grams: the one without its first word exists
        below = wide(link[u])
        link[v] = letter[v] + 1 if below == 0 else child_of(trie, below - 1, letter[v]) + 1
    base = np.zeros(BLEU_ORDER + 1, np.int64)
    slot, allowed = lay_out(most_times(trie), depth, base)
    return NGrams(first_child, sibling, letter, link, depth, slot, allowed, base)


@njit(cache=True, nogil=True)
def letters(trie: ReferenceTrie) -> tuple[Ids, Ids]:
    """Return the last type of each n-gram, and the n-gram without it; number 0 has 0 for both."""
    n_nodes = len(trie.times) + 1
    letter = np.zeros(n_nodes, np.int32)
    parent = np.zeros(n_nodes, np.int32)
    for t in range(trie.n_types):
        letter[t + 1] = t
    for slot in range(len(trie.key)):
        key = trie.key[slot]
        if key >= 0:
            v = trie.child[slot] + 1
            parent[v] = key // trie.n_types + 1
            letter[v] = key % trie.n_types
    return letter, parent


@njit(cache=True, nogil=True)
def lay_out(most: Ids, depth: Ids, base: Ints) -> tuple[Ids, Ids]:
    """Return the first slot of each n-gram and its number of slots; write base (NGrams) in place.

    most (n_nodes - 1,): how often each n-gram may match.
    """
    slot = np.zeros(len(depth), np.int32)
    allowed = np.zeros(len(depth), np.int32)
    size = np.zeros(BLEU_ORDER + 1, np.int64)
    for v in range(1, len(depth)):
        allowed[v] = most[v - 1]
        size[depth[v]] += allowed[v]
    # each order begins with a new integer: bleu_power counts the bits of an order's integers
    for k in range(BLEU_ORDER):
        base[k + 1] = base[k] + (size[k + 1] + BITS - 1) // BITS
    free = base[:BLEU_ORDER] * BITS
    for v in range(1, len(depth)):
        slot[v] = free[depth[v] - 1]
        free[depth[v] - 1] += allowed[v]
    return slot, allowed


@njit(**LEAN)
def longest_match(ngrams: NGrams, u: int, t: int) -> int:
    """Return the longest n-gram at the end when type t (-1: none) follows context u."""
    sibling, letter = ngrams.sibling, ngrams.letter
    if t < 0:
        return wide(0)
    while u > 0:
        child = wide(ngrams.first_child[u])
        while child >= 0 and letter[child] != t:
            child = wide(sibling[child])
        if child >= 0:
            return child
        u = wide(ngrams.link[u])  # without its first word, a context may go on with t
    return wide(t + 1)  # every type is an n-gram of one word


@njit(**LEAN)
def context_of(ngrams: NGrams, v: int) -> int:
    """Return the context after the longest n-gram v: v, or, if v has order 4, v's last 3 words."""
    return wide(ngrams.link[v]) if ngrams.depth[v] == BLEU_ORDER else v


@njit(**LEAN)
def mark(ngrams: NGrams, v: int, used: Ints, direction: int) -> None:
    """Mark a match of n-gram v and of every shorter one at its end, each in its next free slot."""
    slot, allowed, link = ngrams.slot, ngrams.allowed, ngrams.link
    while v > 0:
        s = wide(slot[v] if direction == UP else slot[v] + allowed[v] - 1)
        for _ in range(allowed[v]):
            place, bit = s // BITS, s % BITS
            if (used[place] >> bit) & 1 == 0:
                used[place] |= np.int64(1) << bit
                break
            s += direction
        v = wide(link[v])


@njit(**LEAN)
def read(
    ngrams: NGrams, u: int, word: Ids, begin: int, end: int, used: Ints, direction: int
) -> int:
    """Read types after context u, mark their matches, and return the context after them.

    Marks go UP from the lowest slot of an n-gram or DOWN from the highest.  If one part of a
    translation is read up and the other down, their marks coincide only once all slots are marked,
    so the union counts min(sum of both, slots): clipped as BLEU clips.
    """
    for k in range(begin, end):
        v = longest_match(ngrams, u, word[k])
        mark(ngrams, v, used, direction)
        u = context_of(ngrams, v)
    return int(u)


@njit(**LEAN)
def bit_count(x: int) -> int:
    """Count the bits that are set in an integer of 62 bits (Warren 2002, section 5-1)."""
    # sums of pairs of bits, then of 4, then of bytes, all at once; the lowest byte has the total
    x = (x & 0x1555555555555555) + ((x >> 1) & 0x1555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x & 0x0F0F0F0F0F0F0F0F) + ((x >> 4) & 0x0F0F0F0F0F0F0F0F)
    x += x >> 8
    x += x >> 16
    x += x >> 32
    return int(x & 0x7F)


@njit(cache=True, nogil=True)
def brevity_powers(ref_end: Ints, longest: int) -> Floats:
    """Return BP^4 (longest + 1,) by length, against the closest reference (tie: the shorter)."""
    power = np.zeros(longest + 1)  # 0 for length 0: the limit, and nothing is divided by 0
    for c in range(1, longest + 1):
        best = closest_length(ref_end, c)
        power[c] = np.exp(4.0 * min(0.0, 1.0 - best / c))
    return power


@njit(cache=True, nogil=True)
def longest_translation(classes: OptionClasses) -> int:
    """Return the number of words of the longest translation of a sentence."""
    n = len(classes.first)
    # most[i]: of the words from i on; swaps change the order of blocks, not their words
    most = np.zeros(n + 1, np.int64)
    for i in range(n - 1, -1, -1):
        for k in range(min(classes.first.shape[1], n - i)):
            for c in range(classes.first[i, k], classes.first[i, k] + classes.n_classes[i, k]):
                size = classes.start[c + 1] - classes.start[c]
                most[i] = max(most[i], size + most[i + k + 1])
    return int(most[0])


@njit(**LEAN)
def bleu_power(
    used: Ints, tail: Ints, length: int, base: Ints, brevity: Floats, floor: float
) -> float:
    """Return (BLEU+1)^4 of a translation of `length` words that matches the slots of both sets.

    `floor` is the least number of matching words: 0 for a translation, more for an estimate, which
    would be 0 without one.  This is the formula of kernels/metrics/bleu before the root is taken,
    as the root changes no comparison, from bits in place of statistics.
    """
    if length == 0:
        return 0.0
    product = brevity[length]
    for n in range(BLEU_ORDER):
        match = 0
        for k in range(base[n], base[n + 1]):
            match += bit_count(used[k] | tail[k])
        if n == 0:
            product *= max(float(match), floor) / length
        else:
            product *= (match + 1.0) / (max(length - n, 0) + 1.0)
    return float(product)
