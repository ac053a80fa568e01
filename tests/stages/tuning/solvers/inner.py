"""Objectives of a small problem for the tests of solvers, and their optima by other methods."""

import numpy as np
from scipy.optimize import minimize

from campanula.formats.arrays.types import Floats
from campanula.formats.records.names import Names
from campanula.stages.kernels.lists.scores import score_lists
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.tuning.chunks import Chunk
from campanula.stages.tuning.losses import LOSSES, Loss
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.pairs import PairSampling
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.tuning_set import TuningSet
from tests.stages.kernels.problems import problem

SMOOTH = ["log-kbest", "latent-log", "log", "pairwise"]


def objective(
    name: str, seed: int = 81, C: float = 1.0, L1: float = 0.0
) -> tuple[Objective, Floats]:
    """Objective of a small problem, with its concave part imputed, and initial weights."""
    whole, theta = whole_objective(LOSSES[name], seed, C, L1)
    return (whole.impute(theta) if whole.loss.has_terms else whole), theta


def whole_objective(
    loss: Loss, seed: int = 81, C: float = 1.0, L1: float = 0.0
) -> tuple[Objective, Floats]:
    """Objective of a small problem, and initial weights."""
    p = problem(seed)
    size, n = len(p.theta), p.lists.n_lists
    names = Names(p.names)
    chunk = Chunk(0, np.arange(n), p.lists, p.targets.gain, p.targets.reaches, None)
    sizes = np.diff(p.lists.list_pointer)
    data = TuningSet(np.arange(n), sizes, names, "test", "", None, chunk)
    limits = Restraints.of(names)
    sampling = PairSampling(40, 5, 0.05, 1)
    return Objective(data, loss, 3.0, np.zeros(size), C, L1, limits, sampling).prepared(), p.theta


def smooth_optimum(inner):
    """Optimum of a smooth convex objective, by another method of scipy's, without our gradient."""
    start = minimize(inner.value, inner.center, method="BFGS", options={"gtol": 1e-9})
    return minimize(inner.value, start.x, method="Nelder-Mead", options={"fatol": 1e-13}).fun


def hard_optimum(inner):
    """Optimum of an objective with maxima as a quadratic program: a slack x_i above each max.

    min (C/2) |theta|^2 + sum_i x_i   with   x_i >= s_ij + factor c_ij - share_i . s_i.
    """
    lists, targets, _ = problem_of = inner.whole()
    size, n, share = len(inner.center), lists.n_lists, problem_of.share
    rows = np.array([score_lists(lists, unit) for unit in np.eye(size)]).T
    slope, level = [], []
    for i in range(n):
        span = slice(*lists.list_pointer[i : i + 2])
        up = share[span] @ rows[span]
        for row, cost in zip(rows[span], targets.cost[span], strict=True):
            slope.append(np.concatenate([up - row, np.eye(n)[i]]))
            level.append(inner.loss.down.factor * cost)
    matrix = np.array(slope)
    part = {"type": "ineq", "fun": lambda x: matrix @ x - level, "jac": lambda x: matrix}
    return minimize(
        lambda x: inner.C / 2 * np.square(x[:size]).sum() + x[size:].sum(),
        np.concatenate([np.zeros(size), np.full(n, 50.0)]),
        jac=lambda x: np.concatenate([inner.C * x[:size], np.ones(n)]),
        constraints=[part],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    ).fun


def corpus_objective(lists, stats, n_features, free=None, low=None, high=None):
    """Objective of the corpus BLEU of lists with statistics; free is a mask, or all."""
    n_hyps = len(stats)
    zeros, none = np.zeros(n_hyps), np.zeros(n_hyps, bool)
    sizes, sid = np.diff(lists.list_pointer), np.arange(lists.n_lists)
    chunk = Chunk(0, sid, lists, zeros, none, np.asarray(stats, np.int64))
    names = Names(f"f{k}" for k in range(n_features))
    data = TuningSet(sid, sizes, names, "test", "", None, chunk, Bleu().header())
    limits = Restraints(
        np.ones(n_features) if free is None else np.asarray(free, float),
        np.full(n_features, -np.inf) if low is None else low,
        np.full(n_features, np.inf) if high is None else high,
    )
    center = np.zeros(n_features)
    return Objective(data, LOSSES["cost"], 10.0, center, 0.0, 0.0, limits).prepared()
