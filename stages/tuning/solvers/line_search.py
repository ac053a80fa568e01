"""Line search: minimum error rate training by exact line minimisation (Och 2003).

    theta = argmax_theta  metric( sum_i stats(argmax_j theta . f_ij) )         (G&S Eq. 3)

From a point, the metric is known exactly in every interval of every line through it
(climb_point.py).  One step goes along the axis, or the random direction, that gains most; a climb
ends where none gains enough.  Climbs start from the initial weights and from random points;
the best end wins.  With `trust` all climbs stay in a region around the initial weights
(trust_region.py).  Climbs are independent, so the number of threads does not change the result.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.arrays.types import Floats
from campanula.stages.tuning.objective import Objective
from campanula.stages.tuning.solvers.climb_point import ClimbPoint, SearchSpace
from campanula.stages.tuning.solvers.solver import Solution, Solver
from campanula.stages.tuning.solvers.trust_region import confined

if TYPE_CHECKING:
    from campanula.stages.kernels.solvers.axes import Envelopes

LOW, HIGH = 0.0, 1.0  # random starts are uniform between these, and within the bounds
ENOUGH = 1e-4  # a step must gain more than this


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


class Search:
    """Climbs in one space; enough: the gain of the metric that a step must exceed."""

    def __init__(
        self, space: SearchSpace, settings: LineSearchSettings, enough: float = ENOUGH
    ) -> None:
        self._space = space
        self._settings = settings
        self._enough = enough
        self._drawn_from: tuple[Any, Any] = (LOW, HIGH)

    def best(self, theta: Floats) -> Solution:
        """Return the best weights of all climbs, the first of equal ones; history: 1 - best so far.

        Weights that are all zero lose a tie: they give all hypotheses one score.
        """
        from campanula.stages.parallel.threads import in_threads

        settings = self._settings
        if settings.trust:
            self._confine(theta)
        # with the envelopes at the start of climb 0 all climbs begin as a guess
        nearby = ClimbPoint(self._space, self._start(theta, 0)).envelopes
        best = theta
        top = -np.inf
        history: list[float] = []
        starts = [(self._start(theta, n), n, nearby) for n in range(settings.restarts + 1)]
        for reached, value in in_threads(lambda start: self.climb(*start), starts, settings.jobs):
            if value > top or (value == top and not best.any()):
                best = reached
                top = value
            history.append(1.0 - top)
        where = " in the region of --trust" if settings.trust else ""
        return Solution(best, history, f"no direction gains more than {self._enough:g}{where}")

    def _start(self, theta: Floats, number: int) -> Floats:
        """Return where climb `number` starts: 0 at theta, the others at random points."""
        # a seed for each climb, so that a climb draws the same numbers in any thread
        rng = np.random.default_rng([self._settings.seed, number])
        drawn = rng.uniform(*self._drawn_from, len(theta))
        return self._space.allowed(theta if number == 0 else drawn, theta)

    def _confine(self, theta: Floats) -> None:
        """Narrow the bounds to the region around theta, and draw starts from the region."""
        space = self._space
        region = confined(space.limits, space.lists, space.pieces, theta, self._settings.trust)
        if region is not space.limits:
            self._space = replace(space, limits=region)
            # what is drawn for a weight that is not free is not used (`allowed`)
            lowest, highest = (np.where(space.free, end, 0.0) for end in (region.low, region.high))
            self._drawn_from = (lowest, highest)

    def climb(
        self, theta: Floats, number: int, nearby: Envelopes | None = None
    ) -> tuple[Floats, float]:
        """Take steps until no direction gains enough; return theta and the metric there."""
        rng = np.random.default_rng([self._settings.seed, number, 1])
        point = ClimbPoint(self._space, theta, nearby)
        while point.step(self._directions(rng), self._enough):
            pass
        return point.theta, point.value

    def _directions(self, rng: np.random.Generator) -> Floats:
        """Return random directions (N, n_features) of length 1 over the free features."""
        free = self._space.free
        # a normal draw in each coordinate makes all directions equally likely
        drawn = rng.standard_normal((self._settings.random_directions, len(free))) * free
        # a direction of zeros, where nothing is free, stays one instead of turning into NaN
        drawn /= np.maximum(np.linalg.norm(drawn, axis=1, keepdims=True), 1e-300)
        return drawn


def line_search(objective: Objective, theta: Floats, settings: LineSearchSettings) -> Solution:
    """Return the best weights of all climbs, from theta and from random points."""
    lists, stats, metric = objective.statistics()
    space = SearchSpace.of(lists, stats, metric.corpus_values, objective.limits)
    return Search(space, settings).best(theta)


LINE_SEARCH = Solver(line_search, LineSearchSettings, corpus=True, streams=False, iterates=False)
