"""Solvers: they minimise an objective and know nothing of what its numbers mean.

Each takes the objective with its concave part fixed (the hopes), starts from theta, and returns the
new theta.  `cccp` wraps them: impute the hopes, solve the convex rest, again and again (Yuille and
Rangarajan 2002; lines 4-15 of Gimpel & Smith's Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from formats.columns import Floats
from stages.objective import Objective
from stages.tuning_set import Hopes


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set: epochs T'' and step size eta."""

    epochs: int
    eta: float


@dataclass(frozen=True, slots=True)
class Solution:
    """Weights (n_features,), the objective there, and why the solver stopped."""

    theta: Floats
    objective: float
    reason: str


Solver = Callable[[Objective, Floats, Hopes, Settings], Floats]


def ssd(objective: Objective, theta: Floats, hopes: Hopes, settings: Settings) -> Floats:
    """Stochastic subgradient descent, sentence by sentence in order (Algorithm 1, lines 8-14)."""
    from stages.kernels import descent

    return descent.ssd(
        objective.lists,
        theta,
        objective.center,
        objective.cost,
        objective.reaches,
        objective.loss.down,
        hopes.pointer,
        hopes.place,
        hopes.weight,
        settings.epochs,
        settings.eta,
        objective.C,
    )


SOLVERS: dict[str, Solver] = {"ssd": ssd}


def cccp(
    objective: Objective,
    theta: Floats,
    solver: Solver,
    settings: Settings,
    iterations: int,
    hopes: Hopes | None = None,
) -> Iterator[Solution]:
    """Yield the solution after each CCCP iteration; hopes that are given serve the first."""
    for iteration in range(iterations):
        known = hopes if hopes is not None and iteration == 0 else objective.impute(theta)
        theta = solver(objective, theta, known, settings)
        yield Solution(theta, objective.value(theta), "iterations done")
