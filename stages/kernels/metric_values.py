"""From a metric's statistics to numbers: the gain of a sentence, the value of a corpus.

Gains of BLEU, with p_n = match_n / total_n and the brevity penalty BP = min(1, e^(1 - r/c)):

    bleu+1     BP (prod_n p_n)^(1/4), 1 added above and below for n > 1     (Lin and Och 2004)
    he-deng    e^(1 - r/c) (prod_n p_n)^(1/4), where for n = 3, 4
               p_n = (match_n + 5 q_n) / (total_n + 5), q_n = p_{n-1}^2 / p_{n-2}
                                              (He and Deng 2012; Wuebker et al. 2015, section 5.1)
    none, floor, add-k, exp     sacrebleu's sentence BLEU with its effective order
                                                                       (Chen and Cherry 2014)

A hypothesis without tokens or without a match has gain 0.  he-deng is not clipped: a hypothesis
longer than its closest reference may pass 1.  0/0 in its p_2 is 0.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numba import njit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ORDER = 4
NONE, FLOOR, ADD_K, EXP, HE_DENG = range(5)


@njit(cache=True, nogil=True)
def _bleu(stats: Ints, smoothing: int, amount: float, effective: bool) -> float:
    """BLEU in [0, 1] of statistics (10,); step by step as sacrebleu's compute_bleu."""
    c, r = stats[0], stats[1]
    if c == 0 or stats[2 : 2 + ORDER].sum() == 0:
        return 0.0
    log_sum, order, halved = 0.0, ORDER, 1.0
    for n in range(ORDER):
        match, total = float(stats[2 + n]), float(stats[2 + ORDER + n])
        if smoothing == ADD_K and n > 0:
            match, total = match + amount, total + amount
        if total == 0.0:
            if not effective:
                return 0.0
            break
        if effective:
            order = n + 1
        precision = match / total
        if match == 0.0 and smoothing == EXP:  # method 3 halves again at each empty order
            halved *= 2.0
            precision = 1.0 / (halved * total)
        elif match == 0.0 and smoothing == FLOOR:
            precision = amount / total
        if precision <= 0.0:
            return 0.0
        log_sum += math.log(precision)
    return math.exp(min(0.0, 1.0 - r / c) + log_sum / order)


@njit(cache=True, nogil=True)
def _he_deng(stats: Ints) -> float:
    c, r = stats[0], stats[1]
    if c < 2 or stats[2] == 0 or stats[3] == 0:
        return 0.0
    p1, p2 = stats[2] / stats[6], stats[3] / stats[7]
    p3 = (stats[4] + 5.0 * p2 * p2 / p1) / (stats[8] + 5.0)
    p4 = (stats[5] + 5.0 * p3 * p3 / p2) / (stats[9] + 5.0)
    return float(math.exp(1.0 - r / c) * (p1 * p2 * p3 * p4) ** 0.25)


@njit(cache=True, nogil=True)
def bleu_gains(stats: Ints, smoothing: int, amount: float) -> Floats:
    """Sentence gains (n_hyps,) of BLEU statistics (n_hyps, 10).

    `amount` is what FLOOR and ADD_K put in; ADD_K with 1 is BLEU+1.
    """
    gain = np.empty(len(stats))
    for j in range(len(stats)):
        if smoothing == HE_DENG:
            gain[j] = _he_deng(stats[j])
        else:
            gain[j] = _bleu(stats[j], smoothing, amount, True)
    return gain
