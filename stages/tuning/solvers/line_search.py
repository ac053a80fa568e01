"""Line search: minimum error rate training by exact line minimisation (Och 2003).

    theta = argmax_theta  metric( sum_i stats(argmax_j theta . f_ij) )         (G&S Eq. 3)

From a point, the metric is known exactly in every interval of every line through it (sweep.py).
One step goes along the axis, or the random direction, that gains most; a climb ends where none
gains enough.  Climbs start from the initial weights and from random points; the best end
wins.  With `trust` all of this is in a region around the initial weights (trust_region.py).  Climbs
know nothing of each other, so the number of threads does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.restraints import Restraints
from campanula.stages.tuning.solvers.solver import Solution, Solver
from campanula.stages.tuning.solvers.trust_region import confined

if TYPE_CHECKING:
    from collections.abc import Callable

    from campanula.stages.kernels.solvers.axes import Envelopes, Pieces

    CorpusValues = Callable[[Ints], Floats]  # sums of statistics (n, n_stats) -> (n,), best high

Line = tuple[Floats, Any, Any]  # where winners change, what that adds, the sum at the left end

LOW, HIGH = 0.0, 1.0  # random starts are uniform between these, and within the bounds
ENOUGH = 1e-4  # a step gains more


@dataclass(frozen=True, slots=True)
class LineSearchSettings:
    """restarts: climbs from random points; random_directions: tried at each step, beside the axes.

    trust: how far weights may go, 0 for as far as they like; jobs: threads; how many does not
    matter to the result.
    """

    restarts: int = 20
    random_directions: int = 0
    seed: int = 1
    jobs: int = 1
    trust: float = 0.0


@dataclass(frozen=True, slots=True)
class Move:
    """A step along a direction (n_features,), and the metric it promises; axis -1: no axis."""

    metric: float
    step: float
    axis: int
    direction: Floats | None = None


class Search:
    """What climbs share: lists, statistics (n_hyps, n_stats), metric, and the index of the axes."""

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

    def start(self, theta: Floats, number: int) -> Floats:
        """Where climb `number` starts: 0 from theta, the others from random points."""
        rng = np.random.default_rng([self.settings.seed, number])
        drawn = rng.uniform(*self.drawn_from, len(theta))
        return self.allowed(theta if number == 0 else drawn, theta)

    def allowed(self, theta: Floats, frozen: Floats) -> Floats:
        """Theta within the bounds, and with the weights of `frozen` where they are not free."""
        return np.where(self.free, np.clip(theta, self.low, self.high), frozen)

    def best(self, theta: Floats) -> Solution:
        """Best weights of all climbs, the first of those as good; history: 1 - the best so far.

        Weights that are all zero give way to others as good: they tell no hypotheses apart.
        """
        from campanula.stages.threads import in_order

        if self.settings.trust:
            self._confine(theta)
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
        """Keep to the region around theta, and start within it."""
        region = confined(self.limits, self.lists, self.pieces, theta, self.settings.trust)
        if region is not self.limits:
            self.low, self.high = region.low, region.high
            ends = (np.where(self.free, end, 0.0) for end in (self.low, self.high))
            self.drawn_from = (next(ends), next(ends))

    def climb(self, theta: Floats, number: int) -> tuple[Floats, float]:
        """Go up until no direction gains enough; returns theta and the metric there."""
        rng = np.random.default_rng([self.settings.seed, number, 1])
        point = Point(self, theta)
        while point.step(self._directions(rng)):
            pass
        return point.theta, point.value

    def _directions(self, rng: np.random.Generator) -> Floats:
        """Random directions (N, n_features) of length 1 over the free features."""
        drawn = rng.standard_normal((self.settings.random_directions, len(self.free))) * self.free
        drawn /= np.maximum(np.linalg.norm(drawn, axis=1, keepdims=True), 1e-300)
        return drawn


class Point:
    """Where a climb is: theta, the corpus metric, the winners, and the envelopes of all axes."""

    def __init__(self, search: Search, theta: Floats) -> None:
        from campanula.stages.kernels.solvers import axes, envelope

        pieces, n_lists = search.pieces, search.lists.n_lists
        self._search = search
        self._every = np.arange(n_lists)
        self._score = np.empty(pieces.pad[-1])
        self._winner = np.empty(n_lists, np.int64)
        self._room = envelope.scratch(int(np.diff(pieces.pad).max()))
        self._old_envelopes, self._envelopes = axes.envelopes(pieces), axes.envelopes(pieces)
        self._stale = np.ones(n_lists, bool)
        self._last = -1
        self._go(theta, self._every)

    def step(self, directions: Floats) -> bool:
        """Take the best move; or stay and return False, if none gains enough.

        A move that keeps less than it promised was rounding; then the next best has its turn.
        """
        theta = self.theta
        enough = self.value + self._search.enough
        moves = [move for move in self._moves(directions) if move.metric > enough]
        self._stale[:] = False
        for move in sorted(moves, key=lambda move: -move.metric):
            self._go(self._search.allowed(_reached(theta, move), theta), self._touched(move))
            if self.value > enough:
                self._last = move.axis
                return True
            self._go(theta, self._touched(move))
        return False

    def _go(self, theta: Floats, which: Ints) -> None:
        """Move to theta and rescore the lists `which`."""
        from campanula.stages.kernels.solvers import sweep

        search = self._search
        sweep.rescore(search.lists, which, theta, search.pieces.pad, self._score, self._winner)
        self.theta = theta
        self._total = sweep.winners_sum(self._winner, search.stats)
        self.value = float(search.metric(self._total[None])[0])
        self._stale[which] = True

    def _touched(self, move: Move) -> Ints:
        pieces = self._search.pieces
        if move.axis < 0:
            return self._every
        axis = slice(pieces.axis_pointer[move.axis], pieces.axis_pointer[move.axis + 1])
        return pieces.list[pieces.of_axis[axis]].astype(np.int64)

    def _moves(self, directions: Floats) -> Iterator[Move]:
        """Yield the best move along every axis but the last one's, and every direction."""
        from campanula.stages.kernels.solvers import axes, sweep

        search = self._search
        self._old_envelopes, self._envelopes = self._envelopes, self._old_envelopes
        sweep.find_envelopes(
            search.pieces,
            self._stale,
            self._score,
            self._old_envelopes,
            self._envelopes,
            self._room,
        )
        for k, line in self._lines(search.pieces, self._envelopes):
            if k != self._last:
                ends = search.low[k] - self.theta[k], search.high[k] - self.theta[k]
                yield Move(*self._best(*line, *ends), k)
        if len(directions):
            along = axes.project(search.lists, directions)
            pieces = axes.index(along, np.ones(len(directions), bool))
            every = np.ones(len(self._winner), bool)
            none, envelopes = axes.envelopes(pieces), axes.envelopes(pieces)
            sweep.find_envelopes(pieces, every, self._score, none, envelopes, self._room)
            for k, line in self._lines(pieces, envelopes):
                ends = _ends(self.theta, directions[k], search.low, search.high)
                yield Move(*self._best(*line, *ends), -1, directions[k])

    def _lines(self, pieces: Pieces, envelopes: Envelopes) -> Iterator[tuple[int, Line]]:
        """Yield every axis along which a winner changes, with where and how."""
        from campanula.stages.kernels.solvers import sweep

        search = self._search
        pointer, x, added, left = sweep.changes(
            pieces,
            search.lists.list_pointer,
            envelopes,
            self._winner,
            search.stats,
            self._total,
        )
        for k in np.flatnonzero(np.diff(pointer)).tolist():
            here = slice(pointer[k], pointer[k + 1])
            yield k, (x[here], added[here], left[k])

    def _best(
        self, x: Floats, added: Any, left: Any, low: float, high: float
    ) -> tuple[float, float]:
        """Metric and step of the best interval of a line within [low, high]."""
        from campanula.stages.kernels.solvers import sweep

        search = self._search
        order = np.argsort(x)
        value = search.metric(sweep.interval_sums(order, added, left))
        unit = float(np.abs(self.theta[search.free]).max(initial=0.0)) or 1.0
        return sweep.best_interval(x[order], value, low, high, unit)


