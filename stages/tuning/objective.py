"""What `optimize` minimises: a loss over all lists, and regularisation.

    sum_i loss_i(theta)  +  (C / 2) |theta - center|^2  +  L1 |theta|_1

(Gimpel & Smith 2012, section 3.1 and footnote 6: L2 toward theta0, not 0.)  A loss that is no sum
over lists stands for the sum.  Only weights that are free are regularised.  With hopes, the concave
part of every loss_i is replaced by its tangent at the weights that they were imputed with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.stages.kernels.lists.formulas import CORPUS, EXPECTED_GAIN, PAIRS, Targets
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.metrics.metric import Metric
from campanula.stages.tuning.chunks import Chunk
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.losses import Loss
from campanula.stages.tuning.own_losses import OwnProblem, add_losses
from campanula.stages.tuning.pairs import PAPER, Sampling, with_pairs
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.tuning_set import TuningSet

NO_HOPES = Hopes(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))
NONE = np.zeros(0)


class Problem(NamedTuple):
    """Some lists, what their losses know, and the hopes if they are imputed."""

    lists: Lists
    targets: Targets
    hopes: Hopes

    @property
    def share(self) -> Floats:
        """Hopes as the kernels of losses take them: shares (n_hyps,), or nothing."""
        return NONE if self.hopes is NO_HOPES else self.hopes.share(self.lists.list_pointer)


@dataclass(frozen=True, slots=True)
class Objective:
    """A loss over lists; center has shape (n_features,)."""

    data: TuningSet
    loss: Loss
    alpha: float
    center: Floats
    C: float
    L1: float
    limits: Restraints
    sampling: Sampling = PAPER
    hopes: Hopes | None = None
    targets: Targets | None = None
    varies: Floats | None = None

    def prepared(self) -> Objective:
        """The same with what stays worked out once: which features vary, and, in memory, targets.

        A feature that is constant within every list has no slope; without this it would have the
        rounding error of one, which some solvers follow.
        """
        if self.loss.form == EXPECTED_GAIN:
            self._check_gains()
        varies = None if self.loss.form == CORPUS else self._varying()
        resident = self.data.resident
        targets = None if resident is None else self._targets(resident)
        return replace(self, targets=targets, varies=varies)

    def _check_gains(self) -> None:
        """Raise DataError for a gain below 0: an expected gain has to have a logarithm."""
        for chunk in self.data.chunks():
            below = np.flatnonzero(chunk.gain < 0.0)
            if len(below):
                i = int(np.searchsorted(chunk.lists.list_pointer, below[0], "right")) - 1
                problem = "expected gains of at least 0, since their mean has a logarithm, found"
                problem += f" {chunk.gain[below[0]]:.6g} (the loss bayes-risk takes any)"
                raise DataError(display_name(self.data.path), f"sentence {chunk.sid[i]}", problem)

    def without_constants(self) -> Objective:
        """The same where the weights of features that are constant within every list stay.

        L2 toward 0 would be all that moves these: away from what a decoder needs them for.
        """
        if self.varies is None:
            return self
        limits = replace(self.limits, free=self.limits.free * self.varies)
        return replace(self, limits=limits)

    def _varying(self) -> Floats:
        from campanula.stages.kernels.lists.scores import mark_varying

        varies = np.zeros(len(self.center))
        for chunk in self.data.chunks():
            mark_varying(chunk.lists, varies)
        return varies

    def problems(self) -> Iterator[Problem]:
        """Yield the lists in order, all at once or chunk by chunk."""
        pairs = self.sampling.pairs_kept if self.loss.form == PAIRS else 0
        for chunk in self.data.chunks(pairs):
            hopes = NO_HOPES if self.hopes is None else self.hopes.of_chunk(chunk)
            yield Problem(chunk.lists, self._targets(chunk), hopes)

    def _targets(self, chunk: Chunk) -> Targets:
        if self.targets is not None:
            return self.targets
        targets = chunk.targets(self.alpha)
        if self.loss.form != PAIRS:
            return targets
        return with_pairs(targets, chunk.lists.list_pointer, chunk.sid, self.sampling)

    def whole(self) -> Problem:
        """All lists at once; they must be in memory."""
        (problem,) = self.problems()
        return problem

    def statistics(self) -> tuple[Lists, Ints, Metric]:
        """All lists, their statistics (n_hyps, n_stats), and the metric; they must be in memory.

        Raises DataError if the lists have no statistics.
        """
        metric, whole = self.data.metric, self.data.whole
        if whole.stats is None:
            raise self.data.no_statistics()
        return whole.lists, whole.stats, metric

    def regularisation(self, theta: Floats) -> float:
        """L2 and L1 part at theta."""
        return self._l2(theta) + self.L1 * self.size(theta)

    def _l2(self, theta: Floats) -> float:
        distance = (theta - self.center) * self.limits.free
        with np.errstate(over="ignore"):  # an objective that is not finite is refused
            return 0.5 * self.C * float(np.square(distance).sum()) if self.C else 0.0

    def pull(self, theta: Floats) -> Floats:
        """Gradient (n_features,) of the L2 part at theta, 0 where not free."""
        return self.C * (theta - self.center) * self.limits.free

    def size(self, theta: Floats) -> float:
        """L1 norm of the free weights."""
        return float(np.abs(theta * self.limits.free).sum())

    def value(self, theta: Floats) -> float:
        """Objective at theta (n_features,)."""
        return self._loss(theta, NONE.copy()) + self.regularisation(theta)

    def value_and_gradient(self, theta: Floats) -> tuple[float, Floats]:
        """Objective without L1, and its (sub)gradient (n_features,), 0 where not free."""
        gradient = np.zeros(len(theta))
        value = self._loss(theta, gradient)
        gradient *= 1.0 if self.varies is None else self.varies
        return value + self._l2(theta), gradient * self.limits.free + self.pull(theta)

    def _loss(self, theta: Floats, gradient: Floats) -> float:
        """Loss of all lists; adds its gradient to `gradient`, unless that is empty."""
        from campanula.stages.kernels.lists import list_losses

        if self.loss.form == CORPUS:
            return self._corpus_cost(theta)
        total = list_losses.no_loss()
        for problem in self.problems():
            if self.loss.function is not None:
                own = OwnProblem(problem.lists, problem.targets.cost, self.loss.function)
                add_losses(own, theta, total, gradient)
                continue
            list_losses.add_losses(
                problem.lists,
                theta,
                problem.targets,
                self.loss.formula,
                problem.share,
                total,
                gradient,
            )
        return list_losses.joined(total, self.loss.formula, gradient, self.data.n_lists)

    def _corpus_cost(self, theta: Floats) -> float:
        """1 - the corpus metric of the best outputs (G&S Eq. 3)."""
        from campanula.stages.kernels.lists.winners import winners

        total: Ints | int = 0
        for chunk in self.data.chunks():
            if chunk.stats is not None:
                total = total + chunk.stats[winners(chunk.lists, theta)].sum(axis=0)
        return 1.0 - float(self.data.metric.corpus_values(np.atleast_2d(total))[0])

    def impute(self, theta: Floats) -> Objective:
        """The objective with its concave part replaced by the tangent at theta."""
        from campanula.stages.kernels.lists import list_losses

        shares = (
            (p.lists.list_pointer, list_losses.impute(p.lists, theta, p.targets, self.loss.up))
            for p in self.problems()
        )
        return replace(self, hopes=Hopes.of(shares))

    def skipped(self) -> int:
        """Lists that the loss passes over, since no hypothesis reaches a reference."""
        if not self.loss.needs_references:
            return 0
        unreached = 0
        for lists, targets, _ in self.problems():
            reached = np.add.reduceat(targets.reaches, lists.list_pointer[:-1], dtype=int)
            unreached += int((reached == 0).sum())
        return unreached

    def clip(self, theta: Floats) -> Floats:
        """Theta moved into the bounds, where it may move."""
        inside = np.minimum(np.maximum(theta, self.limits.low), self.limits.high)
        return np.where(self.limits.free > 0.0, inside, theta)
