"""Tuning in one call: lists, weights and settings in, weights out.

    theta = argmin  sum_i loss(s_i, c_i) + (C/2) |theta - theta0|^2,    c_ij = alpha (1 - gain_ij)

For a loss with a strength tau, L2 is tau |theta - theta0|^2, with theta0 = 0 by default.
`optimize` does the same with files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.arrays.types import Flags, Floats
from campanula.formats.errors import DataError
from campanula.formats.records.kbest import KBest
from campanula.formats.weights import Weights
from campanula.stages.tuning.hopes import Hopes
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.plan import Plan
from campanula.stages.tuning.regularised import (
    LATER,
    Regularised,
    Watch,
    finite_objective,
    not_watched,
    nothing,
)
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.settings import TuneSettings
from campanula.stages.tuning.solvers.cccp import cccp
from campanula.stages.tuning.solvers.solver import Solution
from campanula.stages.tuning.tuning_set import TuningSet

if TYPE_CHECKING:
    from campanula.stages.tuning.sharded.sharded_objective import ShardedObjective
    from campanula.stages.tuning.sharded.sharded_set import ShardedSet

AT_START = "at the start: numbers too large, or no gain at all"

WatchRounds = Callable[[Iterable[Solution]], Iterable[Solution]]
"""Wraps the iterable of rounds, for instance in a progress bar."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The last round's solution, which has the new theta, and the objective on the way to it.

    history: the objective at the start and after each round (`last` has its own history, of the
    solver's iterations); skipped: how many lists the loss passes over.
    """

    history: list[float]
    last: Solution
    skipped: int

    @property
    def objective(self) -> float:
        """The objective at the new weights."""
        return self.history[-1]


@dataclass(frozen=True, slots=True)
class Tuned(Solved):
    """What was solved, with the new weights by name; center: theta0 (n_features,)."""

    weights: Weights
    center: Floats


def minimise(
    lists: TuningSet | Iterable[KBest],
    weights: Mapping[str, float],
    settings: TuneSettings | Plan | None = None,
    *,
    center: Mapping[str, float] | float | None = None,
    hopes: Hopes | None = None,
    allow_missing: bool = False,
    after: Callable[[Floats], None] = nothing,
    watch: WatchRounds = lambda rounds: rounds,
) -> Tuned:
    """Minimise a loss over scored lists, from `weights` on.

    center: theta0 of the regularisation, or the value of all its weights (default: `weights`, and
    0 for tau);
    hopes: the lists' hopes, for one inner problem with these held fixed; allow_missing: a feature
    without a weight has the weight 0; after: called with theta (n_features,) after each iteration
    of the solver; watch: wraps the iterable of rounds.
    Raises Misfit for settings that do not go together, DataError for the lists or weights, and for
    scores that overflow, under the weights at the start or at the end.
    """
    data = lists if isinstance(lists, TuningSet) else TuningSet.of(lists)
    plan = settings if isinstance(settings, Plan) else _planned(settings, data, hopes)
    if plan.loss.of_sets:
        problem = "is of relevant sets, which are made of several lists of a sentence"
        raise Misfit(f"`loss` {plan.loss_name} {problem} (tune_on_sets)")
    data.refuse_no_features()
    theta = _vector(weights, data, allow_missing)
    if center is None and plan.tau is not None:
        center = 0.0
    origin = theta if center is None else _vector(center, data, allow_missing)
    solved = minimise_theta(data, theta, origin, plan, hopes=hopes, after=after, watch=watch)
    # weights of features that no list has are written as they were: a decoder may need them
    tuned = Weights({**weights, **Weights.of(data.names, solved.last.theta)})
    return Tuned(solved.history, solved.last, solved.skipped, tuned, origin)


def minimise_theta(
    data: TuningSet | ShardedSet,
    theta: Floats,
    origin: Floats,
    plan: Plan,
    *,
    hopes: Hopes | None = None,
    kept: Flags | None = None,
    after: Callable[[Floats], None] = nothing,
    watch: WatchRounds = lambda rounds: rounds,
    watch_pass: Watch[Any] = not_watched,
) -> Solved:
    """Minimise from theta, with origin as theta0, (n_features,) each.

    kept (n_features,): mask of the weights that are not held at 0 (default: all);
    after: called with theta after each iteration of the solver; watch_pass: wraps the iterable of
    the shards in every pass.  Raises what `minimise` raises.
    """
    _check_statistics(plan, data)
    data.refuse_infinite(theta, "the initial weights")
    with np.errstate(all="ignore"):  # what overflows is refused by name
        objective: Regularised = objective_of(data, plan, origin, after, watch_pass)
        if kept is not None:
            limits = objective.limits
            objective = objective.keeping(kept)
            objective.limits.refuse_none_free(limits)
            theta = np.where(kept, theta, 0.0)
        # after the mask and theta are settled: sums hold the dense features at these weights
        if not isinstance(data, TuningSet):
            objective = _folded(objective, theta)
        history = [finite_objective(objective.value(theta), data.path, AT_START)]
        start = objective if hopes is None else objective.with_hopes(hopes)
        last = Solution(theta)
        for last in watch(_rounds(plan, start, theta)):
            value = objective.value(last.theta)
            history.append(finite_objective(value, data.path, LATER))
    data.refuse_infinite(last.theta, "the new weights")
    return Solved(history, last, objective.skipped())


def _folded(objective: Regularised, theta: Floats) -> Regularised:
    """Return an objective of shards with the dense features that do not move summed to one."""
    from campanula.stages.tuning.sharded.sharded_objective import ShardedObjective

    return objective.folded(theta) if isinstance(objective, ShardedObjective) else objective


def objective_of(
    data: TuningSet | ShardedSet,
    plan: Plan,
    center: Floats,
    after: Callable[[Floats], None] = nothing,
    watch_pass: Watch[Any] = not_watched,
) -> Objective | ShardedObjective:
    """Return the objective that a plan minimises; center (n_features,) is theta0."""
    settings = plan.settings
    limits = Restraints.of(data.names, settings.freeze, settings.only, settings.bounds)
    fixed = plan.loss, plan.alpha, center, plan.C, settings.L1, limits
    objective: Objective | ShardedObjective
    if isinstance(data, TuningSet):
        objective = Objective(data, *fixed, plan.sampling, after=after).prepared()
    else:
        from campanula.stages.tuning.sharded.sharded_objective import ShardedObjective

        objective = ShardedObjective(
            data, *fixed, jobs=settings.jobs, after=after, watch=watch_pass
        ).prepared()
    return objective if plan.tau is None else objective.without_constants()


def _planned(settings: TuneSettings | None, data: TuningSet, hopes: Hopes | None) -> Plan:
    return (settings or TuneSettings()).plan(
        hopes=hopes is not None,
        streamed=data.resident is None,
        references=data.references is not None,
    )


def _rounds(plan: Plan, start: Regularised, theta: Floats) -> Iterator[Solution]:
    """Yield the solution of each CCCP round; a single solution for a loss that imputes nothing."""
    if plan.rounds:
        yield from cccp(start, theta, plan.solver, plan.solver_settings, plan.rounds)
    else:
        yield plan.solver.solve(start, theta, plan.solver_settings)


def _check_statistics(plan: Plan, data: TuningSet | ShardedSet) -> None:
    """Raise DataError if the solver needs BLEU's statistics and the lists have another metric's."""
    if not isinstance(data, TuningSet):  # no solver that works on shards uses statistics
        return
    if plan.solver.needs_bleu and not data.metric.has_bleu_statistics:
        goes_by = f"expected statistics of bleu, which {plan.solver_name} goes by"
        raise DataError(data.path, None, f"{goes_by}, found {data.metric.name}'s")


def _vector(weights: Mapping[str, float] | float, data: TuningSet, allow_missing: bool) -> Floats:
    """Return weights (n_features,) by the lists' feature ids; a number is the weight of all."""
    if isinstance(weights, (int, float)):
        return np.full(len(data.names), float(weights))
    named = weights if isinstance(weights, Weights) else Weights(dict(weights))
    return named.checked_vector(data.names, data.path, allow_missing)
