"""A loss and a solver that go together, with all settings filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from campanula.stages.kernels.lists.formulas import (
    DIFFERENCE,
    EXPECTED_GAIN,
    RISK,
    SQUARED_GAIN,
)
from campanula.stages.tuning.losses import ALPHA, LOSSES, Loss, refuse_unread_alpha
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.pairs import PAPER, PairSampling
from campanula.stages.tuning.solvers.solver import Solver
from campanula.stages.tuning.solvers.table import SOLVERS

if TYPE_CHECKING:
    from campanula.stages.tuning.settings import TuneSettings

BY_SHARDS = (DIFFERENCE, RISK, EXPECTED_GAIN, SQUARED_GAIN)
"""Forms of losses that have a kernel for shards (kernels/shards)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A loss, a solver with its settings, CCCP rounds around it (0: none), C, and the rest.

    tau is C / 2 where L2 is W15's tau |theta|^2, else None.
    """

    settings: TuneSettings
    loss_name: str
    loss: Loss
    solver_name: str
    solver: Solver[Any]
    solver_settings: Any
    rounds: int
    C: float
    tau: float | None = None
    sampling: PairSampling = PAPER

    @property
    def alpha(self) -> float:
        """Factor of the cost, c = alpha (1 - gain)."""
        return ALPHA if self.settings.alpha is None else self.settings.alpha

    def refuse(self, streamed: bool, references: bool) -> None:
        """Raise Misfit if loss, solver and settings do not go together.

        streamed: whether lists are read at every pass; references: whether there are any.
        """
        solver = self.solver
        name = f"`solver` {self.solver_name}"
        # first whether they are a pair at all: what follows is about the settings of one
        problem = solver.mismatch(self.loss, self.rounds > 0)
        if problem is not None:
            raise Misfit(f"`loss` {self.loss_name} with {name}: {problem}")
        self._refuse_unread()
        self._refuse_batches()
        if not self.loss.has_C and self.C:
            why = "has `lambda_` for that" if self.loss.of_sets else "does not regularise"
            raise Misfit(f"{name} {why}; drop `C`")
        if self.settings.printed_sign and self.solver_settings.update != "table2":
            raise Misfit("`printed_sign` is of `update` table2 alone; drop it")
        if self.settings.L1 and not solver.L1:
            have = " and ".join(other for other in SOLVERS if SOLVERS[other].L1)
            raise Misfit(f"{name} has no `L1`; {have} have")
        if self.settings.bounds and not solver.bounds:
            able = ", ".join(other for other in SOLVERS if SOLVERS[other].bounds)
            raise Misfit(f"{name} keeps no `bounds`; these solvers do: {able}")
        if streamed:
            self._refuse_streaming()
        if solver.needs_C is not None and not self.C:
            raise Misfit(f"{name} needs `C` above 0: {solver.needs_C}")
        if self.loss.needs_references and not references:
            problem = "needs `references`: which hypotheses reach it"
            raise Misfit(f"`loss` {self.loss_name} {problem}")

    def _refuse_unread(self) -> None:
        """Raise Misfit for a setting that neither the solver nor the loss reads."""
        of_solvers = {name for solver in SOLVERS.values() for name in solver.reads}
        of_losses = {name for loss in LOSSES.values() for name in loss.reads}
        unread = {
            f"`solver` {self.solver_name}": of_solvers - {*self.solver.reads},
            f"`loss` {self.loss_name}": of_losses - {*self.loss.reads},
        }
        alpha = self.settings.alpha
        if alpha is not None and self.solver.own_loss:
            raise Misfit(f"`solver` {self.solver_name} does not read `alpha`; drop it")
        refuse_unread_alpha(self.loss_name, self.loss, alpha)
        for reader, names in unread.items():
            for name in self.settings.values_of(sorted(names)):
                raise Misfit(f"{reader} does not read `{name}`; drop it")

    def _refuse_batches(self) -> None:
        """Raise Misfit for batches of a loss that is no sum, and for shuffling a step on all."""
        if "batch_size" not in self.solver.defaults:
            return
        size = self.solver_settings.batch_size
        name = f"`loss` {self.loss_name}"
        if size and not self.loss.is_sum:
            problem = "is no sum over lists, so a step is on all of them"
            raise Misfit(f"{name} {problem}; drop `batch_size`, or give 0")
        if not size and self.settings.shuffle:
            raise Misfit("a step is on all lists, which have no order then; drop `shuffle`")

    @property
    def goes_by_shards(self) -> bool:
        """Whether loss and solver can pass over shards."""
        return self.solver.shards and self.loss.form in BY_SHARDS

    def refuse_shards(self) -> None:
        """Raise Misfit for a loss, solver or batch size that needs all lists in memory."""
        if not self.goes_by_shards:
            name = f"`loss` {self.loss_name} with `solver` {self.solver_name}"
            raise Misfit(f"{name} needs all lists in memory, and these are in shards")
        if self.settings.batch_size:
            raise Misfit("a step is on all shards; drop `batch_size`, or give 0")

    def _refuse_streaming(self) -> None:
        """Raise Misfit for a solver, order or batch size that needs all lists at once."""
        if not self.solver.streams:
            problem = "needs all lists in memory; drop `stream`"
            raise Misfit(f"`solver` {self.solver_name} {problem}")
        if self.settings.shuffle:
            raise Misfit("`stream` passes over the lists in order; drop `shuffle`")
        if self.settings.batch_size not in (None, 0, 1):
            raise Misfit("`stream` steps on one list or on all of them; give `batch_size` 1 or 0")
