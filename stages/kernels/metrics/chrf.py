r"""chrF of n-gram counts of sentences or corpora, and the reference with the highest chrF.

    chrF = (1 + 2^2) P R / (2^2 P + R)                                     (Popovic 2015, 2017)

P and R are precision and recall, averaged over the orders that both texts have.  Counts are, order
by order: n-grams of the hypothesis, of the reference, matches.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit


@njit(**LEAN)
def _chrf(counts: Ints) -> float:
    """chrF2 in [0, 1] of counts (3 orders,)."""
    # step by step as sacrebleu, so that both round alike
    precision = 0.0
    recall = 0.0
    order = 0
    for n in range(0, len(counts), 3):
        if counts[n] > 0 and counts[n + 1] > 0:
            precision += counts[n + 2] / counts[n]
            recall += counts[n + 2] / counts[n + 1]
            order += 1
    if order == 0 or precision + recall == 0.0:
        return 0.0
    precision, recall = precision / order, recall / order
    return 5.0 * precision * recall / (4.0 * precision + recall)


@njit(**LEAN)
def _fill_chrf(counts: Ints, value: Floats) -> None:
    for j in range(len(counts)):
        value[j] = _chrf(counts[j])


def chrf(counts: Ints) -> Floats:
    """chrF2 (m,) in [0, 1] of counts (m, 3 orders), of sentences or of corpora."""
    value = np.empty(len(counts))
    _fill_chrf(counts, value)
    return value


@njit(cache=True, nogil=True)
def best_reference(counts: Ints) -> Ints:
    """Return the counts (n_hyps, 3 orders) against the reference of highest chrF.

    counts: (n_hyps, n_refs, 3 orders).  Ties go to the first reference.
    """
    best = np.empty((counts.shape[0], counts.shape[2]), np.int64)
    for j in range(len(counts)):
        highest = -1.0  # below 0, so that a hypothesis without a match gets the first reference
        for r in range(counts.shape[1]):
            value = _chrf(counts[j, r])
            if value > highest:
                highest = value
                best[j] = counts[j, r]
    return best
