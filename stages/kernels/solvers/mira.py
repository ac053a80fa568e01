"""One-best MIRA as dual coordinate ascent, compiled.

For the inner problem, hopes fixed,

    min_theta  (C/2) |theta - center|^2 + sum_i [ max_j (s_ij + c_ij) - share_i . s_i ],

theta = center + (1/C) sum_i F_i^T (share_i - alpha_i) with dual variables alpha_i, a distribution
over list i.  One step finds the fear j and moves alpha_i toward it as far as the dual gains,

    gamma = min(1, C (s_j + c_j - alpha_i . (s_i + c_i)) / |F_i^T (alpha_i - e_j)|^2),

which from alpha_i = share_i is MIRA's step min(1/C, loss / |f_hope - f_fear|^2) (Crammer et al.
2006; Martins et al. 2010; with alpha kept, Lacoste-Julien et al. 2013, Algorithm 4).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.formulas import Targets, Term
from campanula.stages.kernels.lists.list_losses import best_place
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.kernels.lists.scores import add_row, score_list


@njit(cache=True, nogil=True)
def pop_norm(lists: Lists, i: int, rows: Ints, direction: Floats) -> float:
    """Squared norm of direction over the features of the given rows; set direction to 0 there."""
    # a feature that several rows share is counted once, because it is 0 when it comes again
    total = 0.0
    first = lists.list_pointer[i]
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        total += direction[lists.dense_id[k]] ** 2
        direction[lists.dense_id[k]] = 0.0
    for j in rows:
        for e in range(lists.sparse_pointer[first + j], lists.sparse_pointer[first + j + 1]):
            total += direction[lists.sparse_id[e]] ** 2
            direction[lists.sparse_id[e]] = 0.0
        for e in range(lists.binary_pointer[first + j], lists.binary_pointer[first + j + 1]):
            total += direction[lists.binary_id[e]] ** 2
            direction[lists.binary_id[e]] = 0.0
    return total


class DualProblem(NamedTuple):
    """The inner problem of CCCP: the down term of lists with targets.

    share (n_hyps,): how much of its list's hope each hypothesis is.
    """

    lists: Lists
    targets: Targets
    term: Term
    share: Floats


@njit(cache=True, nogil=True)
def mira(
    problem: DualProblem, theta: Floats, alpha: Floats, order: Ints, free: Floats, C: float
) -> None:
    """Make one pass over the lists in the given order; change theta and alpha (n_hyps,) in place.

    Before the first pass alpha is share and theta is the center.  Lists without a hope are skipped.
    """
    lists, targets, term, share = problem
    direction = np.zeros(len(theta))
    for i in order:
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        if not share[first:last].any():
            continue
        s = np.empty(last - first)
        dual = alpha[first:last]
        c, reaches = targets.cost[first:last], targets.reaches[first:last]
        score_list(lists, i, theta, s)
        fear = best_place(term, s, c, reaches)
        gap = s[fear] + term.factor * c[fear]
        for j in range(last - first):
            gap -= dual[j] * (s[j] + term.factor * c[j])
        if gap <= 0.0:  # the dual cannot gain by this list
            continue
        # the few hypotheses with dual mass: the direction has no other features
        support = np.flatnonzero(dual)
        rows = np.append(support, fear)
        for h in support:
            add_row(lists, i, h, dual[h], free, direction)
        add_row(lists, i, fear, -1.0, free, direction)
        norm = pop_norm(lists, i, rows, direction)
        if norm == 0.0:  # no free feature differs, and no step changes the gap
            continue
        gamma = min(1.0, C * gap / norm)
        for h in support:
            add_row(lists, i, h, gamma / C * dual[h], free, theta)
        add_row(lists, i, fear, -gamma / C, free, theta)
        for h in support:
            dual[h] *= 1.0 - gamma
        dual[fear] += gamma
