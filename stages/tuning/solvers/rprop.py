"""Resilient backpropagation, with the last step reverted on a change of sign (W15 section 4.2).

eta+ 1.2 and eta- 0.5 are the paper's; it does not give the first, smallest and largest step.
After a revert the gradient counts as 0 (Riedmiller and Braun 1993).  Taken literally, 4.2 keeps it:
the next sign change then reverts the revert, and the weight alternates between two points.  The
way `literal` does that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.blocks import over_blocks
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.regularised import Regularised
from campanula.stages.tuning.solvers.solver import Solution, Solver

FASTER, SLOWER = 1.2, 0.5
RESET, LITERAL = WAYS = ("reset", "literal")


@dataclass(frozen=True, slots=True)
class RpropSettings:
    """iterations: the most to take; tolerance: stop when no slope is larger.

    rprop: after a revert the gradient is remembered as 0 (`reset`) or as it is (`literal`).
    """

    iterations: int = 50
    tolerance: float = 1e-6
    rprop: str = RESET
    first_step: float = 1e-3
    smallest_step: float = 1e-7
    largest_step: float = 1.0


@dataclass(frozen=True, slots=True)
class _State:
    """Four arrays (n_features,): 32 bytes a feature, and 8 more for the gradient in a pass.

    before: theta before the last step; step: size of the next step; old: the last gradient.
    """

    theta: Floats
    before: Floats
    step: Floats
    old: Floats

    def move(self, objective: Regularised, gradient: Floats, settings: RpropSettings) -> None:
        """Take a step against the gradient (n_features,), in place."""
        smallest = settings.smallest_step
        largest = settings.largest_step

        def move_block(block: slice) -> None:
            theta, before, step, old = (
                array[block] for array in (self.theta, self.before, self.step, self.old)
            )
            slope = gradient[block]
            # signs first: the product of two small slopes may underflow to 0
            turn = np.sign(old) * np.sign(slope)
            factor = np.where(turn > 0, FASTER, np.where(turn < 0, SLOWER, 1.0))
            np.clip(factor * step, smallest, largest, out=step)
            moved = theta - np.sign(slope) * step
            objective.clip_block(moved, block)
            np.copyto(moved, before, where=turn < 0)  # the revert, instead of a step
            before[:] = theta
            theta[:] = moved
            old[:] = slope
            if settings.rprop == RESET:
                old[turn < 0] = 0.0

        over_blocks(len(gradient), move_block, objective.jobs)


def rprop(objective: Regularised, theta: Floats, settings: RpropSettings) -> Solution:
    """Minimise by steps along the sign of the gradient, with a step size for every weight."""
    if settings.smallest_step > settings.largest_step:
        found = f"found {settings.smallest_step:g} and {settings.largest_step:g}"
        raise Misfit(f"expected `smallest_step` at most `largest_step`, {found}")
    theta = objective.clip(theta)
    n = len(theta)
    state = _State(theta, theta.copy(), np.full(n, settings.first_step), np.zeros(n))
    history: list[float] = []
    for _ in range(settings.iterations):
        value, gradient = objective.value_and_gradient(theta)
        history.append(value)
        if _largest(gradient, objective.jobs) <= settings.tolerance:
            return Solution(theta, history, "the gradient vanishes")
        state.move(objective, gradient, settings)
        del gradient  # else the next pass would hold two, 8 bytes a feature each
        objective.after(theta)
    return Solution(theta, [*history, objective.value(theta)])


def _largest(gradient: Floats, jobs: int) -> float:
    """Return the largest absolute value of the gradient."""
    sizes = over_blocks(len(gradient), lambda block: np.abs(gradient[block]).max(), jobs)
    return float(max(sizes))


RPROP = Solver(rprop, RpropSettings, shards=True)
