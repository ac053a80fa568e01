"""Batch MIRA: online large-margin steps over fixed k-best lists (Cherry & Foster 2012).

Epochs of solvers/batch_mira.py; the weights of an epoch are the average over all updates so far,
w_0 among them.  Each average is scored by the corpus metric on the lists; the best one is returned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.lists.lists import Lists

Metric = Callable[[Any], Floats]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set; as kbmira, whose names the options have in Moses.

    C bounds a step; decay of the background at each list that has a hope; model_background: it
    takes in the model's best instead of the hope; shuffle: lists in a random order, each epoch.
    """

    C: float = 0.01
    epochs: int = 60
    decay: float = 0.999
    seed: int = 0
    shuffle: bool = True
    model_background: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The best weights, the metric there, the metric before and after each epoch, and why."""

    theta: Floats
    metric: float
    history: list[float]
    reason: str


def batch_mira(
    lists: Lists,
    stats: Ints,
    theta: Floats,
    metric: Metric,
    free: npt.NDArray[np.bool_],
    settings: Settings,
    progress: Callable[[float], object] = lambda metric: None,
) -> Result:
    """Best of the initial weights and every epoch's average; the first of those as good.

    stats (n_hyps, 10) of BLEU; metric maps sums (n, 10) to values (n,), higher being better; free
    (n_features,).  progress gets the metric after each epoch.  Weights that are all zero give way
    to others as good: they tell no hypotheses apart.
    """
    from campanula.stages.kernels.lists.winners import winners
    from campanula.stages.kernels.solvers import batch_mira as kernel
    from campanula.stages.kernels.solvers.background_bleu import distinct_rows

    rows = distinct_rows(lists.list_pointer, stats)
    state = kernel.state(theta, int(np.diff(lists.list_pointer).max()))
    task = kernel.Task(
        lists,
        rows,
        np.asarray(free, np.float64),
        settings.C,
        settings.decay,
        settings.model_background,
    )
    rng = np.random.default_rng(settings.seed)
    order = np.arange(lists.n_lists)
    average, updates = theta, 0
    best, top, history = theta, -np.inf, list[float]()
    for number in range(settings.epochs + 1):
        if number < settings.epochs:
            state.total[:] = 0.0
            turn = rng.permutation(order) if settings.shuffle else order
            updates = kernel.epoch(task, turn, state, updates, average)
            total = state.total.astype(np.int64)
        else:
            total = stats[winners(lists, average)].sum(axis=0)
        value = float(metric(total[None])[0])
        history.append(value)
        progress(value)
        if value > top or (value == top and not best.any()):
            best, top = average, value
        average = state.theta - state.weighted / (updates + 1)
    return Result(best.copy(), top, history, f"{settings.epochs} epochs done, {updates} updates")
