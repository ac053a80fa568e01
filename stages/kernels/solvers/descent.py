"""Descent over lists in order, compiled: RAMPION's SSD, and SGD and AdaGrad for every loss.

The scores and coefficients of one sentence, and the few weights that it changes, stay in the cache.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lists.formulas import Formula, Targets, Term
from campanula.stages.kernels.lists.list_losses import loss_of_list, term_of_list
from campanula.stages.kernels.lists.lists import Index, Lists
from campanula.stages.kernels.lists.scores import add_row, add_rows, score_list


class Imputed(NamedTuple):
    """Imputed hopes: those of list i are pointer[i]:pointer[i + 1] of place and mass.

    place counts from the start of the list; the masses of a list sum to 1.
    """

    pointer: Ints
    place: Ints
    mass: Floats


class SubgradientProblem(NamedTuple):
    """The inner problem of CCCP: the down term of lists with targets, whose hopes are imputed.

    base (n_hyps,): the scores under the center of the regularisation.
    """

    lists: Lists
    targets: Targets
    term: Term
    hopes: Imputed
    base: Floats


@njit(cache=True, nogil=True)
def shrunk(u: Floats, a: float, shrink: float) -> float:
    """Return the factor a of u times shrink; multiply u by a factor below 1e-3, and return 1."""
    a *= shrink
    if a < 1e-3:  # long before it underflows, but rarely: this passes over all of u
        u *= a
        a = 1.0
    return a


@njit(cache=True, nogil=True)
def ssd(
    problem: SubgradientProblem, u: Floats, a: float, free: Floats, eta: float, shrink: float
) -> float:
    """One epoch of lines 9-13 of Algorithm 1 (Gimpel & Smith 2012), sentences in order.

    For sentence i: the gradient of the down term (the fear, for a maximum) at the current theta;
    theta -= eta C (theta - center) / N; theta += eta (f_hope - f_fear).  A sentence without a hope
    has no loss, but still its share C / N of the regularisation.  The shrinking, 1 - eta C / N,
    must not touch every weight at every sentence, so theta is stored as center + a u, and scores as
    base + a F u, with base (n_hyps,) = F center.  Change u in place and return the new a.  A
    feature that is not free keeps its u, 0.
    """
    lists, targets, term, hopes, base = problem
    pointer = hopes.pointer
    for i in range(len(lists.list_pointer) - 1):
        if pointer[i] == pointer[i + 1]:
            a = shrunk(u, a, shrink)
            continue
        first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
        s, down = np.empty(last - first), np.empty(last - first)
        # F theta = F center + a F u: only F u changes, so F center is computed once
        score_list(lists, i, u, s)
        for j in range(last - first):
            s[j] = base[first + j] + a * s[j]
        c, reaches = targets.cost[first:last], targets.reaches[first:last]
        term_of_list(term, s, c, reaches, down)
        a = shrunk(u, a, shrink)
        own = slice(pointer[i], pointer[i + 1])
        # theta moves by eta where u moves by eta / a
        step_on_list(lists, i, hopes.place[own], hopes.mass[own], down, eta / a, free, u)
    return a


@njit(cache=True, nogil=True)
def step_on_list(
    lists: Lists, i: Index, place: Ints, mass: Floats, down: Floats, step: float, free: Floats,
    u: Floats,
) -> None:  # fmt: skip
    """u += step (f_hope - f_fear) of list i: hopes at places with masses, gradient `down`."""
    for h in range(len(place)):
        add_row(lists, i, place[h], step * mass[h], free, u)
    for j in range(len(down)):
        if down[j] != 0.0:  # of a maximum, all but one are 0
            add_row(lists, i, j, -step * down[j], free, u)


@njit(cache=True, nogil=True)
def touch(lists: Lists, i: Index, seen: Flags, ids: Ints, count: int) -> int:
    """Append the ids of list i that are not yet seen to ids[:count]; return the new count."""
    first, last = lists.list_pointer[i], lists.list_pointer[i + 1]
    dense = slice(lists.dense_pointer[i], lists.dense_pointer[i + 1])
    sparse = slice(lists.sparse_pointer[first], lists.sparse_pointer[last])
    binary = slice(lists.binary_pointer[first], lists.binary_pointer[last])
    for features in (lists.dense_id[dense], lists.sparse_id[sparse], lists.binary_id[binary]):
        for f in features:
            if not seen[f]:
                seen[f] = True
                ids[count] = f
                count += 1
    return count


@njit(cache=True, nogil=True)
def regularise(x: Any, center: Any, steps: int, l2: Any, l1: Any) -> float:
    """Return the weight after `steps` backward steps of (l2 / 2) (x - center)^2 + l1 |x|.

    One step is x = shrink(x + l2 center, l1) / (1 + l2), which has no bias however long a step is
    (FOBOS; Duchi and Singer 2009).
    """
    # each penalty alone has a closed form for many steps; both together need them one by one
    if l1 == 0.0:
        return float(center + (x - center) * (1.0 + l2) ** -steps)
    if l2 == 0.0:
        return float(np.sign(x) * max(abs(x) - steps * l1, 0.0))
    for _ in range(steps):
        before = x
        moved = x + l2 * center
        x = np.sign(moved) * max(abs(moved) - l1, 0.0) / (1.0 + l2)
        if x == before:  # a fixed point: the other steps would change nothing
            break
    return float(x)


class DescentSteps(NamedTuple):
    """Settings of descent; center, free, low and high are (n_features,).

    eta is the step size, adaptive whether AdaGrad divides it, batch the lists a step; l2 and l1
    weigh the penalties; low and high are the bounds of weights.
    """

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
def rate_of(steps: DescentSteps, square: Any) -> Any:
    """Step size of a feature: eta, or AdaGrad's eta / sqrt(sum of its squared gradients)."""
    # 1e-12, and not 0: a feature without any gradient is regularised by a large, finite step
    return steps.eta / np.sqrt(square + 1e-12) if steps.adaptive else steps.eta


