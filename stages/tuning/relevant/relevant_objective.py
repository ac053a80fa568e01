"""The objective of training on relevant sets: a loss of chosen pairs, and lambda |w|^2.

    (1/N) sum_i (1/K) sum_k max_{z' in V_rel - V_K} psi(w, z_k, z') + lambda |w|^2    (T&Z Eq. 5)

For the update of Eq. 7, psi is Eq. 4's (b - b') (1 - (s - s'))_+^2.  Table II's update descends on
the same with one truth, the best, and (b - b') (1 - (s - s')) as psi; Table III's on the
perceptron's s' - s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.relevant.records import Rule
from campanula.stages.tuning.blocks import over_blocks
from campanula.stages.tuning.regularised import nothing
from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.restraints import Restraints

Pass = Callable[[Ints], int]
"""Visits sentences in an order; returns how many of them moved a weight."""


@dataclass(frozen=True, slots=True)
class RelevantObjective:
    """Sets, the update with its step size, and the strength of L2 on free weights.

    after: called with the weights after each epoch.
    """

    data: RelevantSets
    rule: Rule
    penalty: float
    limits: Restraints
    after: Callable[[Floats], None] = nothing

    def value(self, w: Floats) -> float:
        """Return the objective at w (n_features,)."""
        from campanula.stages.kernels.relevant.online import room_of, total_of

        sets = self.data.sets
        free = self.limits.free
        u = self.data.packed.placed(w)
        total = float(total_of(sets, u, self.rule, room_of(sets))) / self.data.n_lists
        if not self.penalty:
            return total
        squares = over_blocks(len(w), lambda block: float(np.square(w[block] * free[block]).sum()))
        return total + self.penalty * sum(squares)