def _narrow(stats: Ints) -> Any:
    """Statistics in 4 bytes each where that holds them and their differences: less to read."""
    fits = np.abs(stats).max(initial=0) < 1 << 30
    return np.ascontiguousarray(stats, np.int32 if fits else np.int64)


def _reached(theta: Floats, move: Move) -> Floats:
    reached = theta.copy()
    if move.direction is None:
        reached[move.axis] += move.step
    else:
        reached += move.step * move.direction
    return reached


def _ends(theta: Floats, direction: Floats, low: Floats, high: Floats) -> tuple[float, float]:
    """Least and greatest step along a direction that keeps to the bounds."""
    moved = direction != 0.0
    one, other = ((bound - theta)[moved] / direction[moved] for bound in (low, high))
    least = np.minimum(one, other).max(initial=-np.inf)
    return float(least), float(np.maximum(one, other).min(initial=np.inf))


def line_search(objective: Objective, theta: Floats, settings: LineSearchSettings) -> Solution:
    """Best weights of all climbs from theta and from random points."""
    lists, stats, metric = objective.statistics()
    return Search(lists, stats, metric.corpus_values, objective.limits, settings).best(theta)


LINE_SEARCH = Solver(line_search, LineSearchSettings, corpus=True, streams=False, iterates=False)
