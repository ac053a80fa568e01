r"""N-grams that a growing hypothesis shares with the references, clipped as BLEU clips.

    matches = sum over n-grams g of min(count of g in the hypothesis, highest count in a reference)
                                                                        (Papineni et al. 2002)

The references' n-grams are a trie (oracle_records.NGrams).  What a hypothesis has matched is a set
of bits, one for each time that an n-gram may match, so `used | tail` and a count of bits tell what
two parts of a translation match together.  How a hypothesis goes on depends on its words only
through the longest n-gram, of up to three words, at its end.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.oracle.records import Classes, NGrams
from campanula.stages.kernels.wide import wide

ORDER = 4
BITS = 62  # of an int64; the sign and one more bit stay free, so sums do not wrap
UP, DOWN = 1, -1  # the order in which the slots of an n-gram are taken


@njit(cache=True, nogil=True)
def ngram_trie(ref: Ids, ref_end: Ints, n_types: int) -> NGrams:
    """Trie of the references, which are sequences of types ref[ref_end[r]:ref_end[r + 1]].

    The node of type t alone is t + 1.
    """
    n_refs, bound = len(ref_end) - 1, n_types + 1 + (ORDER - 1) * len(ref)
    first_child, sibling = np.full(bound, -1, np.int32), np.full(bound, -1, np.int32)
    letter, link = np.zeros(bound, np.int32), np.zeros(bound, np.int32)
    depth, counts = np.zeros(bound, np.int32), np.zeros((bound, n_refs), np.int32)
    for t in range(n_types):
        letter[t + 1], depth[t + 1] = t, 1
    slot, allowed = np.zeros(0, np.int32), np.zeros(0, np.int32)
    base = np.zeros(ORDER + 1, np.int64)
    room = NGrams(first_child, sibling, letter, link, depth, slot, allowed, base)
    n = n_types + 1
    for r in range(n_refs):
        n = add_reference(room, n, ref[ref_end[r] : ref_end[r + 1]], counts[:, r])
    slot, allowed = lay_out(counts[:n], depth[:n], base)
    return NGrams(
        first_child[:n], sibling[:n], letter[:n], link[:n], depth[:n], slot, allowed, base
    )


@njit(cache=True, nogil=True)
def add_reference(trie: NGrams, n_nodes: int, ref: Ids, count: Ids) -> int:
    """Count the n-grams of a reference, adding those that are new: nodes of the trie then."""
    shorter = np.zeros(ORDER, np.int64)  # nodes of the n-grams that begin one word later
    for i in range(len(ref) - 1, -1, -1):
        node, below = wide(0), np.int64(0)
        for k in range(min(ORDER, len(ref) - i)):
            child = child_of(trie, node, ref[i + k], n_nodes) if k > 0 else ref[i] + 1
            node = wide(child)
            if node == n_nodes:
                trie.link[node] = below
                n_nodes += 1
            count[node] += 1
            below, shorter[k] = shorter[k], node
    return int(n_nodes)


@njit(**LEAN)
def child_of(trie: NGrams, node: int, t: int, n_nodes: int) -> int:
    """Node of an n-gram with type t after it, made node n_nodes if there is none."""
    child = np.int64(trie.first_child[node])
    while child >= 0 and trie.letter[child] != t:
        child = np.int64(trie.sibling[child])
    if child < 0:
        child = np.int64(n_nodes)
        trie.letter[child], trie.depth[child] = t, trie.depth[node] + 1
        trie.sibling[child], trie.first_child[node] = trie.first_child[node], child
    return int(child)


@njit(cache=True, nogil=True)
def lay_out(counts: Ids, depth: Ids, base: Ints) -> tuple[Ids, Ids]:
    """First slot of each n-gram and its slots, by its counts (n_nodes, n_refs); base: in place."""
    slot, allowed = np.zeros(len(depth), np.int32), np.zeros(len(depth), np.int32)
    size = np.zeros(ORDER + 1, np.int64)
    for v in range(1, len(depth)):
        allowed[v] = counts[v].max()
        size[depth[v]] += allowed[v]
    for k in range(ORDER):
        base[k + 1] = base[k] + (size[k + 1] + BITS - 1) // BITS
    free = base[:ORDER] * BITS
    for v in range(1, len(depth)):
        slot[v] = free[depth[v] - 1]
        free[depth[v] - 1] += allowed[v]
    return slot, allowed


@njit(**LEAN)
def longest_match(first_child: Ids, sibling: Ids, letter: Ids, link: Ids, u: int, t: int) -> int:
    """Node of the longest n-gram at the end, when type t (-1: none) follows context u."""
    if t < 0:
        return wide(0)
    while u > 0:
        child = np.int64(first_child[u])
        while child >= 0 and letter[child] != t:
            child = np.int64(sibling[child])
        if child >= 0:
            return int(child)
        u = wide(link[u])
    return wide(t + 1)


@njit(**LEAN)
def context_of(ngrams: NGrams, v: int) -> int:
    """Context after the longest n-gram v: v, or what is shorter by a word where v is full."""
    return wide(ngrams.link[v]) if ngrams.depth[v] == ORDER else v


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
    first_child, sibling = ngrams.first_child, ngrams.sibling
    for k in range(begin, end):
        v = longest_match(first_child, sibling, ngrams.letter, ngrams.link, u, word[k])
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
        best = ref_end[1] - ref_end[0]
        for r in range(1, len(ref_end) - 1):
            length = ref_end[r + 1] - ref_end[r]
            off, best_off = abs(length - c), abs(best - c)
            if off < best_off or (off == best_off and length < best):
                best = length
        power[c] = np.exp(4.0 * min(0.0, 1.0 - best / c))
    return power


@njit(cache=True, nogil=True)
def longest_translation(n: int, classes: Classes) -> int:
    """Words of the longest translation of a sentence of n words."""
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

    `floor` stands for no match at all: 0 for a translation, more for the estimate of one.
    """
    if length == 0:
        return 0.0
    product = brevity[length]
    for n in range(ORDER):
        match = 0
        for k in range(base[n], base[n + 1]):
            match += bit_count(used[k] | tail[k])
        if n == 0:
            product *= max(float(match), floor) / length
        else:
            product *= (match + 1.0) / (max(length - n, 0) + 1.0)
    return float(product)
