"""A loss over all lists with its regularisation: the interface through which solvers see it.

    sum_i loss_i(theta)  +  (C / 2) |theta - center|^2  +  L1 |theta|_1

(Gimpel & Smith 2012, section 3.1 and footnote 6: L2 toward theta0, not 0.)  A loss that is no sum
over lists takes the place of the sum.  Only weights that are free are regularised.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.formats.errors import DataError
from campanula.stages.tuning.blocks import over_blocks

if TYPE_CHECKING:
    from campanula.stages.tuning.hopes import Hopes
    from campanula.stages.tuning.losses import Loss
    from campanula.stages.tuning.restraints import Restraints

T = TypeVar("T")
NONE = np.zeros(0)
LATER = "now: a smaller eta may help"  # of an objective that is not finite after a solver's work

Epoch = Callable[[Floats, float], float]
"""Steps that change u (n_features,) in place, given a; returns the new a."""

Watch = Callable[[Iterable[T]], Iterable[T]]
"""Wraps the items of a pass, for instance in a progress bar."""


def nothing(theta: Floats) -> None:
    """Do nothing after an iteration: the default of `after`."""


def not_watched(items: Iterable[T]) -> Iterable[T]:
    """Return the items of a pass as they are: the default of `watch`."""
    return items


def finite_objective(value: float, source: str, when: str) -> float:
    """Return an objective; raises DataError, with the file `source`, if it is not finite."""
    if not math.isfinite(value):
        raise DataError(source, None, f"expected a finite objective, found {value} {when}")
    return value


def unreached(reaches: Flags, list_pointer: Ints) -> int:
    """Return the number of lists without a hypothesis that reaches a reference.

    reaches (n_hyps,): which hypotheses do.
    """
    return int((np.add.reduceat(reaches, list_pointer[:-1], dtype=int) == 0).sum())


class Regularised(ABC):
    """A loss over n_lists lists; center and varies have shape (n_features,).

    varies: features whose values differ within some list, None for all features; jobs: threads;
    after: called with theta after each iteration or epoch.
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
        """Return the objective with its concave part replaced by the tangent at theta."""

    @abstractmethod
    def with_hopes(self, hopes: Hopes) -> Self:
        """Return the objective with these hopes held fixed."""

    @abstractmethod
    def subgradient_epoch(self, center: Floats, eta: float, shrink: float) -> Epoch:
        """Return RAMPION's steps on all lists in order, with theta as center + a u.

        See kernels/solvers/descent.py.  shrink: factor of a at each step.
        """

    @abstractmethod
    def skipped(self) -> int:
        """Return the number of lists the loss skips, since no hypothesis reaches a reference."""

    @abstractmethod
    def _loss(self, theta: Floats, gradient: Floats) -> float:
        """Return the loss of all lists; add its gradient to `gradient` unless that is empty."""

    def without_constants(self) -> Self:
        """Return the objective with the weights of features that never vary within a list frozen.

        The loss does not depend on these weights, so L2 toward 0 alone would move them, away from
        values that a decoder may need.
        """
        if self.varies is None:
            return self
        return self.keeping(self.varies)

    def keeping(self, kept: Flags) -> Self:
        """Return the objective with only the features marked in kept (n_features,) free."""
        return replace(self, limits=self.limits.keeping(kept))  # type: ignore[type-var]

    def regularisation(self, theta: Floats) -> float:
        """Return the L2 and L1 parts of the objective at theta."""
        return self._l2(theta) + self.L1 * self.size(theta)

    def _l2(self, theta: Floats) -> float:
        if not self.C:
            return 0.0
        center = self.center
        free = self.limits.free

        def squares(block: slice) -> float:
            with np.errstate(over="ignore"):  # the caller refuses an objective that is not finite
                distance = (theta[block] - center[block]) * free[block]
                return float(np.square(distance).sum())

        return 0.5 * self.C * sum(over_blocks(len(theta), squares, self.jobs))

    def pull(self, theta: Floats, block: slice) -> Floats:
        """Return the gradient of L2 at theta for a block of features, 0 where not free."""
        return self.C * (theta[block] - self.center[block]) * self.limits.free[block]

    def size(self, theta: Floats) -> float:
        """Return the L1 norm of the free weights."""
        free = self.limits.free

        def norm(block: slice) -> float:
            return float(np.abs(theta[block] * free[block]).sum())

        return sum(over_blocks(len(theta), norm, self.jobs))

    def value(self, theta: Floats) -> float:
        """Return the objective at theta (n_features,)."""
        return self._loss(theta, NONE.copy()) + self.regularisation(theta)

    def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
        """Return the objective without L1, and its (sub)gradient (n_features,), 0 where not free.

        Solvers take L1 as a backward step, so it is left out here.
        """
        gradient = np.zeros(len(theta))
        value = self._loss(theta, gradient)
        varies = self.varies
        free = self.limits.free

        def finish(block: slice) -> None:
            own = gradient[block]
            # a feature that never varies within a list has slope 0: drop its rounding error
            own *= 1.0 if varies is None else varies[block]
            own *= free[block]
            own += self.pull(theta, block)

        over_blocks(len(theta), finish, self.jobs)
        return value + self._l2(theta), gradient

    def clip(self, theta: Floats) -> Floats:
        """Return a copy of theta with its free weights moved into the bounds."""
        clipped = theta.copy()
        over_blocks(len(theta), lambda block: self.clip_block(clipped[block], block), self.jobs)
        return clipped

    def clip_block(self, own: Floats, block: slice) -> None:
        """Move the free weights of a block into the bounds; own: the block's weights, in place."""
        limits = self.limits
        inside = np.minimum(np.maximum(own, limits.low[block]), limits.high[block])
        np.copyto(own, inside, where=limits.free[block] > 0.0)
