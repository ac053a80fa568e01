"""What `optimize` minimises: a loss over all lists, and regularisation.

    sum_i loss_i(theta)  +  (C / 2) |theta - center|^2  +  L1 |theta|_1

(Gimpel & Smith 2012, section 3.1 and footnote 6: L2 toward theta0, not 0.)  With hopes, the concave
part of every loss_i is replaced by its tangent at the weights that they were imputed with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from formats.columns import Floats
from stages.kernels.lists import Lists
from stages.kernels.losses import Loss, Targets
from stages.tuning.hopes import Hopes
from stages.tuning.restraints import Restraints

NO_SHARE = np.zeros(0)


@dataclass(frozen=True, slots=True)
class Objective:
    """A loss over lists; center has shape (n_features,)."""

    lists: Lists
    loss: Loss
    targets: Targets
    center: Floats
    C: float
    L1: float
    limits: Restraints
    hopes: Hopes | None = None

    @property
    def share(self) -> Floats:
        """Hopes as the kernels take them: shares (n_hyps,), or nothing."""
        return NO_SHARE if self.hopes is None else self.hopes.share

    def regularisation(self, theta: Floats) -> float:
        """L2 and L1 part at theta."""
        l2 = 0.5 * self.C * np.square(theta - self.center).sum()
        return float(l2 + self.L1 * np.abs(theta).sum())

    def value(self, theta: Floats) -> float:
        """Objective at theta (n_features,)."""
        from stages.kernels import list_losses

        part = self.lists, theta, self.targets, self.loss, self.share, NO_SHARE.copy()
        return float(list_losses.total_loss(*part)) + self.regularisation(theta)

    def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
        """Objective without L1, and its (sub)gradient (n_features,), 0 where not free."""
        from stages.kernels import list_losses

        gradient = np.zeros(len(theta))
        part = self.lists, theta, self.targets, self.loss, self.share, gradient
        value = float(list_losses.total_loss(*part))
        distance = theta - self.center
        gradient += self.C * distance
        return value + 0.5 * self.C * float(np.square(distance).sum()), gradient * self.limits.free

    def impute(self, theta: Floats) -> Objective:
        """The objective with its concave part replaced by the tangent at theta."""
        from stages.kernels import list_losses

        share = list_losses.impute(self.lists, theta, self.targets, self.loss.up)
        return replace(self, hopes=Hopes(share))

    def skipped(self) -> int:
        """Lists that the loss passes over, since no hypothesis reaches a reference."""
        if not self.loss.needs_references:
            return 0
        reached = np.add.reduceat(self.targets.reaches, self.lists.list_pointer[:-1], dtype=int)
        return int((reached == 0).sum())

    def clip(self, theta: Floats) -> Floats:
        """Theta moved into the bounds."""
        return np.minimum(np.maximum(theta, self.limits.low), self.limits.high)
