"""The loss of one list and its coefficients, compiled; formulas.py lists the forms.

A loss maps the scores of a list to a value and coefficients g over its hypotheses; the gradient in
theta is sum_i F_i^T g_i.  Ties go to the lower index.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.exponentials import exponentials, largest
from campanula.stages.kernels.lists.formulas import (
    EXPECTED_GAIN,
    LSE,
    MIN_COST,
    PAIRS,
    REACHING,
    RISK,
    SQUARED_GAIN,
    Formula,
    Targets,
    Term,
)
from campanula.stages.kernels.lists.lists import Index, Lists


@njit(**LEAN)
def best_place(term: Term, s: Floats, c: Floats, reaches: Flags) -> int:
    """Place of the largest s + factor * c among the term's candidates; -1 if there are none."""
    if term.candidates == MIN_COST:
        best = 0
        for j in range(1, len(c)):
            if c[j] < c[best]:
                best = j
        return best
    best, top = -1, -np.inf
    for j in range(len(s)):
        value = s[j] + term.factor * c[j]
        # `>`, not `>=`: ties go to the lower index
        if value > top and (term.candidates != REACHING or reaches[j]):
            best, top = j, value
    return best


@njit(**LEAN)
def term_of_list(term: Term, s: Floats, c: Floats, reaches: Flags, g: Floats) -> float:
    """Return the value of a term; write its gradient in the scores (a distribution) to g.

    -inf, and a zero gradient, when the term has no candidate.
    """
    g[:] = 0.0
    best = best_place(term, s, c, reaches)
    if best < 0:
        return -np.inf
    top: float = s[best] + term.factor * c[best]
    # the hypothesis of least cost is one whatever the scores: its soft maximum is its score
    if term.operator != LSE or term.candidates == MIN_COST:
        g[best] = 1.0
        return top
    total = 0.0
    for j in range(len(s)):
        if term.candidates != REACHING or reaches[j]:
            # at most e^0: no score is so large that it overflows
            g[j] = np.exp(s[j] + term.factor * c[j] - top)
            total += g[j]
    g /= total
    return float(top + np.log(total))


@njit(**LEAN)
def all_alike(x: Floats) -> bool:
    """Whether numbers (n,) are all the same; False for n = 0."""
    j = 1
    while j < len(x) and x[j] == x[0]:
        j += 1
    return 0 < len(x) <= j


@njit(**LEAN)
def risk_of_list(s: Floats, c: Floats, g: Floats) -> float:
    """sum_j p_j c_j with p = softmax s; g_j = p_j (c_j - risk) (G&S Eq. 5).

    If all costs are the same, the slopes are exactly 0.
    """
    # the formula would leave rounding errors, whose signs RPROP would follow
    if all_alike(c):
        g[:] = 0.0
        return float(c[0])
    total, risk = 0.0, 0.0
    exponentials(s, largest(s), g)
    for j in range(len(s)):
        total += g[j]
        risk += g[j] * c[j]
    risk /= total
    for j in range(len(s)):
        g[j] *= (c[j] - risk) / total
    return risk


@njit(**LEAN)
def squares_of_list(s: Floats, gain: Floats, g: Floats) -> float:
    """sum_j (s_j - gain_j)^2, which fits the scores to the gains (T&Z section III)."""
    total = 0.0
    for j in range(len(s)):
        rest = s[j] - gain[j]
        total += rest * rest
        g[j] = 2.0 * rest
    return total


@njit(**LEAN)
def log_gain_of_list(s: Floats, gain: Floats, g: Floats) -> float:
    """log sum_j p_j gain_j with p = softmax s; g_j = p_j (gain_j / expectation - 1) (W15 Eq. 13).

    Scores of any scale neither under- nor overflow.  -inf, and a zero gradient, when no hypothesis
    has a gain; the gradient is exactly zero, too, when all gains are the same.
    """
    # as in risk_of_list: no rounding errors for RPROP to follow
    if all_alike(gain):
        g[:] = 0.0
        return float(np.log(gain[0])) if gain[0] > 0.0 else -np.inf
    top = largest(s)
    total, total_gain = 0.0, 0.0
    exponentials(s, top, g)
    for j in range(len(s)):
        total += g[j]
        total_gain += g[j] * gain[j]
    # 1e-200 is far above the smallest float: the quotients below keep all their digits
    if total_gain > 1e-200:
        for j in range(len(s)):
            g[j] *= gain[j] / total_gain - 1.0 / total
        return float(np.log(total_gain) - np.log(total))
    # only hypotheses of very low score have gains: sum again, from the best one of these
    top_gain = -np.inf
    for j in range(len(s)):
        if gain[j] > 0.0:
            top_gain = max(top_gain, s[j] + np.log(gain[j]))
    if top_gain == -np.inf:
        g[:] = 0.0
        return -np.inf
    total_gain = 0.0
    for j in range(len(s)):
        if gain[j] > 0.0:
            total_gain += np.exp(s[j] + np.log(gain[j]) - top_gain)
    for j in range(len(s)):
        share = np.exp(s[j] + np.log(gain[j]) - top_gain) if gain[j] > 0.0 else 0.0
        g[j] = share / total_gain - g[j] / total
    return float(top_gain + np.log(total_gain) - top - np.log(total))


@njit(**LEAN)
def pairs_of_list(s: Floats, better: Ints, worse: Ints, g: Floats) -> float:
    """Logistic loss of sampled pairs, sum of log(1 + e^-(s_better - s_worse))."""
    g[:] = 0.0
    total = 0.0
    for e in range(len(better)):
        margin = s[better[e]] - s[worse[e]]
        # of -|margin|, so that a margin of any size and sign cannot overflow
        decay = np.exp(-abs(margin))
        total += np.log1p(decay) + max(-margin, 0.0)
        slope = (decay if margin > 0.0 else 1.0) / (1.0 + decay)
        g[better[e]] -= slope
        g[worse[e]] += slope
    return total


@njit(cache=True, nogil=True)
def loss_of_list(
    lists: Lists, i: Index, targets: Targets, formula: Formula, share: Floats, s: Floats, g: Floats
) -> float:
    """Return the loss of list i at scores s (n_i,); write its coefficients to g (n_i,).

    With hopes, share (n_hyps,), the concave part is replaced by its tangent: down - share . s.
    Without hopes share is empty.  A list without candidates for `up` has loss 0 and coefficients 0.
    The form EXPECTED_GAIN gives the logarithm of the list's expected gain (total_losses.joined).
    """
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    c, reaches = targets.cost[first:last], targets.reaches[first:last]
    if formula.form == RISK:
        return risk_of_list(s, c, g)
    if formula.form == EXPECTED_GAIN:
        return log_gain_of_list(s, targets.gain[first:last], g)
    if formula.form == SQUARED_GAIN:
        return squares_of_list(s, targets.gain[first:last], g)
    if formula.form == PAIRS:
        pairs = slice(targets.pair_pointer[i], targets.pair_pointer[i + 1])
        return pairs_of_list(s, targets.better[pairs], targets.worse[pairs], g)
    up = np.empty(len(s))
    if len(share):
        up[:] = share[first:last]
        value = 0.0
        for j in range(len(s)):
            value += up[j] * s[j]
        if not up.any():  # no hypothesis of this list is a hope: skipped, as without candidates
            value = -np.inf
    else:
        value = term_of_list(formula.up, s, c, reaches, up)
    if value == -np.inf:
        g[:] = 0.0
        return 0.0
    value = term_of_list(formula.down, s, c, reaches, g) - value
    g -= up
    return value
