"""Stochastic subgradient descent, sentence by sentence in order (G&S Algorithm 1, lines 8-14).

theta -= eta C (theta - center) / N;   theta += eta (f_hope - f_fear)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.regularised import Regularised, nothing
from campanula.stages.tuning.solvers.solver import Solution, Solver


@dataclass(frozen=True, slots=True)
class SsdSettings:
    """T'' epochs and the step size; the defaults are the paper's."""

    epochs: int = 5
    eta: float = 1e-4


def ssd(objective: Regularised, theta: Floats, settings: SsdSettings) -> Solution:
    """Descend on the inner problem; theta is kept as center + a u (kernels/solvers/descent.py).

    Shrinking theta - center then is one multiplication of a.  Raises Misfit if eta C reaches the
    number of lists, where a step would turn theta - center around.
    """
    if settings.eta * objective.C >= objective.n_lists:
        raise Misfit("`eta` times `C` must stay below the number of lists")
    shrink = 1.0 - settings.eta * objective.C / objective.n_lists
    center = np.where(objective.limits.free > 0.0, objective.center, theta)  # u is 0 where frozen
    u = theta - center
    a = 1.0
    epoch = objective.subgradient_epoch(center, settings.eta, shrink)
    for _ in range(settings.epochs):
        a = epoch(u, a)
        # else spare the array that theta would take in every epoch
        if objective.after is not nothing:
            objective.after(center + a * u)
    return Solution(center + a * u)


SSD = Solver(ssd, SsdSettings, inner_only=True, bounds=False, shards=True)
