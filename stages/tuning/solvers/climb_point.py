"""A point of a climb of line search: the metric there, and the best move along every direction.

The metric is known exactly in every interval of every line through the point
(kernels/solvers/sweep.py), from the lists' envelopes along it (kernels/solvers/envelope.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.restraints import Restraints

if TYPE_CHECKING:
    from collections.abc import Callable

    from campanula.stages.kernels.solvers.axes import Envelopes, Pieces

    CorpusValues = Callable[[Ints], Floats]  # sums of statistics (n, n_stats) -> metric (n,)

TOGETHER = 8192  # intervals evaluated in one call: their sums stay in the processor's cache


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """What all climbs read: lists, statistics (n_hyps, n_stats), metric, limits, index of the axes.

    free (n_features,): mask of the weights that may move.
    """

    lists: Lists
    stats: Any
    metric: CorpusValues
    limits: Restraints
    free: Flags
    pieces: Pieces

    @classmethod
    def of(cls, lists: Lists, stats: Ints, metric: CorpusValues, limits: Restraints) -> SearchSpace:
        """Return the space of these lists, with the index of its axes, the free features."""
        from campanula.stages.kernels.solvers import axes

        free = limits.free > 0.0
        return cls(lists, _narrow(stats), metric, limits, free, axes.index(lists, free))

    def allowed(self, theta: Floats, frozen: Floats) -> Floats:
        """Return theta moved into the bounds, with the weights of `frozen` for what is not free."""
        return np.where(self.free, np.clip(theta, self.limits.low, self.limits.high), frozen)


@dataclass(frozen=True, slots=True)
class Move:
    """A step along an axis, or a direction (n_features,) if axis is -1, and the metric after it."""

    metric: float
    step: float
    axis: int
    direction: Floats | None = None


class ClimbPoint:
    """A point of a climb: theta, its corpus metric, the lists' winners, and all axes' envelopes.

    nearby: envelopes at another point, from which those at theta are guessed; they stay as they
    are.
    """

    def __init__(self, space: SearchSpace, theta: Floats, nearby: Envelopes | None = None) -> None:
        from campanula.stages.kernels.solvers import axes, envelope

        pieces = space.pieces
        n_lists = space.lists.n_lists
        self._space = space
        self._winner = np.empty(n_lists, np.int64)
        self._scratch = envelope.scratch(int(np.diff(pieces.pad).max()))
        self._old_envelopes = axes.envelopes(pieces)  # a visit reads one set, writes the other
        self._envelopes = axes.envelopes(pieces) if nearby is None else nearby
        self._last = -1
        self._go(theta, np.ones(n_lists, bool))
        if nearby is not None:  # other climbs start with it, too: it must not be written over
            self._old_envelopes = axes.envelopes(pieces)

    @property
    def envelopes(self) -> Envelopes:
        """The envelopes of all axes at this point; the next step writes over them."""
        return self._envelopes

    def step(self, directions: Floats, enough: float) -> bool:
        """Take the best move and return True; stay, return False if none gains more than `enough`.

        directions (n, n_features): tried beside the axes.  A move may gain less than computed
        because of rounding; then the next best is tried.
        """
        theta = self.theta
        least = self.value + enough
        moves = self.moves(directions, least)
        for move in sorted(moves, key=lambda move: -move.metric):
            self._go(self._space.allowed(_reached(theta, move), theta), self._touched(move))
            if self.value > least:
                self._last = move.axis
                return True
            self._go(theta, self._touched(move))
        return False

    def _go(self, theta: Floats, stale: Flags) -> None:
        """Move to theta and rescore the lists that are marked in stale (n_lists,)."""
        from campanula.stages.kernels.solvers import sweep, visits

        space = self._space
        last = self._envelopes
        new = self._old_envelopes
        outputs = new, self._winner, self._scratch
        visits.visit(space.lists, space.pieces, theta, stale, last, *outputs)
        self._old_envelopes = last
        self._envelopes = new
        self.theta = theta
        self._total = sweep.winners_sum(self._winner, space.stats)
        self.value = float(space.metric(self._total[None])[0])

    def _touched(self, move: Move) -> Flags:
        """Return the mask (n_lists,) of the lists whose scores a move changes."""
        pieces = self._space.pieces
        n_lists = len(self._winner)
        if move.axis < 0:
            return np.ones(n_lists, bool)
        touched = np.zeros(n_lists, bool)
        axis = slice(pieces.axis_pointer[move.axis], pieces.axis_pointer[move.axis + 1])
        touched[pieces.list[pieces.of_axis[axis]]] = True
        return touched

    def moves(self, directions: Floats, least: float = -np.inf) -> Iterator[Move]:
        """Yield the best move along every direction and axis, if its metric is above `least`.

        The axis of the last move is left out: the point is the best one along it already.
        """
        from campanula.stages.kernels.lists.projection import project
        from campanula.stages.kernels.solvers import axes, visits

        space = self._space
        theta = self.theta
        limits = space.limits
        ends = limits.low - theta, limits.high - theta
        metric, step = self._best(space.pieces, self._envelopes, *ends)
        for k in np.flatnonzero(metric > least).tolist():
            if k != self._last:
                yield Move(float(metric[k]), float(step[k]), k)
        if len(directions):
            projected = project(space.lists, directions)
            along = axes.index(projected, np.ones(len(directions), bool))
            envelopes = axes.envelopes(along)
            visits.visit_along(space.lists, space.pieces, theta, along, envelopes, self._scratch)
            reach = [_ends(theta, direction, limits.low, limits.high) for direction in directions]
            metric, step = self._best(along, envelopes, *np.array(reach).T.copy())
            for k in np.flatnonzero(metric > least).tolist():
                yield Move(float(metric[k]), float(step[k]), -1, directions[k])

    def _best(
        self, pieces: Pieces, envelopes: Envelopes, low: Floats, high: Floats
    ) -> tuple[Floats, Floats]:
        """Return metric and step (n_axes,) of the best intervals within [low, high]; -inf: none."""
        from campanula.stages.kernels.solvers import sweep

        space = self._space
        pointer = space.lists.list_pointer
        line = sweep.changes(pieces, pointer, envelopes, self._winner, space.stats, self._total)
        # scale of steps into an interval without an end: the size of the largest weight
        unit = float(np.abs(self.theta[space.free]).max(initial=0.0)) or 1.0
        best, step = np.empty((2, len(low)))
        for first, last in _together(line.pointer):
            x, sums = sweep.interval_sums(line, first, last, sweep.in_order(line, first, last))
            here = slice(first, last)
            best[here], step[here] = sweep.best_intervals(
                line.pointer[first : last + 1], x, space.metric(sums), low[here], high[here], unit
            )
        return best, step


def _together(pointer: Ints) -> Iterator[tuple[int, int]]:
    """Yield spans of axes with at most TOGETHER intervals; pointer (n_axes + 1,) into changes."""
    first = 0
    n_axes = len(pointer) - 1
    rows = pointer + np.arange(n_axes + 1)  # an axis has an interval more than changes
    while first < n_axes:
        last = int(np.searchsorted(rows, rows[first] + TOGETHER, "right")) - 1
        last = max(last, first + 1)
        yield first, last
        first = last


def _narrow(stats: Ints) -> Any:
    """Return statistics in the smallest type for them and their differences: less to read."""
    most = int(max(stats.max(initial=0), -stats.min(initial=0)))
    fitting = (kind for kind in (np.int16, np.int32) if most <= np.iinfo(kind).max // 2)
    return np.ascontiguousarray(stats, next(fitting, np.int64))


def _reached(theta: Floats, move: Move) -> Floats:
    """Return the weights after a move from theta."""
    reached = theta.copy()
    if move.direction is None:
        reached[move.axis] += move.step
    else:
        reached += move.step * move.direction
    return reached


def _ends(theta: Floats, direction: Floats, low: Floats, high: Floats) -> tuple[float, float]:
    """Return the least and greatest step along a direction that keep within the bounds."""
    moved = direction != 0.0
    # where the direction is negative, the low bound limits the greatest step
    to_low, to_high = ((bound - theta)[moved] / direction[moved] for bound in (low, high))
    least = np.minimum(to_low, to_high).max(initial=-np.inf)
    return float(least), float(np.maximum(to_low, to_high).min(initial=np.inf))
