"""One-best MIRA as dual coordinate ascent on the inner problem; steps are at most 1 / C.

kernels/solvers/mira.py has the formulas and their sources.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.solvers.orders import orders
from campanula.stages.tuning.solvers.solver import Solution, Solver


@dataclass(frozen=True, slots=True)
class MiraSettings:
    """epochs: passes over the lists; shuffle: visit the lists in another order in each epoch."""

    epochs: int = 100
    shuffle: bool = False
    seed: int = 1


def mira(objective: Objective, theta: Floats, settings: MiraSettings) -> Solution:
    """Ascend the dual from the center; weights that are not free keep their value in theta."""
    from campanula.stages.kernels.solvers import mira as kernel

    problem = objective.whole()
    free = objective.limits.free
    theta = np.where(free > 0.0, objective.center, theta)
    share = problem.share
    inner = kernel.DualProblem(problem.lists, problem.targets, objective.loss.down, share)
    alpha = share.copy()  # dual variables (n_hyps,); at the hopes' shares theta is the center
    history: list[float] = []
    n_lists = objective.data.n_lists
    for order in orders(n_lists, settings.epochs, settings.shuffle, settings.seed):
        kernel.mira(inner, theta, alpha, order, free, objective.C)
        history.append(objective.value(theta))
        objective.after(theta)
    return Solution(theta, history)


MIRA = Solver(
    mira, MiraSettings, inner_only=True, hard_only=True, bounds=False, streams=False,
    needs_C="its steps are at most 1 / C",
)  # fmt: skip
