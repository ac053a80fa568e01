"""CCCP (the concave-convex procedure) around any solver, for a loss with a concave part.

Each iteration imputes the hopes and solves the convex rest (Yuille and Rangarajan 2002; lines 4-15
of Gimpel & Smith's Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.regularised import Regularised
from campanula.stages.tuning.solvers.solver import Solution, Solver


def cccp(
    objective: Regularised, theta: Floats, solver: Solver[Any], settings: Any, iterations: int
) -> Iterator[Solution]:
    """Yield the solution of each CCCP iteration.

    An objective that has hopes already keeps them in every iteration.
    """
    for _ in range(iterations):
        inner = objective if objective.hopes is not None else objective.impute(theta)
        solution = solver.solve(inner, theta, settings)
        theta = solution.theta
        yield solution
