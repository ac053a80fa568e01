"""A loss over all lists with its regularisation: what solvers know of what they minimise.

    sum_i loss_i(theta)  +  (C / 2) |theta - center|^2  +  L1 |theta|_1

(Gimpel & Smith 2012, section 3.1 and footnote 6: L2 toward theta0, not 0.)  A loss that is no sum
over lists stands for the sum.  Only weights that are free are regularised.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.tuning.blocks import over_blocks

if TYPE_CHECKING:
    from campanula.stages.tuning.hopes import Hopes
    from campanula.stages.tuning.losses import Loss
    from campanula.stages.tuning.restraints import Restraints

T = TypeVar("T")
NONE = np.zeros(0)

Epoch = Callable[[Floats, float], float]
"""Steps that change u (n_features,) in place, given a; returns the new a."""

Watch = Callable[[Iterable[T]], Iterable[T]]


def nothing(theta: Floats) -> None:
    """What is done after an iteration unless somebody watches."""


def not_watched(items: Iterable[T]) -> Iterable[T]:
    """Pass on what a pass goes through, unless somebody watches."""
    return items


def unreached(reaches: Flags, list_pointer: Ints) -> int:
    """How many of consecutive lists have no hypothesis that reaches a reference."""
    return int((np.add.reduceat(reaches, list_pointer[:-1], dtype=int) == 0).sum())


class Regularised(ABC):
    """A loss over n_lists lists; center and varies have shape (n_features,).

    varies: what differs within a list, None for all; jobs: threads; after: called with theta after
    each iteration or epoch.
    """

    __slots__ = ()

    loss: Loss
    alpha: float
    center: Floats
    C: float
    L1: float
    limits: Restraints
    hopes: Hopes | None
    varies: Flags | None
    jobs: int
    after: Callable[[Floats], None]

    @property
    @abstractmethod
    def n_lists(self) -> int:
        """Number of lists."""

    @abstractmethod
    def impute(self, theta: Floats) -> Self:
        """The objective with its concave part replaced by the tangent at theta."""

    @abstractmethod
    def with_hopes(self, hopes: Hopes) -> Self:
        """The same with hopes that stay fixed."""

    @abstractmethod
    def subgradient_epoch(self, center: Floats, eta: float, shrink: float) -> Epoch:
        """RAMPION's steps on all lists in order, with theta as center + a u (kernels/solvers)."""

    @abstractmethod
    def skipped(self) -> int:
        """Lists that the loss passes over, since no hypothesis reaches a reference."""

    @abstractmethod
    def _loss(self, theta: Floats, gradient: Floats) -> float:
        """Loss of all lists; adds its gradient to `gradient`, unless that is empty."""

    def without_constants(self) -> Self:
        """The same where the weights of features that are constant within every list stay.

        L2 toward 0 would be all that moves these: away from what a decoder needs them for.
        """
        if self.varies is None:
            return self
        return self.keeping(self.varies)

    def keeping(self, kept: Flags) -> Self:
        """The same where only features that are marked in kept (n_features,) may move."""
        limits = replace(self.limits, free=self.limits.free * kept)
        return replace(self, limits=limits)  # type: ignore[type-var]

    def regularisation(self, theta: Floats) -> float:
        """L2 and L1 part at theta."""
        return self._l2(theta) + self.L1 * self.size(theta)

    def _l2(self, theta: Floats) -> float:
        if not self.C:
            return 0.0
        center, free = self.center, self.limits.free

        def of(block: slice) -> float:
            with np.errstate(over="ignore"):  # an objective that is not finite is refused
                distance = (theta[block] - center[block]) * free[block]
                return float(np.square(distance).sum())

        return 0.5 * self.C * sum(over_blocks(len(theta), of, self.jobs))

    def pull(self, theta: Floats, block: slice) -> Floats:
        """Gradient of the L2 part at theta of the features of a block, 0 where not free."""
        return self.C * (theta[block] - self.center[block]) * self.limits.free[block]

    def size(self, theta: Floats) -> float:
        """L1 norm of the free weights."""
        free = self.limits.free

        def of(block: slice) -> float:
            return float(np.abs(theta[block] * free[block]).sum())

        return sum(over_blocks(len(theta), of, self.jobs))

    def value(self, theta: Floats) -> float:
        """Objective at theta (n_features,)."""
        return self._loss(theta, NONE.copy()) + self.regularisation(theta)

    def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
        """Objective without L1, and its (sub)gradient (n_features,), 0 where not free."""
        gradient = np.zeros(len(theta))
        value = self._loss(theta, gradient)
        varies, free = self.varies, self.limits.free

        def finish(block: slice) -> None:
            own = gradient[block]
            own *= 1.0 if varies is None else varies[block]
            own *= free[block]
            own += self.pull(theta, block)

        over_blocks(len(theta), finish, self.jobs)
        return value + self._l2(theta), gradient

    def clip(self, theta: Floats) -> Floats:
        """Theta moved into the bounds, where it may move."""
        clipped = theta.copy()
        over_blocks(len(theta), lambda block: self.clip_block(clipped[block], block), self.jobs)
        return clipped

    def clip_block(self, own: Floats, block: slice) -> None:
        """Move the weights `own` of a block's features into the bounds, where they may move."""
        limits = self.limits
        inside = np.minimum(np.maximum(own, limits.low[block]), limits.high[block])
        np.copyto(own, inside, where=limits.free[block] > 0.0)
