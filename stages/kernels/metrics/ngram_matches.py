r"""N-grams that hypotheses share with the references of their sentence: BLEU's and chrF's counts.

    match_n = sum over n-grams g of min(count of g in the hypothesis, count of g in the reference)

where BLEU takes the highest count in one reference (Papineni et al. 2002), and chrF each
reference for itself (Popovic 2015).

The n-grams of the references are the nodes of a trie: node t < n_types is type t, and
`child(node, t)` the n-gram that is longer by t.  A hypothesis is read once; the n-grams that end
at a place are children of those that ended at the place before.

Sequences are those of `tokens.number`: hyp and ref hold types one after the other, -1 for a type
that no reference has; sequence j is hyp[hyp_end[j]:hyp_end[j + 1]].
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import njit

BLEU_ORDER = 4
_SPREAD = 0x9E3779B1


@njit(cache=True, nogil=True)
def _find_child(keys: Ints, key: int) -> int:
    """Slot of the open-addressing table that holds the key, or where it belongs (key -1)."""
    mask = len(keys) - 1
    slot = ((key * _SPREAD) >> 15) & mask
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True, nogil=True)
def _trie(ref: Ids, ref_end: Ints, n_types: int, order: int) -> tuple[Ints, Ids, Ids]:
    """The references' n-grams.

    Returns keys and nodes of the table of children (key = parent * n_types + type), and how often
    each reference has each n-gram (n_nodes, n_refs).
    """
    n_refs, bound = len(ref_end) - 1, n_types + (order - 1) * len(ref)
    size = 16
    while size < 2 * bound:
        size *= 2
    keys, nodes = np.full(size, -1, np.int64), np.empty(size, np.int32)
    counts = np.zeros((bound, n_refs), np.int32)
    n_nodes = n_types
    for r in range(n_refs):
        for i in range(ref_end[r], ref_end[r + 1]):
            node = np.int64(ref[i])
            counts[node, r] += 1
            for k in range(i + 1, min(i + order, ref_end[r + 1])):
                key = node * n_types + ref[k]
                slot = _find_child(keys, key)
                if keys[slot] < 0:
                    keys[slot], nodes[slot] = key, n_nodes
                    n_nodes += 1
                node = np.int64(nodes[slot])
                counts[node, r] += 1
    return keys, nodes, counts[:n_nodes]


@njit(cache=True, nogil=True)
def _extend(keys: Ints, nodes: Ids, n_types: int, ending: Ints, t: int) -> None:
    """From the nodes of the n-grams that end before type t, one per order, to those that end at it.

    An n-gram that no reference has is -1, and so is then every longer one that ends there.
    """
    for n in range(len(ending) - 1, 0, -1):
        node = ending[n - 1]
        if node >= 0 and t >= 0:
            slot = _find_child(keys, node * n_types + t)
            ending[n] = nodes[slot] if keys[slot] >= 0 else -1
        else:
            ending[n] = -1
    ending[0] = t


@njit(cache=True, nogil=True)
def _closest(ref_end: Ints, target: int) -> int:
    """The reference length closest to the target; the shorter of two as close."""
    best = ref_end[1] - ref_end[0]
    for r in range(1, len(ref_end) - 1):
        length = ref_end[r + 1] - ref_end[r]
        off, best_off = abs(length - target), abs(best - target)
        if off < best_off or (off == best_off and length < best):
            best = length
    return int(best)


@njit(cache=True, nogil=True)
def bleu_statistics(hyp: Ids, hyp_end: Ints, ref: Ids, ref_end: Ints, n_types: int) -> Ints:
    """BLEU's statistics (n_hyps, 10), in sacrebleu's order; at least one reference.

    Hypothesis length, length of the closest reference, matches of 1..4, totals of 1..4.
    """
    order = BLEU_ORDER
    keys, nodes, counts = _trie(ref, ref_end, n_types, order)
    allowed = np.zeros(len(counts), np.int32)
    for node in range(len(counts)):
        allowed[node] = counts[node].max()
    used, user = np.zeros(len(allowed), np.int32), np.full(len(allowed), -1, np.int32)
    ending = np.empty(order, np.int64)
    stats = np.zeros((len(hyp_end) - 1, 2 + 2 * order), np.int64)
    for j in range(len(stats)):
        length = hyp_end[j + 1] - hyp_end[j]
        stats[j, 0], stats[j, 1] = length, _closest(ref_end, length)
        for n in range(order):
            stats[j, 2 + order + n] = max(length - n, 0)
        ending[:] = -1
        for i in range(hyp_end[j], hyp_end[j + 1]):
            _extend(keys, nodes, n_types, ending, hyp[i])
            for n in range(order):
                node = ending[n]
                if node < 0:
                    break
                used[node] = used[node] + 1 if user[node] == j else 1
                user[node] = j
                if used[node] <= allowed[node]:
                    stats[j, 2 + n] += 1
    return stats


@njit(cache=True, nogil=True)
def chrf_counts(hyp: Ids, hyp_end: Ints, ref: Ids, ref_end: Ints, n_types: int, order: int) -> Ints:
    """chrF's counts (n_hyps, n_refs, order, 3) against each reference, as sacrebleu's.

    Of every order: the hypothesis's n-grams (0 if the reference has none), the reference's,
    matches.
    """
    n_refs = len(ref_end) - 1
    keys, nodes, counts = _trie(ref, ref_end, n_types, order)
    used, user = np.zeros(len(counts), np.int32), np.full(len(counts), -1, np.int32)
    ending = np.empty(order, np.int64)
    stats = np.zeros((len(hyp_end) - 1, n_refs, order, 3), np.int64)
    for j in range(len(stats)):
        length = hyp_end[j + 1] - hyp_end[j]
        for r in range(n_refs):
            for n in range(order):
                total = max(ref_end[r + 1] - ref_end[r] - n, 0)
                stats[j, r, n, 0] = max(length - n, 0) if total > 0 else 0
                stats[j, r, n, 1] = total
        ending[:] = -1
        for i in range(hyp_end[j], hyp_end[j + 1]):
            _extend(keys, nodes, n_types, ending, hyp[i])
            for n in range(order):
                node = ending[n]
                if node < 0:
                    break
                used[node] = used[node] + 1 if user[node] == j else 1
                user[node] = j
                for r in range(n_refs):
                    if used[node] <= counts[node, r]:
                        stats[j, r, n, 2] += 1
    return stats
