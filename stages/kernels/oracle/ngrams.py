r"""N-grams that a growing hypothesis shares with the references, clipped as BLEU clips.

    matches = sum over n-grams g of min(count of g in the hypothesis, highest count in a reference)
                                                                        (Papineni et al. 2002)

What a hypothesis has matched is a set of bits, one for each time that an n-gram may match, so
`used | tail` and a count of bits tell what two parts of a translation match together.  How a
hypothesis goes on depends on its words only through the longest n-gram, of up to three words, at
its end; so the trie of the references has links here, from an n-gram to what is left of it without
its first word (oracle.records.NGrams).
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

BITS = 62  # of an int64; the sign and one more bit stay free, so sums do not wrap
UP, DOWN = 1, -1  # the order in which the slots of an n-gram are taken


@njit(cache=True, nogil=True)
def ngrams_of(trie: ReferenceTrie) -> NGrams:
    """The n-grams of a trie to order 4, numbered from 1 in its order: type t alone is t + 1."""
    n_types, n_nodes = trie.n_types, len(trie.times) + 1
    first_child = np.full(n_nodes, -1, np.int32)
    sibling = np.full(n_nodes, -1, np.int32)
    depth = np.ones(n_nodes, np.int32)
    depth[0] = 0
    link = np.zeros(n_nodes, np.int32)
    letter, parent = letters(trie)
    for v in range(n_types + 1, n_nodes):  # its parent comes before
        u = parent[v]
        depth[v] = depth[u] + 1
        sibling[v] = first_child[u]
        first_child[u] = v
        # every part of an n-gram is one, so what is left without its first word is there, too
        below = wide(link[u])
        link[v] = letter[v] + 1 if below == 0 else child_of(trie, below - 1, letter[v]) + 1
    base = np.zeros(BLEU_ORDER + 1, np.int64)
    slot, allowed = lay_out(most_times(trie), depth, base)
    return NGrams(first_child, sibling, letter, link, depth, slot, allowed, base)


@njit(cache=True, nogil=True)
def letters(trie: ReferenceTrie) -> tuple[Ids, Ids]:
    """Last type, and the n-gram without it, of each n-gram numbered from 1; 0 for number 0."""
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
    """First slot of each n-gram and its slots, most (n_nodes - 1,) times one; base: in place."""
    slot = np.zeros(len(depth), np.int32)
    allowed = np.zeros(len(depth), np.int32)
    size = np.zeros(BLEU_ORDER + 1, np.int64)
    for v in range(1, len(depth)):
        allowed[v] = most[v - 1]
        size[depth[v]] += allowed[v]
    for k in range(BLEU_ORDER):
        base[k + 1] = base[k] + (size[k + 1] + BITS - 1) // BITS
    free = base[:BLEU_ORDER] * BITS
    for v in range(1, len(depth)):
        slot[v] = free[depth[v] - 1]
        free[depth[v] - 1] += allowed[v]
    return slot, allowed


@njit(**LEAN)
def longest_match(ngrams: NGrams, u: int, t: int) -> int:
    """Node of the longest n-gram at the end, when type t (-1: none) follows context u."""
    sibling, letter = ngrams.sibling, ngrams.letter
    if t < 0:
        return wide(0)
    while u > 0:
        child = np.int64(ngrams.first_child[u])
        while child >= 0 and letter[child] != t:
            child = np.int64(sibling[child])
        if child >= 0:
            return int(child)
        u = wide(ngrams.link[u])
    return wide(t + 1)


@njit(**LEAN)
def context_of(ngrams: NGrams, v: int) -> int:
    """Context after the longest n-gram v: v, or what is shorter by a word where v is full."""
    return wide(ngrams.link[v]) if ngrams.depth[v] == BLEU_ORDER else v


@njit(**LEAN)
def mark(ngrams: NGrams, v: int, used: Ints, direction: int) -> None:
    """Mark a match of n-gram v and of every shorter one at its end, each in its next free slot."""
    slot, allowed, link = ngrams.slot, ngrams.allowed, ngrams.link
    while v > 0:
        s = np.int64(slot[v] if direction == UP else slot[v] + allowed[v] - 1)
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
    """Read types after context u and mark their matches: context after.

    Marks go UP from the lowest slot of an n-gram or DOWN from the highest, so those of two parts
    of a translation, one read up and one down, meet only when all slots match.
    """
    for k in range(begin, end):
        v = longest_match(ngrams, u, word[k])
        mark(ngrams, v, used, direction)
        u = context_of(ngrams, v)
    return int(u)


@njit(**LEAN)
def bit_count(x: int) -> int:
    """Bits that are set in an integer of 62 bits (Warren 2002, section 5-1)."""
    x = (x & 0x1555555555555555) + ((x >> 1) & 0x1555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x & 0x0F0F0F0F0F0F0F0F) + ((x >> 4) & 0x0F0F0F0F0F0F0F0F)
    x += x >> 8
    x += x >> 16
    x += x >> 32
    return int(x & 0x7F)


@njit(cache=True, nogil=True)
def brevity_powers(ref_end: Ints, longest: int) -> Floats:
    """BP^4 of each length to `longest`, against the closest reference (tie: the shorter)."""
    power = np.zeros(longest + 1)
    for c in range(1, longest + 1):
        best = closest_length(ref_end, c)
        power[c] = np.exp(4.0 * min(0.0, 1.0 - best / c))
    return power


@njit(cache=True, nogil=True)
def longest_translation(classes: OptionClasses) -> int:
    """Words of the longest translation of a sentence."""
    n = len(classes.first)
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
    """(BLEU+1)^4 of a translation of `length` words that matches the slots of both sets.

    `floor` stands for no match at all: 0 for a translation, more for the estimate of one.  The
    formula of kernels/metrics/bleu without its root, which a comparison does without: the matches
    are bits of the slots, so that no statistics are made for the many that are compared.
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
