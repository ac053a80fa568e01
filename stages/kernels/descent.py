"""Scores of hypotheses, losses of lists, and stochastic subgradient descent, compiled.

    s_ij = theta . f_ij        loss_i = -up(s_i, c_i) + down(s_i, c_i)        (losses.py)

What one sentence needs stays in cache: its scores are built feature by feature (vectorised
without changing the order of any sum), joined into a term, and the few rows that the term picks
are added to the weights.  Ties go to the lower index.  Everything here is one file because Numba's
cache does not notice changes in another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from stages.kernels.lists import Floats, Ints, Lists
from stages.kernels.losses import LSE, MIN_COST, REACHING, Loss, Term


@njit(cache=True, nogil=True)
def score_list(lists: Lists, i: int, theta: Floats, out: Floats) -> None:
    """Write theta . f of the hypotheses of list i to out[:n_i]: dense, sparse, binary in order."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    size = last - first
    out[:size] = 0.0
    start = lists.dense_start[i]
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        weight = theta[lists.dense_id[k]]
        column = lists.dense[start : start + size]
        for j in range(size):
            out[j] += weight * column[j]
        start += size
    for j in range(size):
        total = out[j]
        for e in range(lists.sparse_pointer[first + j], lists.sparse_pointer[first + j + 1]):
            total += theta[lists.sparse_id[e]] * lists.sparse_value[e]
        for e in range(lists.binary_pointer[first + j], lists.binary_pointer[first + j + 1]):
            total += theta[lists.binary_id[e]]
        out[j] = total


@njit(cache=True, nogil=True)
def score_lists(lists: Lists, theta: Floats) -> Floats:
    """Scores (n_hyps,) of all hypotheses under theta (n_features,)."""
    out = np.empty(lists.list_pointer[-1])
    for i in range(len(lists.list_pointer) - 1):
        score_list(lists, i, theta, out[lists.list_pointer[i] : lists.list_pointer[i + 1]])
    return out


@njit(cache=True, nogil=True)
def add_row(lists: Lists, i: int, j: int, scale: float, theta: Floats) -> None:
    """theta += scale * f of hypothesis j of list i."""
    first = lists.list_pointer[i]
    size = lists.list_pointer[i + 1] - first
    place = lists.dense_start[i] + j
    for k in range(lists.dense_pointer[i], lists.dense_pointer[i + 1]):
        theta[lists.dense_id[k]] += scale * lists.dense[place]
        place += size
    for e in range(lists.sparse_pointer[first + j], lists.sparse_pointer[first + j + 1]):
        theta[lists.sparse_id[e]] += scale * lists.sparse_value[e]
    for e in range(lists.binary_pointer[first + j], lists.binary_pointer[first + j + 1]):
        theta[lists.binary_id[e]] += scale


@njit(cache=True, nogil=True)
def least_cost(score: Floats, cost: Floats) -> int:
    """Place of the least cost; ties by position."""
    best = 0
    for j in range(1, len(cost)):
        if cost[j] < cost[best]:
            best = j
    return best


@njit(cache=True, nogil=True)
def best_place(term: Term, score: Floats, cost: Floats, reaches: Any) -> int:
    """Place of the largest s + factor * c among the term's candidates; -1 if there are none."""
    if term.candidates == MIN_COST:
        return least_cost(score, cost)
    best, top = -1, -np.inf
    for j in range(len(score)):
        value = score[j] + term.factor * cost[j]
        if value > top and (term.candidates != REACHING or reaches[j]):
            best, top = j, value
    return best


@njit(cache=True, nogil=True)
def term_of_list(term: Term, score: Floats, cost: Floats, reaches: Any, weight: Floats) -> float:
    """Value of a term; writes its gradient in the scores (a distribution) to weight.

    -inf, and a zero gradient, when the term has no candidate.
    """
    weight[:] = 0.0
    best = best_place(term, score, cost, reaches)
    if best < 0:
        return -np.inf
    top: float = score[best] + term.factor * cost[best]
    if term.operator != LSE or term.candidates == MIN_COST:
        weight[best] = 1.0
        return top
    total = 0.0
    for j in range(len(score)):
        if term.candidates != REACHING or reaches[j]:
            weight[j] = np.exp(score[j] + term.factor * cost[j] - top)
            total += weight[j]
    weight /= total
    return float(top + np.log(total))


@njit(cache=True, nogil=True)
def evaluate(lists: Lists, theta: Floats, cost: Floats, reaches: Any, loss: Loss) -> Floats:
    """Loss of every list, (n_lists,); 0 for a list that the loss skips."""
    out = np.zeros(len(lists.list_pointer) - 1)
    for i in range(len(out)):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        score, weight = np.empty(last - first), np.empty(last - first)
        score_list(lists, i, theta, score)
        c, r = cost[first:last], reaches[first:last]
        up = term_of_list(loss.up, score, c, r, weight)
        if up > -np.inf:
            out[i] = term_of_list(loss.down, score, c, r, weight) - up
    return out


@njit(cache=True, nogil=True)
def impute(lists: Lists, theta: Floats, cost: Floats, reaches: Any, term: Term) -> Floats:
    """Gradient (n_hyps,) of a term in the scores, list by list: the hopes of CCCP (lines 5-7)."""
    out = np.zeros(lists.list_pointer[-1])
    for i in range(len(lists.list_pointer) - 1):
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        score = np.empty(last - first)
        score_list(lists, i, theta, score)
        term_of_list(term, score, cost[first:last], reaches[first:last], out[first:last])
    return out


@njit(cache=True, nogil=True)
def subgradient_step(
    lists: Lists,
    i: int,
    hope_pointer: Ints,
    hope: Ints,
    mass: Floats,
    down: Floats,
    step: float,
    u: Floats,
) -> None:
    """u += step * (F_i^T hope - F_i^T down) for the few rows that count."""
    for h in range(hope_pointer[i], hope_pointer[i + 1]):
        add_row(lists, i, hope[h], step * mass[h], u)
    for j in range(len(down)):
        if down[j] != 0.0:
            add_row(lists, i, j, -step * down[j], u)


@njit(cache=True, nogil=True)
def ssd(
    lists: Lists, theta: Floats, center: Floats, cost: Floats, reaches: Any, term: Term,
    hope_pointer: Ints, hope: Ints, mass: Floats, epochs: int, eta: float, C: float,
) -> Floats:  # fmt: skip
    """Lines 8-14 of Algorithm 1 (Gimpel & Smith 2012): epochs of SSD, sentences in order.

    For sentence i: the gradient of the down term (the fear, for a maximum) at the current theta;
    theta -= eta C (theta - center) / N; theta += eta (f_hope - f_fear).  Sentences without a hope
    are passed over.  The shrinking must not touch every weight at every sentence, so theta is kept
    as center + a u, and scores as F center + a F u.  Returns the last theta, (n_features,).
    """
    n = len(lists.list_pointer) - 1
    base = score_lists(lists, center)
    u, a, shrink = theta - center, 1.0, 1.0 - eta * C / n
    for _ in range(epochs):
        for i in range(n):
            if hope_pointer[i] == hope_pointer[i + 1]:
                continue
            first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
            score, down = np.empty(last - first), np.empty(last - first)
            score_list(lists, i, u, score)
            for j in range(last - first):
                score[j] = base[first + j] + a * score[j]
            term_of_list(term, score, cost[first:last], reaches[first:last], down)
            a *= shrink
            if a < 1e-3:
                u *= a
                a = 1.0
            subgradient_step(lists, i, hope_pointer, hope, mass, down, eta / a, u)
    return center + a * u
