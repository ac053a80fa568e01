"""Batch MIRA: online large-margin steps over fixed k-best lists (Cherry & Foster 2012).

Epochs of kernels/solvers/batch_mira.py; the weights of an epoch are the average over all updates so
far, the initial weights w_0 included.  Each average is scored by the corpus metric on the lists,
and the best average is returned.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.solvers.solver import Solution, Solver


@dataclass(frozen=True, slots=True)
class BatchMiraSettings:
    """aggressiveness: the largest step, C of kbmira; decay: of the background BLEU at each list."""

    epochs: int = 60
    aggressiveness: float = 0.01
    decay: float = 0.999
    seed: int = 1


def batch_mira(objective: Objective, theta: Floats, settings: BatchMiraSettings) -> Solution:
    """Return the best of the initial weights and every epoch's average; the first of equal ones.

    The history has 1 - the metric, before the first and after each epoch.  Weights that are all
    zero lose a tie: they give all hypotheses one score, so they rank nothing.
    """
    from campanula.stages.kernels.lists.winners import winners
    from campanula.stages.kernels.solvers import batch_mira as kernel
    from campanula.stages.kernels.solvers.background_bleu import distinct_rows

    lists, stats, metric = objective.statistics()
    rows = distinct_rows(lists.list_pointer, stats)
    task = kernel.MiraTask(
        lists, rows, objective.limits.free, settings.aggressiveness, settings.decay
    )
    state = kernel.state(theta, int(np.diff(lists.list_pointer).max()))
    rng = np.random.default_rng(settings.seed)
    all_lists = np.arange(lists.n_lists)
    average = theta
    updates = 0
    best = theta
    top = -np.inf
    history: list[float] = []
    # An epoch also sums the statistics of the best hypotheses under the average of the one before,
    # so that average needs no pass of its own; only the last one does.
    for number in range(settings.epochs + 1):
        if number < settings.epochs:
            state.total[:] = 0.0
            updates = kernel.epoch(task, rng.permutation(all_lists), state, updates, average)
            total = state.total.astype(np.int64)
        else:
            total = stats[winners(lists, average)].sum(axis=0)
        value = float(metric.corpus_values(total[None])[0])
        history.append(1.0 - value)
        if value > top or (value == top and not best.any()):
            best = average
            top = value
        # of the updates + 1 weights from w_0 on, the first t do not have update t
        average = state.theta - state.weighted / (updates + 1)
        if number < settings.epochs:
            objective.after(average)
    # a copy: `best` may still be the array of the caller
    return Solution(best.copy(), history, f"{settings.epochs} epochs done, {updates} updates")


BATCH_MIRA = Solver(
    batch_mira, BatchMiraSettings, corpus=True, own_loss=True, needs_bleu=True, bounds=False,
    streams=False,
)  # fmt: skip
