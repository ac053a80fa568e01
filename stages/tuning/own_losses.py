"""Losses that are Python functions of the user, called list by list in the order of the lists.

Scores, sums over features and steps are the compiled ones; only the function itself is Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.losses import ListLoss
from campanula.stages.tuning.misfit import Misfit

if TYPE_CHECKING:
    from campanula.stages.kernels.solvers.descent import DescentSteps, State


class OwnProblem(NamedTuple):
    """Lists, their costs (n_hyps,), and a loss of one list."""

    lists: Lists
    cost: Floats
    function: ListLoss

    def value_of(self, i: int, theta: Floats, gradient: Floats) -> float:
        """Return the loss of list i at theta; add its gradient to `gradient` unless that is empty.

        Raises Misfit if the function returns anything but a finite value and finite coefficients
        (n,), one for each hypothesis.
        """
        from campanula.stages.kernels.lists.scores import add_rows, score_list

        first, last = self.lists.list_pointer[i], self.lists.list_pointer[i + 1]
        score = np.empty(last - first)
        score_list(self.lists, i, theta, score)
        cost = self.cost[first:last].view()
        cost.flags.writeable = False  # a function that changed costs would change later passes
        name = getattr(self.function, "__name__", "of one's own")
        returned = self.function(score, cost)
        if not isinstance(returned, tuple) or len(returned) != 2:
            problem = "expected a value and the coefficients"
            raise Misfit(f"loss {name}: {problem}, found {type(returned).__name__}")
        value, coefficient = returned
        # a function may return a list, integers or a strided view; kernels take contiguous doubles
        checked = np.ascontiguousarray(coefficient, np.float64)
        if checked.shape != score.shape:
            problem = f"expected a coefficient of each hypothesis, {score.shape}"
            raise Misfit(f"loss {name}: {problem}, found {checked.shape}")
        if not np.isfinite(value) or not np.isfinite(checked).all():
            what = "coefficients that are not" if np.isfinite(value) else f"the value {value}"
            raise Misfit(f"loss {name}: list {i}: expected finite numbers, found {what}")
        if len(gradient):
            add_rows(self.lists, i, 1.0, checked, gradient)
        return float(value)


def add_losses(problem: OwnProblem, theta: Floats, total: Floats, gradient: Floats) -> None:
    """Add the losses of all lists to total[0], their gradient to `gradient` unless it is empty."""
    for i in range(problem.lists.n_lists):
        total[0] += problem.value_of(i, theta, gradient)


def descend(
    problem: OwnProblem, theta: Floats, order: Ints, n: int, steps: DescentSteps, state: State
) -> None:
    """Take the steps of `descend` of kernels/solvers/descent.py, with the user's loss."""
    from campanula.stages.kernels.solvers import descent

    ids = np.empty(len(theta), np.int64)
    for start in range(0, len(order), steps.batch):
        batch = order[start : start + steps.batch]
        count = descent.start_batch(problem.lists, batch, theta, n, steps, state, ids)
        for i in batch.tolist():
            problem.value_of(i, theta, state.gradient)
        descent.take_step(theta, ids[:count], len(batch), n, steps, state)
