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

from stages.kernels.compiled import njit
from stages.kernels.oracle_records import Classes, NGrams
from stages.kernels.search_records import F64, I32, I64

ORDER = 4
BITS = 62  # of an int64; the sign and one more bit stay free, so sums do not wrap


@njit(cache=True, nogil=True)
def ngram_trie(ref: I32, ref_end: I64, n_types: int) -> NGrams:
    """Trie of the references, which are sequences of types ref[ref_end[r]:ref_end[r + 1]].

    The node of type t alone is t + 1.
    """
    n_refs, bound = len(ref_end) - 1, n_types + 1 + (ORDER - 1) * len(ref)
    first_child, sibling = np.full(bound, -1, np.int32), np.full(bound, -1, np.int32)
    letter, link = np.zeros(bound, np.int32), np.zeros(bound, np.int32)
    depth, counts = np.zeros(bound, np.int32), np.zeros((bound, n_refs), np.int32)
    for t in range(n_types):
        letter[t + 1], depth[t + 1] = t, 1
    n_nodes = n_types + 1
    shorter = np.zeros(ORDER, np.int64)  # nodes of the n-grams that begin one word later
    for r in range(n_refs):
        shorter[:] = 0
        for i in range(ref_end[r + 1] - 1, ref_end[r] - 1, -1):
            node, below = np.int64(ref[i] + 1), np.int64(0)
            for k in range(min(ORDER, ref_end[r + 1] - i)):
                if k > 0:
                    child = np.int64(first_child[node])
                    while child >= 0 and letter[child] != ref[i + k]:
                        child = np.int64(sibling[child])
                    if child < 0:
                        child = np.int64(n_nodes)
                        n_nodes += 1
                        letter[child], depth[child], link[child] = ref[i + k], k + 1, below
                        sibling[child], first_child[node] = first_child[node], child
                    node = child
                counts[node, r] += 1
                below = shorter[k]
                shorter[k] = node
    allowed = np.zeros(n_nodes, np.int32)
    size = np.zeros(ORDER + 1, np.int64)
    for v in range(1, n_nodes):
        allowed[v] = counts[v].max()
        size[depth[v]] += allowed[v]
    base, slot = np.zeros(ORDER + 1, np.int64), np.zeros(n_nodes, np.int32)
    for k in range(ORDER):
        base[k + 1] = base[k] + (size[k + 1] + BITS - 1) // BITS
    free = base[:ORDER] * BITS
    for v in range(1, n_nodes):
        slot[v] = free[depth[v] - 1]
        free[depth[v] - 1] += allowed[v]
    return NGrams(
        first_child[:n_nodes],
        sibling[:n_nodes],
        letter[:n_nodes],
        link[:n_nodes],
        depth[:n_nodes],
        slot,
        allowed,
        base,
    )


@njit(cache=True, nogil=True)
def longest_match(first_child: I32, sibling: I32, letter: I32, link: I32, u: int, t: int) -> int:
    """Node of the longest n-gram at the end, when type t (-1: none) follows context u."""
    if t < 0:
        return int(np.int64(0))
    while u > 0:
        child = np.int64(first_child[u])
        while child >= 0 and letter[child] != t:
            child = np.int64(sibling[child])
        if child >= 0:
            return int(child)
        u = int(np.int64(link[u]))
    return int(np.int64(t + 1))


@njit(cache=True, nogil=True)
def read(ngrams: NGrams, u: int, word: I32, begin: int, end: int, used: I64) -> int:
    """Read types after context u, mark their matches from the lowest slot up: context after."""
    first_child, sibling, letter = ngrams.first_child, ngrams.sibling, ngrams.letter
    link, depth, slot, allowed = ngrams.link, ngrams.depth, ngrams.slot, ngrams.allowed
    for k in range(begin, end):
        v = longest_match(first_child, sibling, letter, link, u, word[k])
        x = v
        while x > 0:
            for s in range(slot[x], slot[x] + allowed[x]):
                place, bit = s // BITS, s % BITS
                if (used[place] >> bit) & 1 == 0:
                    used[place] |= np.int64(1) << bit
                    break
            x = int(np.int64(link[x]))
        u = int(np.int64(link[v])) if depth[v] == ORDER else v
    return int(u)


@njit(cache=True, nogil=True)
def read_back(ngrams: NGrams, u: int, word: I32, begin: int, end: int, used: I64) -> None:
    """The same marks, from the highest slot down: they meet those of `read` only when all match."""
    first_child, sibling, letter = ngrams.first_child, ngrams.sibling, ngrams.letter
    link, depth, slot, allowed = ngrams.link, ngrams.depth, ngrams.slot, ngrams.allowed
    for k in range(begin, end):
        v = longest_match(first_child, sibling, letter, link, u, word[k])
        x = v
        while x > 0:
            for s in range(slot[x] + allowed[x] - 1, slot[x] - 1, -1):
                place, bit = s // BITS, s % BITS
                if (used[place] >> bit) & 1 == 0:
                    used[place] |= np.int64(1) << bit
                    break
            x = int(np.int64(link[x]))
        u = int(np.int64(link[v])) if depth[v] == ORDER else v


@njit(cache=True, nogil=True)
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
def brevity_powers(ref_end: I64, longest: int) -> F64:
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


@njit(cache=True, nogil=True)
def bleu_power(used: I64, tail: I64, length: int, base: I64, brevity: F64, floor: float) -> float:
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
