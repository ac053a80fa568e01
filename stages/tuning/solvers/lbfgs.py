"""L-BFGS with bounds over the free weights (scipy's L-BFGS-B)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.regularised import Regularised
from campanula.stages.tuning.solvers.solver import DONE, Solution, Solver

REASONS = {0: "the gradient vanishes", 1: DONE, 2: "no step along the direction descends"}
"""Why the solver stopped, by scipy's status."""


@dataclass(frozen=True, slots=True)
class LbfgsSettings:
    """iterations: the most to take; tolerance: stop when no slope is larger."""

    iterations: int = 50
    tolerance: float = 1e-6


def lbfgs(objective: Regularised, theta: Floats, settings: LbfgsSettings) -> Solution:
    """Minimise a smooth objective over the weights that may move, from theta (n_features,).

    The history has a value for each evaluation of the objective, not for each iteration.
    """
    from scipy.optimize import Bounds, minimize

    limits = objective.limits
    # a weight whose bounds are equal has one possible value, which `clip` gives it below
    free = (limits.free > 0.0) & (limits.low < limits.high)
    theta = objective.clip(theta)
    if not free.any():
        return Solution(theta, [objective.value(theta)], "no weight may move")
    history: list[float] = []

    def value_at(x: Floats) -> tuple[float, Floats]:
        theta[free] = x
        value, gradient = objective.value_and_gradient(theta)
        history.append(value)
        return value, gradient[free]

    def after(x: Floats) -> None:
        # scipy's line search may have evaluated another point after the one it accepts
        theta[free] = x
        objective.after(theta)

    low = limits.low[free]
    high = limits.high[free]
    bounded = np.isfinite(low).any() or np.isfinite(high).any()
    bounds = Bounds(low, high) if bounded else None  # SciPy goes through bounds one by one
    # the slopes or maxiter are to end the search: ftol is off, maxfun and maxls are out of reach
    options = {"maxiter": settings.iterations, "ftol": 0.0, "gtol": settings.tolerance}
    options |= {"maxfun": 20 * settings.iterations + 100, "maxls": 50}
    start = theta[free].copy()
    result = minimize(
        value_at, start, jac=True, method="L-BFGS-B", bounds=bounds, callback=after, options=options
    )
    theta[free] = result.x
    return Solution(theta, [*history, float(result.fun)], REASONS[int(result.status)])


LBFGS = Solver(lbfgs, LbfgsSettings, smooth_only=True, shards=True)
