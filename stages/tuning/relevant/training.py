"""Training on relevant sets in one call: packed sets, weights and a plan in, weights out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.stages.kernels.lists.formulas import SET_PERCEPTRON
from campanula.stages.kernels.relevant.records import EQUATION_7, PERCEPTRON, TABLE_II, Rule
from campanula.stages.tuning.losses import Loss
from campanula.stages.tuning.plan import Plan
from campanula.stages.tuning.regularised import LATER, finite_objective, nothing
from campanula.stages.tuning.relevant.relevant_objective import RelevantObjective
from campanula.stages.tuning.relevant.relevant_sets import RelevantSets
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.solvers.online import OnlineSettings, shrink_of
from campanula.stages.tuning.solvers.solver import Solution

AT_START = "at the start: numbers too large"


@dataclass(frozen=True, slots=True)
class Trained:
    """New weights w (n_features,), the objective at the start and at w, and the number of updates.

    An update is a visit to a sentence that moved a weight, in any epoch.
    """

    w: Floats
    before: float
    objective: float
    updates: int


def wants_apart(plan: Plan) -> bool:
    """Whether the plan's update leaves out alternatives that equal a truth."""
    return update_of(plan.loss, plan.solver_settings) == EQUATION_7


def update_of(loss: Loss, settings: OnlineSettings) -> int:
    """Return the update of a loss: TABLE_II, EQUATION_7 or PERCEPTRON."""
    if loss.form == SET_PERCEPTRON:
        return PERCEPTRON
    return TABLE_II if settings.update == "table2" else EQUATION_7


def train(
    data: RelevantSets,
    theta: Floats,
    limits: Restraints,
    plan: Plan,
    *,
    kept: Flags | None = None,
    after: Callable[[Floats], None] = nothing,
) -> Trained:
    """Train from theta (n_features,) on; weights that are not free in `limits` do not move.

    kept (n_features,): mask of the weights that are not held at 0 (default: all); after: called
    with the weights after each epoch.  Raises Misfit for settings that do not go together,
    DataError for scores that overflow, under the weights at the start or at the end.
    """
    settings: OnlineSettings = plan.solver_settings
    update = update_of(plan.loss, settings)
    shrink = shrink_of(update, settings.eta, settings.lambda_)
    rule = Rule(update, settings.printed_sign, settings.eta, shrink)
    if kept is not None:
        theta = np.where(kept, theta, 0.0)
        before_kept, limits = limits, limits.keeping(kept)
        limits.refuse_none_free(before_kept)
    data.refuse_infinite(theta, "the initial weights")
    objective = RelevantObjective(data, rule, settings.lambda_, limits, after)
    with np.errstate(all="ignore"):  # what overflows is refused by name
        before = finite_objective(objective.value(theta), data.path, AT_START)
        last: Solution = plan.solver.function(objective, theta, settings)
        data.refuse_infinite(last.theta, "the new weights")
        value = finite_objective(objective.value(last.theta), data.path, LATER)
    # the history of `online` has numbers of updates, not values of the objective
    return Trained(last.theta, before, value, int(sum(last.history)))
