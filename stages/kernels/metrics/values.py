r"""From a metric's statistics to numbers: the gain of a sentence, the value of a corpus.

Sentence gains of BLEU, with p_n = match_n / total_n and the brevity penalty BP = min(1, e^(1-r/c)):

    bleu+1     BP (prod_n p_n)^(1/4), 1 added above and below for n > 1     (Lin and Och 2004)
    he-deng    e^(1-r/c) (prod_n p_n)^(1/4), where for n = 3, 4
               p_n = (match_n + 5 q_n) / (total_n + 5), q_n = p_{n-1}^2 / p_{n-2}
                                              (He and Deng 2012; Wuebker et al. 2015, section 5.1)
    none, floor, add-k, exp     sacrebleu's sentence BLEU with its effective order
                                                                       (Chen and Cherry 2014)

A hypothesis without tokens or without a match has gain 0.  he-deng is not clipped: a hypothesis
longer than its closest reference may pass 1.  0/0 in its p_2 is 0.

Corpus values are sacrebleu's, as gains (1 - WER, 1 - TER) and in parts of 1; `corpus_values` has
them by number, for a search that compares many sums.
"""

from __future__ import annotations

import math

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.metrics.bleu import bleu_of_sums

ORDER = 4
NONE, FLOOR, ADD_K, EXP, HE_DENG = range(5)
BLEU, ERROR_RATE, CHRF, MEAN = range(4)
UNIT = 1_000_000_000  # numbers of another program are kept in whole parts of 1/UNIT


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
def _chrf(stats: Ints) -> float:
    """chrF2 in [0, 1] of counts (3 orders,): hypothesis, reference, matches of every order.

    F_2 of the precision and the recall averaged over the orders that both texts have; step by
    step as sacrebleu's.
    """
    precision, recall, order = 0.0, 0.0, 0
    for n in range(0, len(stats), 3):
        if stats[n] > 0 and stats[n + 1] > 0:
            precision += stats[n + 2] / stats[n]
            recall += stats[n + 2] / stats[n + 1]
            order += 1
    if order == 0 or precision + recall == 0.0:
        return 0.0
    precision, recall = precision / order, recall / order
    return 5.0 * precision * recall / (4.0 * precision + recall)


@njit(cache=True, nogil=True)
def _error_rate(stats: Ints) -> float:
    """Edits over reference words, stats (2,); 1 for edits of no word, 0 for none of none."""
    if stats[1] > 0:
        return float(stats[0] / stats[1])
    return 1.0 if stats[0] > 0 else 0.0


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


@njit(cache=True, nogil=True)
def error_rate_gains(stats: Ints) -> Floats:
    """Sentence gains 1 - edits / words, at least 0, of WER's or TER's statistics (n_hyps, 2).

    Without a reference word 0.
    """
    gain = np.zeros(len(stats))
    for j in range(len(stats)):
        if stats[j, 1] > 0:
            gain[j] = max(0.0, 1.0 - stats[j, 0] / stats[j, 1])
    return gain


@njit(cache=True, nogil=True)
def chrf_gains(stats: Ints) -> Floats:
    """Sentence gains (n_hyps,): the sentence's own chrF of counts (n_hyps, 3 orders)."""
    gain = np.empty(len(stats))
    for j in range(len(stats)):
        gain[j] = _chrf(stats[j])
    return gain


@njit(cache=True, nogil=True)
def best_reference(counts: Ints) -> Ints:
    """Of chrF's counts (n_hyps, n_refs, 3 orders) those of highest chrF, (n_hyps, 3 orders)."""
    best = np.empty((counts.shape[0], counts.shape[2]), np.int64)
    for j in range(len(counts)):
        highest = -1.0
        for r in range(counts.shape[1]):
            value = _chrf(counts[j, r])
            if value > highest:
                highest = value
                best[j] = counts[j, r]
    return best


@njit(**LEAN)
def _fill_corpus_values(sums: Ints, metric: int, value: Floats) -> None:
    for i in range(len(sums)):
        if metric == BLEU:
            value[i] = bleu_of_sums(sums[i])
        elif metric == ERROR_RATE:
            value[i] = 1.0 - _error_rate(sums[i])
        elif metric == CHRF:
            value[i] = _chrf(sums[i])
        else:
            value[i] = sums[i, 0] / UNIT / sums[i, 1] if sums[i, 1] > 0 else 0.0


def corpus_values(sums: Ints, metric: int) -> Floats:
    """Corpus values (m,), higher is better, of m summed statistics (m, n_stats).

    BLEU is smoothed as sacrebleu's corpus BLEU (exp); ERROR_RATE is 1 - WER or 1 - TER, which may
    fall below 0; MEAN is the mean of another program's numbers.
    """
    value = np.empty(len(sums))
    _fill_corpus_values(sums, metric, value)
    return value
