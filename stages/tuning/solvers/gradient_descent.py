"""SGD and diagonal AdaGrad: (sub)gradient descent in batches of lists, for every loss.

After a batch, theta -= rate * gradient; then L2 and L1 by an exact backward step (FOBOS; Duchi and
Singer 2009), then the bounds.  The rate is eta (W15 Eq. 3), or eta / sqrt(sum of squared gradients)
(W15 Eq. 4, 5; Duchi et al. 2011).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.tuning import own_losses
from campanula.stages.tuning.objective import Objective, Problem
from campanula.stages.tuning.solvers.orders import orders
from campanula.stages.tuning.solvers.solver import Solution, Solver


@dataclass(frozen=True, slots=True)
class DescentSettings:
    """epochs: passes over the lists; batch_size: lists a step, 0 for all; shuffle: their order."""

    epochs: int = 5
    eta: float = 1e-4
    batch_size: int = 1
    shuffle: bool = False
    seed: int = 1


def sgd(objective: Objective, theta: Floats, settings: DescentSettings) -> Solution:
    """(Sub)gradient descent in batches with a fixed step size."""
    return _descend(objective, theta, settings, adaptive=False)


def adagrad(objective: Objective, theta: Floats, settings: DescentSettings) -> Solution:
    """Diagonal AdaGrad in batches."""
    return _descend(objective, theta, settings, adaptive=True)


def _descend(
    objective: Objective, theta: Floats, settings: DescentSettings, adaptive: bool
) -> Solution:
    from campanula.stages.kernels.solvers import descent

    n, limits = objective.data.n_lists, objective.limits
    batch = n if settings.batch_size == 0 else min(settings.batch_size, n)
    steps = descent.Steps(
        settings.eta, adaptive, batch, objective.C, objective.L1,
        objective.center, limits.free, limits.low, limits.high,
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
        descent.settle(theta, n, steps, state)
        history.append(objective.value(theta))
    return Solution(theta, history)


SGD = Solver(sgd, DescentSettings, L1=True)
ADAGRAD = Solver(adagrad, DescentSettings, L1=True)
