"""Solvers: they minimise an objective and know nothing of what its numbers mean.

Each starts from theta and returns the new theta, the objective on the way, and why it stopped.
`cccp` wraps any of them for a loss with a concave part: impute the hopes, solve the convex rest,
again and again (Yuille and Rangarajan 2002; lines 4-15 of Gimpel & Smith's Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError
from campanula.stages.kernels.lists.formulas import CORPUS, LSE
from campanula.stages.tuning.losses import Loss
from campanula.stages.tuning.objective import Objective

DONE = "iterations done"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set; a solver reads what it needs.

    epochs, eta, batch_size (lists a step; 0: all) and shuffle of the solvers that go through the
    lists; iterations and tolerance of those that take them at once; random_directions, restarts and
    jobs of line search; aggressiveness (kbmira's C) and decay of batch MIRA.  epochs None: the
    solver's own number, 5, and 60 for batch MIRA.
    """

    epochs: int | None = None
    eta: float = 1e-4
    batch_size: int = 1
    shuffle: bool = False
    seed: int = 1
    iterations: int = 50
    tolerance: float = 1e-6
    random_directions: int = 0
    restarts: int = 20
    jobs: int = 1
    aggressiveness: float = 0.01
    decay: float = 0.999

    @property
    def passes(self) -> int:
        """T'', passes over the lists."""
        return 5 if self.epochs is None else self.epochs


@dataclass(frozen=True, slots=True)
class Solution:
    """Weights (n_features,), the objective after each epoch or iteration, and why it stopped."""

    theta: Floats
    history: list[float] = field(default_factory=list)
    reason: str = DONE


Solve = Callable[[Objective, Floats, Settings], Solution]


def ssd(objective: Objective, theta: Floats, settings: Settings) -> Solution:
    """Stochastic subgradient descent, sentence by sentence in order (Algorithm 1, lines 8-14).

    Theta is kept as center + a u (solvers/descent.py); F center is worked out once if it can stay.
    """
    from campanula.stages.kernels.lists.scores import score_lists
    from campanula.stages.kernels.solvers import descent

    free, term = objective.limits.free, objective.loss.down
    center = np.where(free > 0.0, objective.center, theta)
    u, a = theta - center, 1.0
    shrink = 1.0 - settings.eta * objective.C / objective.data.n_lists
    bases: list[Floats] = []
    for epoch in range(settings.passes):
        for lists, targets, hopes in objective.problems():
            resident = objective.data.resident is not None
            base = bases[0] if resident and epoch else score_lists(lists, center)
            bases = [base] if resident else []
            imputed = descent.Imputed(hopes.pointer, hopes.place, hopes.weight)
            inner = descent.InnerProblem(lists, targets, term, imputed, base)
            a = descent.ssd(inner, u, a, free, settings.eta, shrink)
    return Solution(center + a * u)


def _orders(n: int, settings: Settings) -> Iterator[Ints]:
    """Yield the order of the lists in each epoch."""
    rng = np.random.default_rng(settings.seed)
    for _ in range(settings.passes):
        yield rng.permutation(n) if settings.shuffle else np.arange(n)


def _descend(objective: Objective, theta: Floats, settings: Settings, adaptive: bool) -> Solution:
    from campanula.stages.kernels.solvers import descent

    n, theta, history = objective.data.n_lists, objective.clip(theta), []
    batch = n if settings.batch_size == 0 else min(settings.batch_size, n)
    limits = objective.limits
    steps = descent.Steps(
        settings.eta, adaptive, batch, objective.C, objective.L1,
        objective.center, limits.free, limits.low, limits.high,
    )  # fmt: skip
    state = descent.new_state(len(theta))
    for order in _orders(n, settings):
        for problem in objective.problems():
            lists = problem.lists
            part = order if lists.n_lists == n else np.arange(lists.n_lists)
            lossy = descent.Problem(lists, problem.targets, objective.loss.formula, problem.share)
            descent.descend(lossy, theta, part, n, steps, state)
        descent.settle(theta, n, steps, state)
        history.append(objective.value(theta))
    return Solution(theta, history)


