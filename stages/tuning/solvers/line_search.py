"""Line search: minimum error rate training by exact line minimisation (Och 2003).

    theta = argmax_theta  metric( sum_i stats(argmax_j theta . f_ij) )         (G&S Eq. 3)

From a point, the metric is known exactly in every interval of every line through it
(kernels/solvers/sweep.py).  One step goes along the axis, or the random direction, that gains most;
a climb ends where none gains enough.  Climbs start from the initial weights and from random points;
the best end wins.  With `trust` all climbs stay in a region around the initial weights
(trust_region.py).  Climbs are independent, so the number of threads does not change the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.arrays.types import Flags, Floats, Ints
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.solvers.solver import Solution, Solver
from campanula.stages.tuning.solvers.trust_region import confined

if TYPE_CHECKING:
    from collections.abc import Callable

    from campanula.stages.kernels.solvers.axes import Envelopes, Pieces

    CorpusValues = Callable[[Ints], Floats]  # sums of statistics (n, n_stats) -> metric (n,)

LOW, HIGH = 0.0, 1.0  # random starts are uniform between these, and within the bounds
ENOUGH = 1e-4  # a step must gain more than this
TOGETHER = 8192  # intervals evaluated in one call: their sums stay in the processor's cache


@dataclass(frozen=True, slots=True)
class LineSearchSettings:
    """restarts: climbs from random points; random_directions: tried at each step, beside the axes.

    trust: size of the region around the initial weights, 0: no limit; jobs: threads.
    """

    restarts: int = 20
    random_directions: int = 0
    seed: int = 1
    jobs: int = 1
    trust: float = 0.0


@dataclass(frozen=True, slots=True)
class Move:
    """A step along an axis, or a direction (n_features,) if axis is -1, and the metric after it."""

    metric: float
    step: float
    axis: int
    direction: Floats | None = None


class Search:
    """What climbs share: lists, statistics (n_hyps, n_stats), metric, and the index of the axes.

    nearby: the envelopes at the start of climb 0, with which all climbs begin as a guess.
    """

    def __init__(
        self,
        lists: Lists,
        stats: Ints,
        metric: CorpusValues,
        limits: Restraints,
        settings: LineSearchSettings,
        enough: float = ENOUGH,
    ) -> None:
        from campanula.stages.kernels.solvers import axes

        self.lists = lists
        self.stats = _narrow(stats)
        self.metric = metric
        self.free = limits.free > 0.0
        self.limits = limits
        self.low, self.high = limits.low, limits.high
        self.drawn_from: tuple[Any, Any] = (LOW, HIGH)
        self.settings = settings
        self.enough = enough
        self.pieces = axes.index(lists, self.free)
        self.nearby: Envelopes | None = None

    def start(self, theta: Floats, number: int) -> Floats:
        """Return where climb `number` starts: 0 at theta, the others at random points."""
        # a seed for each climb, so that a climb draws the same numbers in any thread
        rng = np.random.default_rng([self.settings.seed, number])
        drawn = rng.uniform(*self.drawn_from, len(theta))
        return self.allowed(theta if number == 0 else drawn, theta)

    def allowed(self, theta: Floats, frozen: Floats) -> Floats:
        """Return theta moved into the bounds, with the weights of `frozen` for what is not free."""
        return np.where(self.free, np.clip(theta, self.low, self.high), frozen)

    def best(self, theta: Floats) -> Solution:
        """Return the best weights of all climbs, the first of equal ones; history: 1 - best so far.

        Weights that are all zero lose a tie: they give all hypotheses one score.
        """
        from campanula.stages.parallel.threads import in_order

        if self.settings.trust:
            self._confine(theta)
        self.nearby = ClimbPoint(self, self.start(theta, 0)).envelopes
        best, top = theta, -np.inf
        history: list[float] = []
        starts = [(self.start(theta, n), n) for n in range(self.settings.restarts + 1)]
        for reached, value in in_order(lambda s: self.climb(*s), starts, self.settings.jobs):
            if value > top or (value == top and not best.any()):
                best, top = reached, value
            history.append(1.0 - top)
        where = " in the region of --trust" if self.settings.trust else ""
        return Solution(best, history, f"no direction gains more than {self.enough:g}{where}")

    def _confine(self, theta: Floats) -> None:
        """Narrow the bounds to the region around theta, and draw starts from the region."""
        region = confined(self.limits, self.lists, self.pieces, theta, self.settings.trust)
        if region is not self.limits:
            self.low, self.high = region.low, region.high
            # what is drawn for a weight that is not free is not used (`allowed`)
            lowest, highest = (np.where(self.free, end, 0.0) for end in (self.low, self.high))
            self.drawn_from = (lowest, highest)

    def climb(self, theta: Floats, number: int) -> tuple[Floats, float]:
        """Take steps until no direction gains enough; return theta and the metric there."""
        rng = np.random.default_rng([self.settings.seed, number, 1])
        point = ClimbPoint(self, theta)
        while point.step(self._directions(rng)):
            pass
        return point.theta, point.value

    def _directions(self, rng: np.random.Generator) -> Floats:
        """Return random directions (N, n_features) of length 1 over the free features."""
        # a normal draw in each coordinate makes all directions equally likely
        drawn = rng.standard_normal((self.settings.random_directions, len(self.free))) * self.free
        drawn /= np.maximum(np.linalg.norm(drawn, axis=1, keepdims=True), 1e-300)
        return drawn


class ClimbPoint:
    """A point of a climb: theta, its corpus metric, the lists' winners, and all axes' envelopes."""

    def __init__(self, search: Search, theta: Floats) -> None:
        from campanula.stages.kernels.solvers import axes, envelope

        pieces, n_lists = search.pieces, search.lists.n_lists
        self._search = search
        self._winner = np.empty(n_lists, np.int64)
        self._scratch = envelope.scratch(int(np.diff(pieces.pad).max()))
        self._old_envelopes = axes.envelopes(pieces)  # a visit reads one set, writes the other
        self._envelopes = search.nearby or axes.envelopes(pieces)
        self._last = -1
        self._go(theta, np.ones(n_lists, bool))
        if search.nearby:  # other climbs start with it, too, so it must not be written over
            self._old_envelopes = axes.envelopes(pieces)

    @property
    def envelopes(self) -> Envelopes:
        """The envelopes of all axes at this point; the next step writes over them."""
        return self._envelopes

    def step(self, directions: Floats) -> bool:
        """Take the best move and return True; stay and return False if no move gains enough.

        A move may gain less than computed because of rounding; then the next best is tried.
        """
        theta = self.theta
        enough = self.value + self._search.enough
        moves = self._moves(directions, enough)
        for move in sorted(moves, key=lambda move: -move.metric):
            self._go(self._search.allowed(_reached(theta, move), theta), self._touched(move))
            if self.value > enough:
                self._last = move.axis
                return True
            self._go(theta, self._touched(move))
        return False

    def _go(self, theta: Floats, stale: Flags) -> None:
        """Move to theta and rescore the lists that are marked in stale (n_lists,)."""
        from campanula.stages.kernels.solvers import sweep, visits

        search = self._search
        last, new = self._envelopes, self._old_envelopes
        outputs = new, self._winner, self._scratch
        visits.visit(search.lists, search.pieces, theta, stale, last, *outputs)
        self._old_envelopes, self._envelopes = last, new
        self.theta = theta
        self._total = sweep.winners_sum(self._winner, search.stats)
        self.value = float(search.metric(self._total[None])[0])

    def _touched(self, move: Move) -> Flags:
        """Return the mask (n_lists,) of the lists whose scores a move changes."""
        pieces, n_lists = self._search.pieces, len(self._winner)
        if move.axis < 0:
            return np.ones(n_lists, bool)
        touched = np.zeros(n_lists, bool)
        axis = slice(pieces.axis_pointer[move.axis], pieces.axis_pointer[move.axis + 1])
        touched[pieces.list[pieces.of_axis[axis]]] = True
        return touched

    def _moves(self, directions: Floats, least: float = -np.inf) -> Iterator[Move]:
        """Yield the best move along every direction and axis, if its metric is above `least`.

        The axis of the last move is left out: the point is the best one along it already.
        """
        from campanula.stages.kernels.lists.projection import project
        from campanula.stages.kernels.solvers import axes, visits

        search, theta = self._search, self.theta
        ends = search.low - theta, search.high - theta
        metric, step = self._best(search.pieces, self._envelopes, *ends)
        for k in np.flatnonzero(metric > least).tolist():
            if k != self._last:
                yield Move(float(metric[k]), float(step[k]), k)
        if len(directions):
            projected = project(search.lists, directions)
            along = axes.index(projected, np.ones(len(directions), bool))
            envelopes = axes.envelopes(along)
            visits.visit_along(search.lists, search.pieces, theta, along, envelopes, self._scratch)
            reach = [_ends(theta, direction, search.low, search.high) for direction in directions]
            metric, step = self._best(along, envelopes, *np.array(reach).T.copy())
            for k in np.flatnonzero(metric > least).tolist():
                yield Move(float(metric[k]), float(step[k]), -1, directions[k])

    def _best(
        self, pieces: Pieces, envelopes: Envelopes, low: Floats, high: Floats
    ) -> tuple[Floats, Floats]:
        """Return metric and step (n_axes,) of the best intervals within [low, high]; -inf: none."""
        from campanula.stages.kernels.solvers import sweep

        search, n_axes = self._search, len(low)
        lists, stats = search.lists, search.stats
        line = sweep.changes(
            pieces, lists.list_pointer, envelopes, self._winner, stats, self._total
        )
        unit = float(np.abs(self.theta[search.free]).max(initial=0.0)) or 1.0
        best, step = np.empty(n_axes), np.empty(n_axes)
        for first, last in _together(line.pointer):
            x, sums = sweep.interval_sums(line, first, last, sweep.in_order(line, first, last))
            value, pointer = search.metric(sums), line.pointer[first : last + 1]
            here = slice(first, last)
            best[here], step[here] = sweep.best_intervals(
                pointer, x, value, low[here], high[here], unit
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


def line_search(objective: Objective, theta: Floats, settings: LineSearchSettings) -> Solution:
    """Return the best weights of all climbs, from theta and from random points."""
    lists, stats, metric = objective.statistics()
    return Search(lists, stats, metric.corpus_values, objective.limits, settings).best(theta)


LINE_SEARCH = Solver(line_search, LineSearchSettings, corpus=True, streams=False, iterates=False)
