"""SGD and diagonal AdaGrad: (sub)gradient descent on all lists at once, or in batches of lists.

A step on all lists is that of W15, and the only one for a loss that is no sum over lists; its
gradient is that of the whole objective with L2:

    theta -= rate * gradient,    rate = eta (Eq. 3),  or eta / sqrt(G), G the sum of the squared
                                                      gradients so far (AdaGrad; Eq. 4, 5)

In batches, L2 is an exact backward step after the step of the loss (FOBOS; Duchi and Singer 2009),
scaled by the batch's share of the lists; with `fobos` a step on all lists does this, too.  L1 is
always such a backward step.  Then the weights are moved into their bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.tuning import own_losses
from campanula.stages.tuning.blocks import over_blocks
from campanula.stages.tuning.objective import Objective, Problem
from campanula.stages.tuning.regularised import Regularised
from campanula.stages.tuning.solvers.orders import orders
from campanula.stages.tuning.solvers.solver import Solution, Solver

# G of a feature that has had no gradient yet: not 0, so that L1 and backward L2 can move its weight
NO_SQUARE = 1e-12


@dataclass(frozen=True, slots=True)
class DescentSettings:
    """epochs: passes over the lists; batch_size: lists in a step, 0 for all lists.

    shuffle: visit the lists in another random order each epoch; fobos: L2 as a backward step also
    where a step is on all lists.
    """

    epochs: int = 5
    eta: float = 1e-4
    batch_size: int = 1
    shuffle: bool = False
    fobos: bool = False
    seed: int = 1


def sgd(objective: Regularised, theta: Floats, settings: DescentSettings) -> Solution:
    """Minimise by (sub)gradient descent with a fixed step size."""
    return _descend(objective, theta, settings, adaptive=False)


def adagrad(objective: Regularised, theta: Floats, settings: DescentSettings) -> Solution:
    """Minimise by diagonal AdaGrad: a step size for each feature, from its squared gradients."""
    return _descend(objective, theta, settings, adaptive=True)


def _descend(
    objective: Regularised, theta: Floats, settings: DescentSettings, adaptive: bool
) -> Solution:
    in_batches = settings.batch_size > 0 and objective.loss.is_sum
    # shards are passed over as a whole: Plan.refuse_shards refuses batches of them
    if not in_batches or not isinstance(objective, Objective):
        return _on_all_lists(objective, theta, settings, adaptive)
    return _in_batches(objective, theta, settings, adaptive)


def _on_all_lists(
    objective: Regularised, theta: Floats, settings: DescentSettings, adaptive: bool
) -> Solution:
    """Take one step an epoch, on all lists.

    Memory is three arrays (n_features,): theta, the gradient, and for AdaGrad `square`.
    """
    theta = objective.clip(theta)
    square = np.zeros(len(theta) if adaptive else 0)
    history: list[float] = []
    for _ in range(settings.epochs):
        value, slope = objective.value_and_gradient(theta)
        history.append(value + objective.L1 * objective.size(theta))
        _step(objective, theta, slope, square, settings)
        objective.after(theta)
    # history[0] is the objective before the first step; a solution has those after the steps
    return Solution(theta, [*history[1:], objective.value(theta)])


def _step(
    objective: Regularised, theta: Floats, slope: Floats, square: Floats, settings: DescentSettings
) -> None:
    """Move theta against the slope, in place: an AdaGrad step if `square` is not empty."""
    C = objective.C if settings.fobos else 0.0

    def move_block(block: slice) -> None:
        own = theta[block]
        down = slope[block]
        if settings.fobos:  # the gradient has L2, which is then a backward step below
            down -= objective.pull(theta, block)
        rate = np.full(len(own), settings.eta)
        if len(square):
            square[block] += down * down
            G = square[block]
            rate = settings.eta / np.sqrt(np.where(G > 0.0, G, NO_SQUARE))
        pull = rate * objective.limits.free[block]
        l2 = pull * C
        l1 = pull * objective.L1
        # backward step: argmin_x (x - moved)^2 / 2 + l2 (x - center)^2 / 2 + l1 |x|
        moved = own - rate * down + l2 * objective.center[block]
        own[:] = np.sign(moved) * np.maximum(np.abs(moved) - l1, 0.0) / (1.0 + l2)
        objective.clip_block(own, block)

    over_blocks(len(theta), move_block, objective.jobs)


def _in_batches(
    objective: Objective, theta: Floats, settings: DescentSettings, adaptive: bool
) -> Solution:
    """Take a step for every batch of lists."""
    from campanula.stages.kernels.solvers import descent

    n = objective.n_lists
    limits = objective.limits
    batch = min(settings.batch_size, n)
    steps = descent.DescentSteps(
        settings.eta, adaptive, batch, objective.C, objective.L1,
        objective.center, limits.free, *map(np.ascontiguousarray, (limits.low, limits.high)),
    )  # fmt: skip
    state = descent.new_state(len(theta))
    theta = objective.clip(theta)
    history: list[float] = []

    def pass_over(problem: Problem, order: Ints) -> None:
        lists = problem.lists
        targets = problem.targets
        if objective.loss.function is not None:
            own = own_losses.OwnProblem(lists, targets.cost, objective.loss.function)
            own_losses.descend(own, theta, order, n, steps, state)
            return
        loss = descent.LossProblem(lists, targets, objective.loss.formula, problem.share)
        descent.descend(loss, theta, order, n, steps, state)

    for order in orders(n, settings.epochs, settings.shuffle, settings.seed):
        for problem in objective.problems():
            # chunks of a stream are visited in order: settings refuse shuffling them
            in_memory = problem.lists.n_lists == n
            pass_over(problem, order if in_memory else np.arange(problem.lists.n_lists))
        # features that no batch had lately still owe the backward steps of L2 and L1
        descent.settle(theta, batch / n, steps, state)
        history.append(objective.value(theta))
        objective.after(theta)
    return Solution(theta, history)


SGD = Solver(sgd, DescentSettings, L1=True, shards=True)
ADAGRAD = Solver(adagrad, DescentSettings, L1=True, shards=True)