def sgd(objective: Objective, theta: Floats, settings: Settings) -> Solution:
    """(Sub)gradient descent in batches with a fixed step size (W15 Eq. 3)."""
    return _descend(objective, theta, settings, adaptive=False)


def adagrad(objective: Objective, theta: Floats, settings: Settings) -> Solution:
    """Diagonal AdaGrad in batches (W15 Eq. 4, 5); L1 by FOBOS (Duchi and Singer 2009)."""
    return _descend(objective, theta, settings, adaptive=True)


def rprop(objective: Objective, theta: Floats, settings: Settings) -> Solution:
    """Resilient backpropagation with the last step reverted on a change of sign (W15 4.2).

    eta+ 1.2 and eta- 0.5 as there; steps start at 1e-3 and stay in [1e-7, 1].  After a revert the
    gradient counts as 0 (Riedmiller and Braun 1993), or the next sign would revert the revert.
    """
    theta = objective.clip(theta)
    before, step, old = theta.copy(), np.full(len(theta), 1e-3), np.zeros(len(theta))
    history: list[float] = []
    for _ in range(settings.iterations):
        value, gradient = objective.value_and_gradient(theta)
        history.append(value)
        if np.abs(gradient).max() <= settings.tolerance:
            return Solution(theta, history, "the gradient vanishes")
        turn = old * gradient
        step = np.clip(np.where(turn > 0, 1.2, np.where(turn < 0, 0.5, 1.0)) * step, 1e-7, 1.0)
        moved = objective.clip(theta - np.sign(gradient) * step)
        theta, before = np.where(turn < 0, before, moved), theta
        old = np.where(turn < 0, 0.0, gradient)
    return Solution(theta, [*history, objective.value(theta)])


