"""What `optimize` minimises: a loss over all lists, and regularisation (regularised.py).

With hopes, the concave part of every loss_i is replaced by its tangent at the weights under which
the hopes were imputed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.lists.formulas import CORPUS, EXPECTED_GAIN, PAIRS, Targets
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.metrics.metric import Metric
from campanula.stages.tuning.chunks import Chunk
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.losses import Loss
from campanula.stages.tuning.own_losses import OwnProblem, add_losses
from campanula.stages.tuning.pairs import PAPER, PairSampling, paired_alone, with_pairs
from campanula.stages.tuning.regularised import NONE, Epoch, Regularised, nothing, unreached
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.tuning_set import TuningSet

NO_HOPES = Hopes(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))


class Problem(NamedTuple):
    """Consecutive lists, what losses read of them, and their hopes; NO_HOPES: none are imputed."""

    lists: Lists
    targets: Targets
    hopes: Hopes

    @property
    def share(self) -> Floats:
        """Shares (n_hyps,) of the hopes, as the loss kernels take them; (0,) without hopes."""
        # by identity: imputed hopes may be empty, too, if the loss skips every list
        return NONE if self.hopes is NO_HOPES else self.hopes.share(self.lists.list_pointer)


@dataclass(frozen=True, slots=True)
class Objective(Regularised):
    """A loss over lists that are in memory, or read again at every pass."""

    data: TuningSet
    loss: Loss
    alpha: float
    center: Floats
    C: float
    L1: float
    limits: Restraints
    sampling: PairSampling = PAPER
    hopes: Hopes | None = None
    targets: Targets | None = None
    paired: tuple[Problem, ...] | None = None
    varies: Flags | None = None
    jobs: int = 1
    after: Callable[[Floats], None] = nothing

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return self.data.n_lists

    def prepared(self) -> Objective:
        """Return the objective with what never changes computed once: varies, targets, and pairs.

        The targets are those of lists in memory.  A loss of pairs keeps the hypotheses of sampled
        pairs, and reads the lists no more.  A feature that is constant within every list has slope
        0; computed, it is a rounding error instead, which some solvers would follow.
        """
        if self.loss.form == EXPECTED_GAIN:
            self.data.refuse_gains_below_0()
        # no gradient, or one that depends on constant features, too
        all_vary = self.loss.form == CORPUS or self.loss.is_absolute
        if self.loss.form == PAIRS:
            paired = replace(self, paired=tuple(self._paired()))
            return replace(paired, varies=paired._varying())
        varies = None if all_vary else self._varying()
        resident = self.data.resident
        # of lists that are read again, targets kept for all would take the memory that is spared
        targets = None if resident is None else self._targets(resident)
        return replace(self, targets=targets, varies=varies)

    def _paired(self) -> Iterator[Problem]:
        """Yield the lists with only the hypotheses of sampled pairs, which stay in memory."""
        for chunk in self.data.chunks(self.sampling.pairs_kept):
            targets = chunk.targets(self.alpha)
            targets = with_pairs(targets, chunk.lists.list_pointer, chunk.sid, self.sampling)
            yield Problem(*paired_alone(chunk.lists, targets), NO_HOPES)

    def _varying(self) -> Flags:
        """Return the mask (n_features,) of the features that vary within some list."""
        from campanula.stages.kernels.lists.varying import mark_varying

        varies = np.zeros(len(self.center), np.bool_)
        for part in self.data.chunks() if self.paired is None else self.paired:
            mark_varying(part.lists, varies)
        return varies

    def problems(self) -> Iterator[Problem]:
        """Yield the lists in order: all in one problem, or a problem for each chunk."""
        if self.paired is not None:
            yield from self.paired
            return
        for chunk in self.data.chunks():
            hopes = NO_HOPES if self.hopes is None else self.hopes.of_chunk(chunk)
            yield Problem(chunk.lists, self._targets(chunk), hopes)

    def _targets(self, chunk: Chunk) -> Targets:
        if self.targets is not None:
            return self.targets
        return chunk.targets(self.alpha)

    def whole(self) -> Problem:
        """Return all lists as one problem; they must be in memory."""
        # settings refuse `stream` for solvers that ask, so several chunks are a bug
        (problem,) = self.problems()  # raises ValueError for several chunks
        return problem

    def statistics(self) -> tuple[Lists, Ints, Metric]:
        """Return all lists, their statistics (n_hyps, n_stats), and the metric.

        The lists must be in memory.  Raises DataError if they have no statistics.
        """
        metric = self.data.metric
        whole = self.data.whole
        if whole.stats is None:
            raise self.data.no_statistics()
        return whole.lists, whole.stats, metric

    def _loss(self, theta: Floats, gradient: Floats) -> float:
        """Return the loss of all lists; add its gradient to `gradient` unless that is empty."""
        from campanula.stages.kernels.lists import total_losses

        if self.loss.form == CORPUS:
            return self._corpus_cost(theta)
        total = total_losses.no_loss()
        for problem in self.problems():
            if self.loss.function is not None:
                own = OwnProblem(problem.lists, problem.targets.cost, self.loss.function)
                add_losses(own, theta, total, gradient)
                continue
            total_losses.add_losses(
                problem.lists,
                theta,
                problem.targets,
                self.loss.formula,
                problem.share,
                total,
                gradient,
            )
        return total_losses.joined(total, self.loss.formula, gradient, self.data.n_lists)

    def _corpus_cost(self, theta: Floats) -> float:
        """Return 1 - the corpus metric of the best-scoring hypotheses (G&S Eq. 3)."""
        from campanula.stages.kernels.lists.winners import winners

        total: Ints | int = 0
        for chunk in self.data.chunks():
            if chunk.stats is not None:
                total = total + chunk.stats[winners(chunk.lists, theta)].sum(axis=0)
        return 1.0 - float(self.data.metric.corpus_values(np.atleast_2d(total))[0])

    def impute(self, theta: Floats) -> Objective:
        """Return the objective with its concave part replaced by the tangent at theta."""
        from campanula.stages.kernels.lists import total_losses

        shares = (
            (p.lists.list_pointer, total_losses.impute(p.lists, theta, p.targets, self.loss.up))
            for p in self.problems()
        )
        return self.with_hopes(Hopes.of(shares))

    def with_hopes(self, hopes: Hopes) -> Objective:
        """Return the objective with these hopes held fixed."""
        return replace(self, hopes=hopes)

    def subgradient_epoch(self, center: Floats, eta: float, shrink: float) -> Epoch:
        """Return RAMPION's steps on all lists in order, with theta as center + a u.

        If the lists are in memory, their scores under the center are computed once.
        """
        from campanula.stages.kernels.lists.scores import score_lists
        from campanula.stages.kernels.solvers import descent

        free = self.limits.free
        term = self.loss.down
        resident = self.data.resident
        # of lists that are read again, scores kept for all would take the memory that is spared
        resident_base = None if resident is None else score_lists(resident.lists, center)

        def epoch(u: Floats, a: float) -> float:
            for lists, targets, hopes in self.problems():
                base = score_lists(lists, center) if resident_base is None else resident_base
                imputed = descent.Imputed(hopes.pointer, hopes.place, hopes.weight)
                inner = descent.SubgradientProblem(lists, targets, term, imputed, base)
                a = descent.ssd(inner, u, a, free, eta, shrink)
            return a

        return epoch

    def skipped(self) -> int:
        """Return the number of lists the loss skips, since no hypothesis reaches a reference."""
        if not self.loss.needs_references:
            return 0
        return sum(unreached(p.targets.reaches, p.lists.list_pointer) for p in self.problems())
