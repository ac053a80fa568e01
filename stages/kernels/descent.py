"""Descent over lists in order, compiled: RAMPION's SSD, and SGD and AdaGrad for every loss.

What one sentence needs stays in cache: its scores, its coefficients, and the few weights they move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from stages.kernels.list_losses import loss_of_list, term_of_list
from stages.kernels.lists import Floats, Index, Ints, Lists
from stages.kernels.losses import EXPECTED_GAIN, Loss, Targets, Term
from stages.kernels.scores import add_row, add_rows, score_list, score_lists

Mask = npt.NDArray[np.bool_]


@njit(cache=True, nogil=True)
def ssd(
    lists: Lists, theta: Floats, center: Floats, targets: Targets, term: Term, pointer: Ints,
    hope: Ints, mass: Floats, free: Floats, epochs: int, eta: float, C: float,
) -> Floats:  # fmt: skip
    """Lines 8-14 of Algorithm 1 (Gimpel & Smith 2012): epochs of SSD, sentences in order.

    For sentence i: the gradient of the down term (the fear, for a maximum) at the current theta;
    theta -= eta C (theta - center) / N; theta += eta (f_hope - f_fear).  Sentences without a hope
    are passed over.  Hopes of list i: pointer[i]:pointer[i + 1] of the places and their mass.  The
    shrinking must not touch every weight at every sentence, so theta is kept as center + a u, and
    scores as F center + a F u.  A feature that is not free stays at its center.  Returns theta.
    """
    n = len(lists.list_pointer) - 1
    base = score_lists(lists, center)
    u, a, shrink = theta - center, 1.0, 1.0 - eta * C / n
    for _ in range(epochs):
        for i in range(n):
            if pointer[i] == pointer[i + 1]:
                continue
            first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
            s, down = np.empty(last - first), np.empty(last - first)
            score_list(lists, i, u, s)
            for j in range(last - first):
                s[j] = base[first + j] + a * s[j]
            c, reaches = targets.cost[first:last], targets.reaches[first:last]
            term_of_list(term, s, c, reaches, down)
            a *= shrink
            if a < 1e-3:
                u *= a
                a = 1.0
            for h in range(pointer[i], pointer[i + 1]):
                add_row(lists, i, hope[h], eta / a * mass[h], free, u)
            for j in range(last - first):
                if down[j] != 0.0:
                    add_row(lists, i, j, -eta / a * down[j], free, u)
    return center + a * u


@njit(cache=True, nogil=True)
def touch(lists: Lists, i: Index, seen: Mask, ids: Ints, count: int) -> int:
    """Append the ids of list i that are not yet seen to ids[:count]; returns the new count."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    dense = slice(lists.dense_pointer[i], lists.dense_pointer[i + 1])
    sparse = slice(lists.sparse_pointer[first], lists.sparse_pointer[last])
    binary = slice(lists.binary_pointer[first], lists.binary_pointer[last])
    for part in (lists.dense_id[dense], lists.sparse_id[sparse], lists.binary_id[binary]):
        for f in part:
            if not seen[f]:
                seen[f] = True
                ids[count] = f
                count += 1
    return count


@njit(cache=True, nogil=True)
def regularise(x: float, center: float, steps: int, l2: float, l1: float) -> float:
    """The weight after so many backward steps of (l2 / 2) (x - center)^2 + l1 |x|.

    One step is x = shrink(x + l2 center, l1) / (1 + l2), which has no bias however long it is
    (FOBOS; Duchi and Singer 2009).  Only one of the two has a closed form; both go step by step.
    """
    if l1 == 0.0:
        return center + (x - center) * (1.0 + l2) ** -steps
    if l2 == 0.0:
        return float(np.sign(x) * max(abs(x) - steps * l1, 0.0))
    for _ in range(steps):
        before, moved = x, x + l2 * center
        x = np.sign(moved) * max(abs(moved) - l1, 0.0) / (1.0 + l2)
        if x == before:
            break
    return x


class Steps(NamedTuple):
    """How an epoch of descent steps: all features (n_features,) unless said."""

    eta: float
    adaptive: bool
    batch: int
    l2: float
    l1: float
    center: Floats
    free: Floats
    low: Floats
    high: Floats


@njit(cache=True, nogil=True)
def rate_of(steps: Steps, square: float) -> float:
    """Step size of a feature: eta, or AdaGrad's eta / sqrt(sum of its squared gradients).

    The sum starts at 1e-12, so that a feature without any gradient is regularised all the way.
    """
    return steps.eta / np.sqrt(square + 1e-12) if steps.adaptive else steps.eta


@njit(cache=True, nogil=True)
def descend(
    lists: Lists, theta: Floats, targets: Targets, loss: Loss, share: Floats, order: Ints,
    steps: Steps, square: Floats,
) -> None:  # fmt: skip
    """One epoch of (sub)gradient descent over the lists in the given order, in place.

    After every batch, for each feature it touched: theta -= rate * gradient, where rate is eta, or
    eta / sqrt(square) with square the sum of squared gradients (AdaGrad, diagonal: Duchi et al.
    2011; W15 Eq. 4, 5), then a backward step of L2 toward the center and of L1, then the bounds.
    Features that a batch does not touch catch up when they are touched next, or at the end.
    """
    n, n_features = len(order), len(theta)
    gradient, last_step = np.zeros(n_features), np.zeros(n_features, np.int64)
    seen, ids = np.zeros(n_features, np.bool_), np.empty(n_features, np.int64)
    step = 0
    for start in range(0, n, steps.batch):
        batch = order[start : start + steps.batch]
        count = 0
        for i in batch:
            count = touch(lists, i, seen, ids, count)
        for f in ids[:count]:
            seen[f] = False
            pull = rate_of(steps, square[f]) * len(batch) / n * steps.free[f]
            skipped = step - last_step[f]
            if skipped:
                theta[f] = regularise(
                    theta[f], steps.center[f], skipped, pull * steps.l2, pull * steps.l1
                )
        total, top = 0.0, -np.inf
        for i in batch:
            size = lists.list_pointer[i + 1] - lists.list_pointer[i]
            s, g = np.empty(size), np.empty(size)
            score_list(lists, i, theta, s)
            value, scale = loss_of_list(lists, i, targets, loss, share, s, g), 1.0
            if loss.form == EXPECTED_GAIN:
                if value == -np.inf:
                    continue
                if value > top:
                    for f in ids[:count]:
                        gradient[f] *= np.exp(top - value)
                    total *= np.exp(top - value)
                    top = value
                scale = -np.exp(value - top)
                total -= scale
            add_rows(lists, i, scale, g, gradient)
        step += 1
        for f in ids[:count]:
            slope = gradient[f] * steps.free[f] / (total if total > 0.0 else 1.0)
            gradient[f] = 0.0
            square[f] += slope * slope
            rate = rate_of(steps, square[f])
            pull = rate * len(batch) / n * steps.free[f]
            x = regularise(
                theta[f] - rate * slope, steps.center[f], 1, pull * steps.l2, pull * steps.l1
            )
            theta[f] = min(max(x, steps.low[f]), steps.high[f])
            last_step[f] = step
    for f in range(n_features):
        pull = rate_of(steps, square[f]) * steps.batch / n * steps.free[f]
        if step > last_step[f]:
            x = regularise(
                theta[f], steps.center[f], step - last_step[f], pull * steps.l2, pull * steps.l1
            )
            theta[f] = min(max(x, steps.low[f]), steps.high[f])
