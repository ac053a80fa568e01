"""What `optimize` minimises: the losses of all lists, and L2 toward a center.

    sum_i loss_i(theta)  +  (C / 2) |theta - center|^2

(Gimpel & Smith 2012, section 3.1 and footnote 6: regularised toward theta0, not 0.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.columns import Floats
from stages.kernels import descent
from stages.kernels.lists import Lists
from stages.kernels.losses import Loss
from stages.tuning_set import Hopes


@dataclass(frozen=True, slots=True)
class Objective:
    """A loss over lists: cost (n_hyps,), reaches (n_hyps,), center (n_features,)."""

    lists: Lists
    loss: Loss
    cost: Floats
    reaches: npt.NDArray[np.bool_]
    center: Floats
    C: float

    def value(self, theta: Floats) -> float:
        """Objective at theta (n_features,)."""
        losses = descent.evaluate(self.lists, theta, self.cost, self.reaches, self.loss)
        return float(losses.sum() + 0.5 * self.C * np.square(theta - self.center).sum())

    def impute(self, theta: Floats) -> Hopes:
        """Hopes of all lists: the concave parts' gradients at theta."""
        share = descent.impute(self.lists, theta, self.cost, self.reaches, self.loss.up)
        return Hopes.of(share, self.lists)
