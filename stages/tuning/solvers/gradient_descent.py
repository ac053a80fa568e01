"""SGD and diagonal AdaGrad: (sub)gradient descent on all lists at once, or in batches of lists.

On all lists, which is a step of W15 and the only one for a loss that is no sum over them, the
gradient is that of the whole objective, L2 and all:

    theta -= rate * gradient,    rate = eta (Eq. 3),  or eta / sqrt(G), G the sum of the squared
                                                      gradients so far (AdaGrad; Eq. 4, 5)

In batches L2 is an exact backward step after that of the loss (FOBOS; Duchi and Singer 2009), by
the batch's share of the lists; with `fobos` it is one on all lists, too.  L1 always is.  Then the
bounds.
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

NO_SQUARE = 1e-12  # G of what has had no gradient yet, so that L1 and a backward step of L2 move it


@dataclass(frozen=True, slots=True)
class DescentSettings:
    """epochs: passes over the lists; batch_size: lists a step, 0 for all; shuffle: their order.

    fobos: L2 by a backward step also where a step is on all lists.
    """

    epochs: int = 5
    eta: float = 1e-4
    batch_size: int = 1
    shuffle: bool = False
    fobos: bool = False
    seed: int = 1


def sgd(objective: Regularised, theta: Floats, settings: DescentSettings) -> Solution:
    """(Sub)gradient descent with a fixed step size."""
    return _descend(objective, theta, settings, adaptive=False)


def adagrad(objective: Regularised, theta: Floats, settings: DescentSettings) -> Solution:
    """Diagonal AdaGrad."""
    return _descend(objective, theta, settings, adaptive=True)


def _descend(
    objective: Regularised, theta: Floats, settings: DescentSettings, adaptive: bool
) -> Solution:
    in_batches = settings.batch_size > 0 and objective.loss.is_sum
    if not in_batches or not isinstance(objective, Objective):
        return _on_all_lists(objective, theta, settings, adaptive)
    return _in_batches(objective, theta, settings, adaptive)


def _on_all_lists(
    objective: Regularised, theta: Floats, settings: DescentSettings, adaptive: bool
) -> Solution:
    """Steps on all lists; of every feature theta, the gradient and `square` are held."""
    theta = objective.clip(theta)
    square = np.zeros(len(theta) if adaptive else 0)
    history: list[float] = []
    for _ in range(settings.epochs):
        value, slope = objective.value_and_gradient(theta)
        history.append(value + objective.L1 * objective.size(theta))
        _step(objective, theta, slope, square, settings)
        objective.after(theta)
    return Solution(theta, [*history[1:], objective.value(theta)])


def _step(
    objective: Regularised, theta: Floats, slope: Floats, square: Floats, settings: DescentSettings
) -> None:
    """Move theta against the slope, in place; AdaGrad's if there are squares."""
    C = objective.C if settings.fobos else 0.0

    def move(block: slice) -> None:
        own, down = theta[block], slope[block]
        if settings.fobos:
            down -= objective.pull(theta, block)
        rate = np.full(len(own), settings.eta)
        if len(square):
            square[block] += down * down
            G = square[block]
            rate = settings.eta / np.sqrt(np.where(G > 0.0, G, NO_SQUARE))
        pull = rate * objective.limits.free[block]
        l2, l1 = pull * C, pull * objective.L1
        moved = own - rate * down + l2 * objective.center[block]
        own[:] = np.sign(moved) * np.maximum(np.abs(moved) - l1, 0.0) / (1.0 + l2)
        objective.clip_block(own, block)

    over_blocks(len(theta), move, objective.jobs)


def _in_batches(
    objective: Objective, theta: Floats, settings: DescentSettings, adaptive: bool
) -> Solution:
    from campanula.stages.kernels.solvers import descent

    n, limits = objective.n_lists, objective.limits
    batch = min(settings.batch_size, n)
    steps = descent.DescentSteps(
        settings.eta, adaptive, batch, objective.C, objective.L1,
        objective.center, limits.free, *map(np.ascontiguousarray, (limits.low, limits.high)),
    )  # fmt: skip
    state = descent.new_state(len(theta))
    theta = objective.clip(theta)
    history: list[float] = []

    def pass_over(problem: Problem, order: Ints) -> None:
        lists, targets = problem.lists, problem.targets
        if objective.loss.function is not None:
            own = own_losses.OwnProblem(lists, targets.cost, objective.loss.function)
            own_losses.descend(own, theta, order, n, steps, state)
            return
        whole = descent.LossProblem(lists, targets, objective.loss.formula, problem.share)
        descent.descend(whole, theta, order, n, steps, state)

    for order in orders(n, settings.epochs, settings.shuffle, settings.seed):
        for problem in objective.problems():
            in_memory = problem.lists.n_lists == n
            pass_over(problem, order if in_memory else np.arange(problem.lists.n_lists))
        descent.settle(theta, batch / n, steps, state)
        history.append(objective.value(theta))
        objective.after(theta)
    return Solution(theta, history)


SGD = Solver(sgd, DescentSettings, L1=True, shards=True)
ADAGRAD = Solver(adagrad, DescentSettings, L1=True, shards=True)
