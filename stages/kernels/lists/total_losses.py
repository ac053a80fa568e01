"""The losses of all lists: their sum and its gradient, compiled.

    value = sum_i loss_i,   gradient in theta = sum_i F_i^T g_i

with loss_i and the coefficients g_i of list_losses.py.  The form EXPECTED_GAIN has the value
-log mean_i e^(v_i) instead, with the lists' log gains v_i.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.formulas import EXPECTED_GAIN, Formula, Targets, Term
from campanula.stages.kernels.lists.list_losses import log_gain_of_list, loss_of_list, term_of_list
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.lists.scores import add_rows, score_list

SUM, HIGHEST = range(2)  # entries of a total


def no_loss() -> Floats:
    """Return the total (2,) of no lists: the sum, and the running maximum of EXPECTED_GAIN."""
    return np.array([0.0, -np.inf])


@njit(**LEAN)
def _add_expected_gains(
    lists: Lists, theta: Floats, gain: Floats, total: Floats, gradient: Floats, scratch: Floats
) -> None:
    """Do the work of add_losses for EXPECTED_GAIN; scratch (2, longest list) is overwritten.

    total[SUM] is the sum of e^(v_i - m) over the lists' log gains v_i, and total[HIGHEST] is m, the
    largest of them.
    """
    for i in range(len(lists.list_pointer) - 1):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        s, g = scratch[0, : last - first], scratch[1, : last - first]
        score_list(lists, i, theta, s)
        value = log_gain_of_list(s, gain[first:last], g)
        if value == -np.inf:
            continue
        # a new maximum rescales the sums so far: one pass over the data, and no overflow
        if value > total[HIGHEST]:
            gradient *= np.exp(total[HIGHEST] - value)
            total[SUM] *= np.exp(total[HIGHEST] - value)
            total[HIGHEST] = value
        scale = -np.exp(value - total[HIGHEST])
        total[SUM] -= scale
        if len(gradient):
            add_rows(lists, i, scale, g, gradient)


@njit(cache=True, nogil=True)
def add_losses(
    lists: Lists, theta: Floats, targets: Targets, formula: Formula, share: Floats, total: Floats,
    gradient: Floats,
) -> None:  # fmt: skip
    """Add the lists' losses to total, and their gradient to gradient unless that is empty."""
    longest = 0
    for i in range(len(lists.list_pointer) - 1):
        longest = max(longest, lists.list_pointer[i + 1] - lists.list_pointer[i])
    scratch = np.empty((2, longest))
    if formula.form == EXPECTED_GAIN:
        _add_expected_gains(lists, theta, targets.gain, total, gradient, scratch)
        return
    for i in range(len(lists.list_pointer) - 1):
        size = lists.list_pointer[i + 1] - lists.list_pointer[i]
        s, g = scratch[0, :size], scratch[1, :size]
        score_list(lists, i, theta, s)
        total[SUM] += loss_of_list(lists, i, targets, formula, share, s, g)
        if len(gradient):  # empty where the caller needs the value alone
            add_rows(lists, i, 1.0, g, gradient)


def joined(total: Floats, formula: Formula, gradient: Floats, n_lists: int) -> float:
    """Return the loss of all n lists from the total of add_losses.

    EXPECTED_GAIN divides the gradient by the sum, in place; it is infinite if no hypothesis has a
    gain.
    """
    if formula.form != EXPECTED_GAIN:
        return float(total[SUM])
    if total[SUM] == 0.0:
        return np.inf
    gradient /= total[SUM]
    return float(np.log(n_lists) - np.log(total[SUM]) - total[HIGHEST])


def total_loss(
    lists: Lists, theta: Floats, targets: Targets, formula: Formula, share: Floats, gradient: Floats
) -> float:
    """Return the loss of all lists; add its gradient to `gradient`, zeros, unless that is empty."""
    total = no_loss()
    add_losses(lists, theta, targets, formula, share, total, gradient)
    return joined(total, formula, gradient, lists.n_lists)


@njit(cache=True, nogil=True)
def impute(lists: Lists, theta: Floats, targets: Targets, term: Term) -> Floats:
    """Gradient (n_hyps,) of a term in the scores, list by list: the hopes of CCCP (lines 5-7)."""
    out = np.zeros(lists.list_pointer[-1])
    for i in range(len(lists.list_pointer) - 1):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        s = np.empty(last - first)
        score_list(lists, i, theta, s)
        c, reaches = targets.cost[first:last], targets.reaches[first:last]
        term_of_list(term, s, c, reaches, out[first:last])
    return out