def lbfgs(objective: Objective, theta: Floats, settings: Settings) -> Solution:
    """L-BFGS with bounds (scipy's L-BFGS-B) over the free weights."""
    from scipy.optimize import Bounds, minimize

    theta, free, history = objective.clip(theta), objective.limits.free > 0.0, []

    def at(x: Floats) -> tuple[float, Floats]:
        theta[free] = x
        value, gradient = objective.value_and_gradient(theta)
        history.append(value)
        return value, gradient[free]

    bounds = Bounds(objective.limits.low[free], objective.limits.high[free])
    options = {"maxiter": settings.iterations, "ftol": 0.0, "gtol": settings.tolerance}
    options |= {"maxfun": 20 * settings.iterations + 100, "maxls": 50}
    result = minimize(
        at, theta[free].copy(), jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    theta[free] = result.x
    reasons = {0: "the gradient vanishes", 1: DONE, 2: "no step along the direction descends"}
    reason = reasons[int(result.status)]
    return Solution(theta, [*history, float(result.fun)], reason)


def mira(objective: Objective, theta: Floats, settings: Settings) -> Solution:
    """One-best MIRA: dual coordinate ascent on the inner problem; steps are bounded by 1 / C."""
    from campanula.stages.kernels.solvers import mira as kernel

    problem, free, history = objective.whole(), objective.limits.free, []
    theta = np.where(free > 0.0, objective.center, theta)
    share = problem.share
    inner = kernel.InnerProblem(problem.lists, problem.targets, objective.loss.down, share)
    alpha = share.copy()
    for order in _orders(objective.data.n_lists, settings):
        kernel.mira(inner, theta, alpha, order, free, objective.C)
        history.append(objective.value(theta))
    return Solution(theta, history)


def line_search(objective: Objective, theta: Floats, settings: Settings) -> Solution:
    """Exact line search on the corpus metric, from many starts (Och 2003; line_search.py)."""
    from campanula.stages.tuning import line_search as search

    part, limits = objective.data.whole, objective.limits
    how = search.Settings(
        random_directions=settings.random_directions, restarts=settings.restarts,
        seed=settings.seed, low=limits.low, high=limits.high, jobs=settings.jobs,
    )  # fmt: skip
    metric, stats = objective.data.metric, part.stats
    assert stats is not None
    found = search.line_search(
        part.lists, stats, theta, metric.corpus_values, limits.free > 0.0, how
    )
    return Solution(found.theta, [1.0 - value for value in found.history], found.reason)


def batch_mira(objective: Objective, theta: Floats, settings: Settings) -> Solution:
    """Batch k-best MIRA with its BLEU background (Cherry & Foster 2012; batch_mira.py)."""
    from campanula.stages.tuning import batch_mira as mira

    part, free = objective.data.whole, objective.limits.free > 0.0
    how = mira.Settings(
        C=settings.aggressiveness, epochs=60 if settings.epochs is None else settings.epochs,
        decay=settings.decay, seed=settings.seed,
    )  # fmt: skip
    metric, stats = objective.data.metric, part.stats
    assert stats is not None
    if not metric.has_bleu_statistics:
        problem = f"expected statistics of bleu, which batch-mira goes by, found {metric.name}'s"
        raise DataError(objective.data.path, None, problem)
    found = mira.batch_mira(part.lists, stats, theta, metric.corpus_values, free, how)
    return Solution(found.theta, [1.0 - value for value in found.history], found.reason)


@dataclass(frozen=True, slots=True)
class Solver:
    """A solver, which settings it reads besides seed and jobs, and what it can do."""

    solve: Solve
    reads: tuple[str, ...]
    inner_only: bool = False  # solves only the inner problem of CCCP
    smooth_only: bool = False
    hard_only: bool = False
    corpus: bool = False  # goes by the corpus metric itself
    own_loss: bool = False  # and has a loss of its own on the way
    epochs: int = 5  # unless the user says
    bounds: bool = True
    L1: bool = False
    streams: bool = True  # works when the lists are not all in memory


DESCENT, AT_ONCE = ("epochs", "eta", "batch_size", "shuffle"), ("iterations", "tolerance")
SOLVERS: dict[str, Solver] = {
    "ssd": Solver(ssd, ("epochs", "eta"), inner_only=True, bounds=False),
    "sgd": Solver(sgd, DESCENT, L1=True),
    "adagrad": Solver(adagrad, DESCENT, L1=True),
    "rprop": Solver(rprop, AT_ONCE),
    "lbfgs": Solver(lbfgs, AT_ONCE, smooth_only=True),
    "mira": Solver(
        mira, ("epochs", "shuffle"), inner_only=True, hard_only=True, epochs=100, bounds=False,
        streams=False,
    ),
    "line-search": Solver(
        line_search, ("restarts", "random_directions"), corpus=True, streams=False
    ),
    "batch-mira": Solver(
        batch_mira, ("epochs", "aggressiveness", "decay"), corpus=True, own_loss=True, epochs=60,
        bounds=False, streams=False,
    ),
}  # fmt: skip


def mismatch(solver: Solver, loss: Loss, imputed: bool) -> str | None:
    """Why a solver and a loss do not go together, or None; imputed: CCCP wraps the solver."""
    if solver.corpus != (loss.form == CORPUS):
        return "the cost of a corpus goes with line-search, and line-search with it alone"
    if solver.inner_only and not (loss.has_terms and imputed):
        return "the solver needs a loss with a concave part, and CCCP"
    smooth = loss.convex_part_smooth if imputed else loss.smooth
    if solver.smooth_only and not smooth:
        return "the solver needs a smooth loss"
    if solver.hard_only and loss.down.operator == LSE:
        return "the solver needs a hard maximum"
    return None


def cccp(
    objective: Objective, theta: Floats, solver: Solver, settings: Settings, iterations: int
) -> Iterator[Solution]:
    """Yield the solution of each CCCP iteration; an objective with hopes keeps those first."""
    for _ in range(iterations):
        inner = objective if objective.hopes is not None else objective.impute(theta)
        solution = solver.solve(inner, theta, settings)
        theta = solution.theta
        yield solution
