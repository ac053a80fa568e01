"""Resilient backpropagation, with the last step reverted on a change of sign (W15 section 4.2).

eta+ 1.2 and eta- 0.5 as there; steps start at 1e-3 and stay in [1e-7, 1].  After a revert the
gradient counts as 0 (Riedmiller and Braun 1993), or the next sign would revert the revert.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.solvers.solver import Solution, Solver

FASTER, SLOWER = 1.2, 0.5
FIRST_STEP, LEAST_STEP, GREATEST_STEP = 1e-3, 1e-7, 1.0


@dataclass(frozen=True, slots=True)
class RpropSettings:
    """iterations at most; tolerance: the largest slope at the end."""

    iterations: int = 50
    tolerance: float = 1e-6


def rprop(objective: Objective, theta: Floats, settings: RpropSettings) -> Solution:
    """Step by the sign of the gradient alone, every weight with its own step size."""
    theta = objective.clip(theta)
    before = theta.copy()
    step = np.full(len(theta), FIRST_STEP)
    old = np.zeros(len(theta))
    history: list[float] = []
    for _ in range(settings.iterations):
        value, gradient = objective.value_and_gradient(theta)
        history.append(value)
        if np.abs(gradient).max() <= settings.tolerance:
            return Solution(theta, history, "the gradient vanishes")
        turn = old * gradient
        factor = np.where(turn > 0, FASTER, np.where(turn < 0, SLOWER, 1.0))
        step = np.clip(factor * step, LEAST_STEP, GREATEST_STEP)
        moved = objective.clip(theta - np.sign(gradient) * step)
        theta, before = np.where(turn < 0, before, moved), theta
        old = np.where(turn < 0, 0.0, gradient)
    return Solution(theta, [*history, objective.value(theta)])


RPROP = Solver(rprop, RpropSettings)
