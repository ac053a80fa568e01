"""Growth transformation: steps of both phrase channels that never lower the objective.

    O = log((1/N) sum_n <beta>_n) - tau (KL(phi0 || phi) of p(f|e) + KL(phi0 || phi) of p(e|f))

where KL(phi0 || phi) is the sum over all conditions i of sum_j phi0_ij log(phi0_ij / phi_ij).  Both
channels take a step from the same posteriors.  With He and Deng's D a step may still lower O; such
a step is taken back and tried again with D doubled, until it does not.  The next step begins with
half of the last factor of D: every attempt costs a pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from campanula.stages.growth.channel import Channel, PassCounts
from campanula.stages.growth.posterior import Posterior

Channels = tuple[Channel, ...]
After = Callable[[Channels], None]
MOST = 60  # times that D is doubled in a step; the probabilities then hardly move
DONE = "iterations done"
NO_STEP = "no step raises the objective"


@dataclass(frozen=True, slots=True)
class GrowthSettings:
    """Settings; iterations: most steps to take.  tau: strength of KL(phi0 || phi)."""

    iterations: int = 40
    tau: float = 1e-4


@dataclass(slots=True)
class GrowthSolution:
    """Channels after the last step, and how they came about.

    history, gains: objective and expected gain at the start and after each iteration, those without
    a step among them.  steps: number of steps.  doubled: how often D was doubled in all.  reason:
    why it stopped.
    """

    channels: Channels
    history: list[float]
    gains: list[float]
    steps: int = 0
    doubled: int = 0
    reason: str = DONE


@dataclass(frozen=True, slots=True)
class _Point:
    """Channels, the counts of a pass under them, the expected gain, the objective (value)."""

    channels: Channels
    counts: PassCounts
    gain: float
    value: float

    @classmethod
    def of(cls, posterior: Posterior, channels: Channels, tau: float) -> _Point:
        counts = posterior.counts(channels)
        gain = counts.gain / posterior.n_lists
        # above 0: a pass without any gain is an error
        value = math.log(gain)
        value -= tau * sum(channel.divergence() for channel in channels)
        return cls(channels, counts, gain, value)


def transform(
    posterior: Posterior,
    channels: Channels,
    settings: GrowthSettings,
    after: After = lambda channels: None,
    watch: Callable[[Iterable[int]], Iterable[int]] = lambda steps: steps,
) -> GrowthSolution:
    """Raise the objective, beginning with `channels`.

    after: called with the channels after each iteration.  watch: yields the numbers of iterations
    behind a progress bar.
    """
    tau = settings.tau
    times = 1.0  # factor of D
    point = _Point.of(posterior, channels, tau)
    grown = GrowthSolution(channels, [point.value], [point.gain])
    for _ in watch(range(settings.iterations)):
        # after a failed step nothing is tried again, but `after` is still called: callers count
        # iterations
        if grown.reason == DONE:
            times = max(times / 2.0, 1.0)
            following, doubled = _step(posterior, point, tau, times)
            times *= 2.0**doubled
            grown.doubled += doubled
            if following is None:
                grown.reason = NO_STEP
            else:
                point = following
                grown.steps += 1
        grown.channels = point.channels
        grown.history.append(point.value)
        grown.gains.append(point.gain)
        after(point.channels)
    return grown


def _step(
    posterior: Posterior, point: _Point, tau: float, times: float
) -> tuple[_Point | None, int]:
    """Return the point after a step that does not lower the objective, or None if there is none.

    Also returns how often D was doubled for it.  times: the factor of D to begin with.
    """
    for doubled in range(MOST):
        larger = times * 2.0**doubled
        moved = tuple(c.moved(point.counts, tau, larger) for c in point.channels)
        new = _Point.of(posterior, moved, tau)
        if new.value >= point.value:
            return new, doubled
    return None, MOST
