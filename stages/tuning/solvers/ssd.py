"""Stochastic subgradient descent, sentence by sentence in order (G&S Algorithm 1, lines 8-14).

theta -= eta C (theta - center) / N;   theta += eta (f_hope - f_fear)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.solvers.solver import Solution, Solver


@dataclass(frozen=True, slots=True)
class SsdSettings:
    """T'' epochs and the step size; the paper's."""

    epochs: int = 5
    eta: float = 1e-4


def ssd(objective: Objective, theta: Floats, settings: SsdSettings) -> Solution:
    """Descend on the inner problem; theta is kept as center + a u (kernels/solvers/descent.py).

    F center is worked out once if it can stay.
    """
    from campanula.stages.kernels.lists.scores import score_lists
    from campanula.stages.kernels.solvers import descent

    if settings.eta * objective.C >= objective.data.n_lists:
        raise Misfit("`eta` times `C` must stay below the number of lists")
    shrink = 1.0 - settings.eta * objective.C / objective.data.n_lists
    free, term = objective.limits.free, objective.loss.down
    center = np.where(free > 0.0, objective.center, theta)
    resident_base: Floats | None = None
    u = theta - center
    a = 1.0
    for _ in range(settings.epochs):
        for lists, targets, hopes in objective.problems():
            base = score_lists(lists, center) if resident_base is None else resident_base
            if objective.data.resident is not None:
                resident_base = base
            imputed = descent.Imputed(hopes.pointer, hopes.place, hopes.weight)
            inner = descent.SubgradientProblem(lists, targets, term, imputed, base)
            a = descent.ssd(inner, u, a, free, settings.eta, shrink)
    return Solution(center + a * u)


SSD = Solver(ssd, SsdSettings, inner_only=True, bounds=False)
