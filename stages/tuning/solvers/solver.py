"""A solver: a function of an objective and weights, its settings, and what it can do.

A solver starts from theta and returns the new theta, the objective on the way, and why it stopped.
It moves the weights that are free in objective.limits, and keeps within the bounds there if its row
has `bounds`.  Its settings are a dataclass, which alone has the solver's defaults.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar

from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.lists.formulas import CORPUS, LSE
from campanula.stages.tuning.losses import LOSSES, Loss
from campanula.stages.tuning.regularised import Regularised

S = TypeVar("S")

DONE = "iterations done"
EVERYWHERE = ("seed", "jobs")  # settings that may be given with any solver


@dataclass(frozen=True, slots=True)
class Solution:
    """Weights (n_features,), the objective after each epoch or iteration, and why it stopped."""

    theta: Floats
    history: list[float] = field(default_factory=list)
    reason: str = DONE


@dataclass(frozen=True, slots=True)
class Solver(Generic[S]):
    """A row of the table: the function, the class of its settings, and what it can do."""

    function: Callable[[Any, Floats, S], Solution]  # of an Objective, or of any Regularised
    settings: type[S]
    inner_only: bool = False  # solves only the inner problem of CCCP
    smooth_only: bool = False
    hard_only: bool = False
    corpus: bool = False  # optimises or selects by the corpus metric
    own_loss: bool = False  # steps on a loss of its own, which --loss does not change
    needs_bleu: bool = False  # works on statistics of BLEU alone
    bounds: bool = True  # keeps weights within bounds
    L1: bool = False
    needs_C: str | None = None  # why it does nothing without L2
    streams: bool = True  # works when the lists are not all in memory
    shards: bool = False  # works on the shards of a collection
    iterates: bool = True  # calls objective.after with the weights of each iteration
    sets: bool = False  # works on relevant sets instead of lists

    def solve(self, objective: Regularised, theta: Floats, settings: S | None = None) -> Solution:
        """Minimise from theta (n_features,); settings: default the solver's own."""
        return self.function(objective, theta, self.settings() if settings is None else settings)

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the solver's settings, without seed and jobs."""
        return tuple(name for name in self.defaults if name not in EVERYWHERE)

    @property
    def defaults(self) -> dict[str, Any]:
        """Defaults of the solver's settings by name."""
        return {f.name: f.default for f in fields(self.settings)}  # type: ignore[arg-type]

    def mismatch(self, loss: Loss, imputed: bool) -> str | None:
        """Return why solver and loss do not go together, or None; imputed: CCCP runs the solver."""
        if self.sets != loss.of_sets:
            usual = LOSSES["costmargin"].solver
            return f"relevant sets go with {usual}, and {usual} with them alone"
        if self.corpus != (loss.form == CORPUS):
            usual = LOSSES["cost"].solver
            return f"the cost of a corpus goes with {usual}, and {usual} with it alone"
        if self.inner_only and not (loss.has_terms and imputed):
            return "the solver needs a loss with a concave part, and CCCP"
        smooth = loss.convex_part_smooth if imputed else loss.smooth
        if self.smooth_only and not smooth:
            return "the solver needs a smooth loss"
        if self.hard_only and loss.down.operator == LSE:
            return "the solver needs a hard maximum"
        return None