class State(NamedTuple):
    """State of descent between steps, (n_features,) each; step (1,) counts the steps.

    square: the sum of squared gradients; last: the step after which a feature was last regularised;
    gradient and seen: working memory of a batch, zeros between batches.
    """

    square: Floats
    last: Ints
    gradient: Floats
    seen: Flags
    step: Ints


def new_state(n_features: int) -> State:
    """Return the state before the first step."""
    zeros = np.zeros(n_features, np.int64)
    none = np.zeros(n_features, np.bool_)
    return State(np.zeros(n_features), zeros, np.zeros(n_features), none, np.zeros(1, np.int64))


@njit(cache=True, nogil=True)
def catch_up(theta: Floats, f: Index, weight: float, steps: DescentSteps, state: State) -> None:
    """Regularise a feature for all steps since the last time; weight: a step's share of N."""
    skipped = state.step[0] - state.last[f]
    if skipped > 0:
        pull = rate_of(steps, state.square[f]) * weight * steps.free[f]
        x = regularise(theta[f], steps.center[f], skipped, pull * steps.l2, pull * steps.l1)
        bounded: Any = min(max(x, steps.low[f]), steps.high[f])
        # a weight that is not free keeps even a value outside its bounds
        theta[f] = bounded if steps.free[f] > 0.0 else theta[f]
        state.last[f] = state.step[0]


class LossProblem(NamedTuple):
    """Lists with targets, and the formula of their loss.

    share (n_hyps,) of the imputed hopes, (0,) without hopes.
    """

    lists: Lists
    targets: Targets
    formula: Formula
    share: Floats


@njit(cache=True, nogil=True)
def batch_gradient(problem: LossProblem, theta: Floats, batch: Ints, gradient: Floats) -> None:
    """Add the gradient of the loss of a batch of lists to gradient (n_features,)."""
    lists, targets, formula, share = problem
    for i in batch:
        size = lists.list_pointer[i + 1] - lists.list_pointer[i]
        s, g = np.empty(size), np.empty(size)
        score_list(lists, i, theta, s)
        loss_of_list(lists, i, targets, formula, share, s, g)
        add_rows(lists, i, 1.0, g, gradient)


@njit(cache=True, nogil=True)
def start_batch(
    lists: Lists, batch: Ints, theta: Floats, n: int, steps: DescentSteps, state: State, ids: Ints
) -> int:
    """Write the features of a batch to ids[:count], regularised up to the last step; return count.

    n: the number of all lists.
    """
    count = 0
    for i in batch:
        count = touch(lists, i, state.seen, ids, count)
    # scores of the batch are to be those of the regularised weights, so these catch up before it
    for f in ids[:count]:
        state.seen[f] = False
        catch_up(theta, f, steps.batch / n, steps, state)
    # a smaller batch regularises by less, so that no feature may take its step for a full one's
    if len(batch) < steps.batch:
        settle(theta, steps.batch / n, steps, state)
    return count


@njit(cache=True, nogil=True)
def take_step(
    theta: Floats, ids: Ints, n_batch: int, n: int, steps: DescentSteps, state: State
) -> None:
    """Make a step along the batch's gradient for the features ids, and set that gradient to 0.

    The batch has n_batch of the n lists, and that share of the regularisation.
    """
    state.step[0] += 1
    for f in ids:
        slope = state.gradient[f] * steps.free[f]
        state.gradient[f] = 0.0  # only these features: clearing all would cost n_features a batch
        state.square[f] += slope * slope  # before the step, which it divides (W15 Eq. 5)
        theta[f] -= rate_of(steps, state.square[f]) * slope
        catch_up(theta, f, n_batch / n, steps, state)
    if n_batch < steps.batch:
        settle(theta, n_batch / n, steps, state)


@njit(cache=True, nogil=True)
def settle(theta: Floats, weight: float, steps: DescentSteps, state: State) -> None:
    """Regularise every feature up to the last step; weight is a step's share of all lists."""
    for f in range(len(theta)):
        catch_up(theta, f, weight, steps, state)


@njit(cache=True, nogil=True)
def descend(
    problem: LossProblem, theta: Floats, order: Ints, n: int, steps: DescentSteps, state: State
) -> None:
    """(Sub)gradient descent over lists, of n in all, in the given order; changes theta and state.

    After every batch, for each feature it touched: theta -= rate * gradient, where rate is eta, or
    eta / sqrt(square) with square the sum of squared gradients (AdaGrad, diagonal: Duchi et al.
    2011; W15 Eq. 4, 5), then a backward step of L2 toward the center and of L1, by the batch's
    share of all lists, then the bounds.  Features that a batch does not touch catch up when they
    are touched next, or in `settle`.  The loss must be a sum over lists.
    """
    ids = np.empty(len(theta), np.int64)
    for start in range(0, len(order), steps.batch):
        batch = order[start : start + steps.batch]
        count = start_batch(problem.lists, batch, theta, n, steps, state, ids)
        batch_gradient(problem, theta, batch, state.gradient)
        take_step(theta, ids[:count], len(batch), n, steps, state)
