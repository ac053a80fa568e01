"""Resilient backpropagation, with the last step reverted on a change of sign (W15 section 4.2).

eta+ 1.2 and eta- 0.5 as there; where steps start and within what they stay the paper does not say.
After a revert the gradient counts as 0 (Riedmiller and Braun 1993): to the letter of 4.2 the next
sign reverts the revert, and so on between two points; the way `literal` does that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.solvers.solver import Solution, Solver

FASTER, SLOWER = 1.2, 0.5
RESET, LITERAL = WAYS = ("reset", "literal")


@dataclass(frozen=True, slots=True)
class RpropSettings:
    """iterations at most; tolerance: the largest slope at the end.

    rprop: what is remembered of a gradient that had its step reverted, nothing or itself.
    """

    iterations: int = 50
    tolerance: float = 1e-6
    rprop: str = RESET
    first_step: float = 1e-3
    smallest_step: float = 1e-7
    largest_step: float = 1.0


def rprop(objective: Objective, theta: Floats, settings: RpropSettings) -> Solution:
    """Step by the sign of the gradient alone, every weight with its own step size."""
    if settings.smallest_step > settings.largest_step:
        raise Misfit("expected `smallest_step` at most `largest_step`")
    theta = objective.clip(theta)
    before = theta.copy()
    step = np.full(len(theta), settings.first_step)
    old = np.zeros(len(theta))
    history: list[float] = []
    for _ in range(settings.iterations):
        value, gradient = objective.value_and_gradient(theta)
        history.append(value)
        if np.abs(gradient).max() <= settings.tolerance:
            return Solution(theta, history, "the gradient vanishes")
        turn = np.sign(old) * np.sign(gradient)
        factor = np.where(turn > 0, FASTER, np.where(turn < 0, SLOWER, 1.0))
        step = np.clip(factor * step, settings.smallest_step, settings.largest_step)
        moved = objective.clip(theta - np.sign(gradient) * step)
        theta, before = np.where(turn < 0, before, moved), theta
        reset = (turn < 0) & (settings.rprop == RESET)
        old = np.where(reset, 0.0, gradient)
    return Solution(theta, [*history, objective.value(theta)])


RPROP = Solver(rprop, RpropSettings)
