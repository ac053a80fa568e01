"""The settings of a tuning; `plan` turns them into a loss and a solver that go together.

A setting that is None has the default of the loss or the solver, from their tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

from campanula.formats.registry import UnknownName
from campanula.stages.tuning.losses import LOSSES, ListLoss, Loss, loss_named
from campanula.stages.tuning.misfit import Misfit, UnknownChoice
from campanula.stages.tuning.pairs import PairSampling
from campanula.stages.tuning.plan import Plan
from campanula.stages.tuning.restraints import Bound
from campanula.stages.tuning.solvers.online import UPDATES
from campanula.stages.tuning.solvers.rprop import WAYS
from campanula.stages.tuning.solvers.solver import Solver
from campanula.stages.tuning.solvers.table import SOLVERS

CCCP_ITERATIONS = 10  # the paper's T'
AT_LEAST_ONE = ("epochs", "iterations", "jobs", "pairs_sampled", "pairs_kept")


@dataclass(frozen=True, slots=True)
class TuneSettings:
    """All settings of a tuning; `optimize --help` explains each.

    loss: a name, a row of the table, or a function of one list's scores and costs; freeze, only
    and bounds: patterns of features, as in Restraints.
    """

    loss: str | Loss | ListLoss | None = None
    solver: str | None = None
    alpha: float | None = None
    gamma: float | None = None
    C: float | None = None
    tau: float | None = None
    L1: float = 0.0
    cccp_iterations: int | None = None
    epochs: int | None = None
    eta: float | None = None
    batch_size: int | None = None
    shuffle: bool | None = None
    fobos: bool | None = None
    iterations: int | None = None
    tolerance: float | None = None
    restarts: int | None = None
    random_directions: int | None = None
    trust: float | None = None
    rprop: str | None = None
    first_step: float | None = None
    smallest_step: float | None = None
    largest_step: float | None = None
    aggressiveness: float | None = None
    decay: float | None = None
    pairs_sampled: int | None = None
    pairs_kept: int | None = None
    min_difference: float | None = None
    update: str | None = None
    printed_sign: bool | None = None
    lambda_: float | None = None
    memory: int | None = None
    seed: int = 1
    jobs: int = 1
    freeze: Sequence[str] = ()
    only: Sequence[str] = ()
    bounds: Sequence[Bound] = ()

    def values_of(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the values of the named settings that are not None."""
        # a solver of the user's own may have settings that are no fields here
        values = {name: getattr(self, name, None) for name in names}
        return {name: value for name, value in values.items() if value is not None}

    def plan(
        self,
        *,
        hopes: bool = False,
        streamed: bool = False,
        references: bool = False,
        sharded: bool = False,
    ) -> Plan:
        """Return the plan: loss, solver and all settings filled in.

        hopes: whether hopes are given; streamed: whether the lists are read at every pass;
        references: whether there are references; sharded: whether passes are over shards, where
        every step is on all lists.  Raises Misfit for settings that do not go together.
        """
        self._refuse_numbers()
        if self.rprop not in (None, *WAYS):
            raise Misfit(f"`rprop`: expected {' or '.join(WAYS)}, found {self.rprop!r}")
        if self.update not in (None, *UPDATES):
            raise Misfit(f"`update`: expected {' or '.join(UPDATES)}, found {self.update!r}")
        plan = self._filled_in(hopes, sharded)
        plan.refuse(streamed, references)
        if sharded:
            plan.refuse_shards()
        return plan

    def _filled_in(self, hopes: bool, sharded: bool) -> Plan:
        """Return the plan, with a loss for a solver alone or a solver for a loss alone."""
        solver = None if self.solver is None else solver_named(self.solver)
        choice = self.loss
        # a solver alone brings the loss it is made for; a loss alone brings its usual solver below
        if choice is None:
            choice = _usual_loss(solver)
        elif solver is not None and solver.own_loss:
            problem = f"`solver` {self.solver} has its own loss; drop `loss` {_name_of(choice)}"
            raise Misfit(problem)
        if isinstance(choice, str):
            loss = loss_named(choice, self.gamma)
        elif self.gamma is None:
            loss = LOSSES.declared(choice)
        else:
            raise Misfit(f"`loss` {_name_of(choice)} does not read `gamma`; drop it")
        solver_name = self.solver or loss.solver
        solver = SOLVERS[solver_name]
        tau = self._tau(loss)
        return Plan(
            settings=self,
            loss_name=_name_of(choice),
            loss=loss,
            solver_name=solver_name,
            solver=solver,
            solver_settings=solver.settings(**self._of_solver(solver, loss, sharded)),
            rounds=self._rounds(_name_of(choice), loss, hopes),
            # solvers know C alone: tau |theta|^2 is (C / 2) |theta|^2 with C = 2 tau
            C=2.0 * tau if tau is not None else loss.C if self.C is None else self.C,
            tau=tau,
            sampling=PairSampling(**self.values_of([field.name for field in fields(PairSampling)])),
        )

    def _tau(self, loss: Loss) -> float | None:
        """Return tau, W15's strength of L2 toward 0; None if C is the strength of L2."""
        if self.C is not None and self.tau is not None:
            raise Misfit("`C` and `tau` are two strengths of one L2; drop one of them")
        return loss.tau if self.tau is None and self.C is None else self.tau

    def _of_solver(self, solver: Solver[Any], loss: Loss, sharded: bool) -> dict[str, Any]:
        """Return the solver's settings that are set, and those that loss or shards decide."""
        values = self.values_of(tuple(solver.defaults))
        if "batch_size" in solver.defaults and (sharded or not loss.is_sum):
            values.setdefault("batch_size", 0)  # a step on all lists is the only possible one
        if "eta" in solver.defaults and loss.eta is not None:
            values.setdefault("eta", loss.eta)
        return values

    def _rounds(self, name: str, loss: Loss, hopes: bool) -> int:
        """Return the number of CCCP iterations; 0 for a loss that imputes nothing."""
        if not loss.has_terms:
            if self.cccp_iterations or hopes:
                problem = f"`loss` {name} has no concave part to impute"
                raise Misfit(f"{problem}; drop `cccp_iterations` and `hopes`")
            return 0
        if hopes and self.cccp_iterations not in (None, 1):
            raise Misfit("`hopes` solves one inner problem; drop `cccp_iterations`")
        if hopes:
            return 1
        return CCCP_ITERATIONS if self.cccp_iterations is None else self.cccp_iterations

    def _refuse_numbers(self) -> None:
        """Raise Misfit for numbers that are too small, infinite or of the wrong type."""
        for field in fields(self):
            value = getattr(self, field.name)
            least = int(field.name in AT_LEAST_ONE)
            # by the annotations, as `int | None`, which are texts here: no list to keep in step
            kinds = str(field.type).split(" | ")
            if value is None or not {"int", "float"}.intersection(kinds):
                continue
            kind = Integral if "int" in kinds else Real
            if not isinstance(value, kind):
                expected = "a whole number" if kind is Integral else "a number"
                raise Misfit(f"`{field.name}`: expected {expected}, found {value!r}")
            if not least <= float(value) < float("inf"):  # also NaN
                problem = f"expected a number of at least {least}, found {value}"
                raise Misfit(f"`{field.name}`: {problem}")


def _usual_loss(solver: Solver[Any] | None) -> str:
    """Return the name of a solver's default loss; None: no solver is given."""
    if solver is not None and solver.sets:
        return "costmargin"
    return "cost" if solver is not None and solver.corpus else "ramp3"


def solver_named(name: str) -> Solver[Any]:
    """Return the solver of this name; raises Misfit if there is none."""
    try:
        return SOLVERS[name]
    except UnknownName as error:
        raise UnknownChoice(str(error)) from None


def _name_of(loss: str | Loss | ListLoss) -> str:
    """Return the name of a loss: that of its row in the table, or that of the function."""
    if isinstance(loss, str):
        return loss
    for name in LOSSES:
        if LOSSES[name] is loss:
            return name
    function = loss.function if isinstance(loss, Loss) else loss
    return getattr(function, "__name__", "of one's own")
