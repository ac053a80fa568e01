r"""BLEU of summed statistics, for searches that compare thousands of sums, and of one sentence.

    BLEU = BP (prod_n m_n / t_n)^(1/4),    BP = min(1, e^(1 - r/c))        (Papineni et al. 2002)

Statistics in sacrebleu's order: c, r, m_1..m_4, t_1..t_4.  As in sacrebleu's corpus BLEU the k-th
order without a match counts 1 / (2^k t_n), and no match at all counts 0.

Sentence gains, with p_n = m_n / t_n:

    bleu+1     BP (prod_n p_n)^(1/4), 1 added above and below for n > 1     (Lin and Och 2004)
    he-deng    e^(1-r/c) (prod_n p_n)^(1/4), where for n = 3, 4
               p_n = (m_n + 5 q_n) / (t_n + 5), q_n = p_{n-1}^2 / p_{n-2}
                                              (He and Deng 2012; Wuebker et al. 2015, section 5.1)
    none, floor, add-k, exp     sacrebleu's sentence BLEU with its effective order
                                                                       (Chen and Cherry 2014)

A hypothesis without tokens or without a match has gain 0.  he-deng is not clipped: a hypothesis
longer than its closest reference may pass 1.  0/0 in its p_2 is 0.
"""

from __future__ import annotations

import math

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit

ORDER = 4
# Statistics: two lengths, the first of ORDER matches, and the first of ORDER totals.
HYP_LENGTH, REF_LENGTH, MATCHES, TOTALS = 0, 1, 2, 2 + ORDER
NONE, FLOOR, ADD_K, EXP, HE_DENG = range(5)
PRIOR = 5.0  # weight of the prior in he-deng


@njit(**LEAN, error_model="numpy")
def brevity_penalty(c: float, r: float) -> float:
    """BP of c words and a reference of r words; 0 for c = 0 < r."""
    # error_model numpy: 1 - r / 0 is -inf, without a check that would keep loops from vector units
    return math.exp(1.0 - r / c) if c < r else 1.0


@njit(**LEAN)
def fourth_root(product: float) -> float:
    """Fourth root of a number >= 0."""
    # two square roots take half the time of four logarithms
    return math.sqrt(math.sqrt(product))


@njit(**LEAN)
def bleu_of_sums(sums: Ints) -> float:
    """Corpus BLEU in [0, 1] of summed statistics (10,)."""
    product = 1.0
    halved = 1.0
    matched = 0
    for n in range(ORDER):
        match = float(sums[MATCHES + n])
        total = float(sums[TOTALS + n])
        if total <= 0.0:
            return 0.0
        if match == 0.0:
            halved *= 2.0
            match = 1.0 / halved
        else:
            matched += 1
        product *= match / total
    if matched == 0:
        return 0.0
    return float(brevity_penalty(sums[HYP_LENGTH], sums[REF_LENGTH]) * fourth_root(product))


@njit(**LEAN)
def _fill_corpus_bleu(sums: Ints, value: Floats) -> None:
    for i in range(len(sums)):
        value[i] = bleu_of_sums(sums[i])


def corpus_bleu(sums: Ints) -> Floats:
    """Corpus BLEU (m,) of m sums of statistics (m, 10)."""
    value = np.empty(len(sums))
    _fill_corpus_bleu(sums, value)
    return value


@njit(cache=True, nogil=True)
def _smoothed(stats: Ints, smoothing: int, amount: float) -> float:
    """Sentence BLEU in [0, 1] of statistics (10,).

    Gains are sacrebleu's to the last bit.
    """
    # step by step as compute_bleu, with its logarithms: the roots of bleu_of_sums round differently
    c, r = stats[HYP_LENGTH], stats[REF_LENGTH]
    if c == 0 or stats[MATCHES:TOTALS].sum() == 0:
        return 0.0
    log_sum = 0.0
    order = ORDER
    halved = 1.0
    for n in range(ORDER):
        match = float(stats[MATCHES + n])
        total = float(stats[TOTALS + n])
        if smoothing == ADD_K and n > 0:
            match += amount
            total += amount
        # effective order: a sentence of two words has no 3-grams, and the mean is of two precisions
        if total == 0.0:
            break
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
    c, r = stats[HYP_LENGTH], stats[REF_LENGTH]
    # the prior counts q_3 and q_4 need p_1 and p_2 above 0
    match = stats[MATCHES:TOTALS]
    total = stats[TOTALS:]
    if c < 2 or match[0] == 0 or match[1] == 0:
        return 0.0
    p1 = match[0] / total[0]
    p2 = match[1] / total[1]
    p3 = (match[2] + PRIOR * p2 * p2 / p1) / (total[2] + PRIOR)
    p4 = (match[3] + PRIOR * p3 * p3 / p2) / (total[3] + PRIOR)
    return float(math.exp(1.0 - r / c) * (p1 * p2 * p3 * p4) ** 0.25)


@njit(cache=True, nogil=True)
def bleu_gains(stats: Ints, smoothing: int, amount: float) -> Floats:
    """Sentence gains (n_hyps,) of BLEU statistics (n_hyps, 10).

    `amount` is the number that FLOOR puts in place of 0 matches, and that ADD_K adds to all counts;
    ADD_K with 1 is BLEU+1.
    """
    gain = np.empty(len(stats))
    for j in range(len(stats)):
        if smoothing == HE_DENG:
            gain[j] = _he_deng(stats[j])
        else:
            gain[j] = _smoothed(stats[j], smoothing, amount)
    return gain
