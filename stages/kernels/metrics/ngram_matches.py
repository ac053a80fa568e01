r"""N-grams that hypotheses share with the references of their sentence: BLEU's and chrF's counts.

    match_n = sum over n-grams g of min(count of g in the hypothesis, count of g in the reference)

where BLEU takes the highest count in one reference (Papineni et al. 2002), and chrF has counts for
each reference (Popovic 2015).

A hypothesis is read once, with the trie of its references' n-grams (reference_trie).

Sequences are those of `tokens.number`: hyp and ref hold types one after the other, -1 for a type
that no reference has; sequence j is hyp[hyp_end[j]:hyp_end[j + 1]].
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.metrics.reference_trie import (
    BLEU_ORDER,
    closest_length,
    most_times,
    read_type,
    reference_trie,
)

# columns of BLEU's statistics: lengths, then the matches of each order, then the totals
HYP_LENGTH, REF_LENGTH, MATCHES = range(3)

# columns of chrF's counts of each order: n-grams of the hypothesis, of the reference, of both
OF_HYP, OF_REF, SHARED = range(3)


@njit(cache=True, nogil=True)
def bleu_statistics(hyp: Ids, hyp_end: Ints, ref: Ids, ref_end: Ints, n_types: int) -> Ints:
    """BLEU's statistics (n_hyps, 10), in sacrebleu's order; at least one reference.

    Hypothesis length, length of the closest reference, matches of 1..4, totals of 1..4.
    """
    order = BLEU_ORDER
    trie = reference_trie(ref, ref_end, n_types, order)
    allowed = most_times(trie)
    used = np.zeros(len(allowed), np.int32)
    # the last hypothesis that had the n-gram: so `used` need not be cleared for each hypothesis
    user = np.full(len(allowed), -1, np.int32)
    ending = np.empty(order, np.int64)
    stats = np.zeros((len(hyp_end) - 1, MATCHES + 2 * order), np.int64)
    for j in range(len(stats)):
        length = hyp_end[j + 1] - hyp_end[j]
        stats[j, HYP_LENGTH] = length
        stats[j, REF_LENGTH] = closest_length(ref_end, length)
        for n in range(order):
            stats[j, MATCHES + order + n] = max(length - n, 0)
        ending[:] = -1
        for i in range(hyp_end[j], hyp_end[j + 1]):
            read_type(trie, ending, hyp[i])
            for n in range(order):
                node = ending[n]
                if node < 0:  # no reference has it, and so none has the longer ones
                    break
                used[node] = used[node] + 1 if user[node] == j else 1
                user[node] = j
                if used[node] <= allowed[node]:
                    stats[j, MATCHES + n] += 1
    return stats


@njit(cache=True, nogil=True)
def chrf_counts(hyp: Ids, hyp_end: Ints, ref: Ids, ref_end: Ints, n_types: int, order: int) -> Ints:
    """chrF's counts (n_hyps, n_refs, order, 3) against each reference, as sacrebleu's.

    Of every order: the hypothesis's n-grams (0 if the reference has none), the reference's,
    matches.
    """
    n_refs = len(ref_end) - 1
    trie = reference_trie(ref, ref_end, n_types, order)
    used = np.zeros(len(trie.times), np.int32)
    user = np.full(len(trie.times), -1, np.int32)  # the last hypothesis that had the n-gram
    ending = np.empty(order, np.int64)
    stats = np.zeros((len(hyp_end) - 1, n_refs, order, 3), np.int64)
    for j in range(len(stats)):
        length = hyp_end[j + 1] - hyp_end[j]
        for r in range(n_refs):
            for n in range(order):
                total = max(ref_end[r + 1] - ref_end[r] - n, 0)
                stats[j, r, n, OF_HYP] = max(length - n, 0) if total > 0 else 0
                stats[j, r, n, OF_REF] = total
        ending[:] = -1
        for i in range(hyp_end[j], hyp_end[j + 1]):
            read_type(trie, ending, hyp[i])
            for n in range(order):
                node = ending[n]
                if node < 0:
                    break
                used[node] = used[node] + 1 if user[node] == j else 1
                user[node] = j
                for r in range(n_refs):
                    if used[node] <= trie.times[node, r]:
                        stats[j, r, n, SHARED] += 1
    return stats
