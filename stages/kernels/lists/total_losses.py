"""The losses of all lists: their sum and its gradient, compiled.

    value = sum_i loss_i,   gradient in theta = sum_i F_i^T g_i

with loss_i and the coefficients g_i of list_losses.py.  Of EXPECTED_GAIN it is -log mean_i e^(v_i).
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lists.formulas import EXPECTED_GAIN, Formula, Targets, Term
from campanula.stages.kernels.lists.list_losses import log_gain_of_list, loss_of_list, term_of_list
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.lists.scores import add_rows, score_list


def no_loss() -> Floats:
    """What add_losses adds to: the sum, and the running maximum that EXPECTED_GAIN takes out."""
    return np.array([0.0, -np.inf])


@njit(**LEAN)
def _add_expected_gains(
    lists: Lists, theta: Floats, gain: Floats, total: Floats, gradient: Floats, room: Floats
) -> None:
    """What add_losses does for EXPECTED_GAIN, in room (2, longest list).

    The sum is of e^v of the lists' values v: a running maximum keeps the exponentials in range in
    one pass over the data.
    """
    for i in range(len(lists.list_pointer) - 1):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        s, g = room[0, : last - first], room[1, : last - first]
        score_list(lists, i, theta, s)
        value = log_gain_of_list(s, gain[first:last], g)
        if value == -np.inf:
            continue
        if value > total[1]:
            gradient *= np.exp(total[1] - value)
            total[0] *= np.exp(total[1] - value)
            total[1] = value
        scale = -np.exp(value - total[1])
        total[0] -= scale
        if len(gradient):
            add_rows(lists, i, scale, g, gradient)


@njit(cache=True, nogil=True)
def add_losses(
    lists: Lists, theta: Floats, targets: Targets, formula: Formula, share: Floats, total: Floats,
    gradient: Floats,
) -> None:  # fmt: skip
    """Add the lists' losses to total, and their gradient to gradient unless that is empty."""
    longest = np.int64(0)
    for i in range(len(lists.list_pointer) - 1):
        longest = max(longest, lists.list_pointer[i + 1] - lists.list_pointer[i])
    room = np.empty((2, longest))
    if formula.form == EXPECTED_GAIN:
        _add_expected_gains(lists, theta, targets.gain, total, gradient, room)
        return
    for i in range(len(lists.list_pointer) - 1):
        size = lists.list_pointer[i + 1] - lists.list_pointer[i]
        s, g = room[0, :size], room[1, :size]
        score_list(lists, i, theta, s)
        total[0] += loss_of_list(lists, i, targets, formula, share, s, g)
        if len(gradient):
            add_rows(lists, i, 1.0, g, gradient)


def joined(total: Floats, formula: Formula, gradient: Floats, n_lists: int) -> float:
    """Formula of all n lists: the sum, or -log mean_i e^(v_i), whose gradient is finished in place.

    Infinite for EXPECTED_GAIN if no hypothesis has a gain.
    """
    if formula.form != EXPECTED_GAIN:
        return float(total[0])
    if total[0] == 0.0:
        return np.inf
    gradient /= total[0]
    return float(np.log(n_lists) - np.log(total[0]) - total[1])


def total_loss(
    lists: Lists, theta: Floats, targets: Targets, formula: Formula, share: Floats, gradient: Floats
) -> float:
    """Formula of all lists at once; its gradient goes to gradient, zeros at first, unless empty."""
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
