"""Growth transformation: steps of both phrase channels that never lower the objective.

    O = log((1/N) sum_n <beta>_n) - tau (KL(phi0 || phi) of p(f|e) + KL(phi0 || phi) of p(e|f))

where KL(phi0 || phi) is the sum over all conditions i of sum_j phi0_ij log(phi0_ij / phi_ij).  Both
channels take a step from the same posteriors.  He and Deng's D is not so large that a step never
lowers O; where one does, it is taken back, D is doubled, and so on.  The next step begins with half
of what D was multiplied by, since every attempt is a pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from campanula.stages.growth.channel import Channel, PassCounts
from campanula.stages.growth.posterior import Posterior

Channels = tuple[Channel, ...]
After = Callable[[Channels], None]
MOST = 60  # times that D is doubled in a step: there is nothing left to gain then
DONE = "iterations done"
NO_STEP = "no step raises the objective"


@dataclass(frozen=True, slots=True)
class GrowthSettings:
    """iterations at most; tau: strength of KL(phi0 || phi)."""

    iterations: int = 40
    tau: float = 1e-4


@dataclass(slots=True)
class GrowthSolution:
    """Channels after the last step, the objective at the start and after each, and why it stopped.

    gains: the expected gain, as `history`; both have all iterations, though the last may have come
    to no step; steps: how many did; doubled: how often D was doubled, in all.
    """

    channels: Channels
    history: list[float]
    gains: list[float]
    steps: int = 0
    doubled: int = 0
    reason: str = DONE


@dataclass(frozen=True, slots=True)
class _Point:
    """Channels, a pass over the lists under them, and the objective."""

    channels: Channels
    counts: PassCounts
    gain: float
    value: float

    @classmethod
    def of(cls, posterior: Posterior, channels: Channels, tau: float) -> _Point:
        counts = posterior.counts(channels)
        gain = counts.gain / posterior.n_lists
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
    """Raise the objective from where the channels are; `after` is called with those of each step.

    watch: what the numbers of the steps go through, such as a progress bar.
    """
    tau, times = settings.tau, 1.0
    point = _Point.of(posterior, channels, tau)
    grown = GrowthSolution(channels, [point.value], [point.gain])
    for _ in watch(range(settings.iterations)):
        if grown.reason == DONE:
            times = max(times / 2.0, 1.0)
            found, doubled = _step(posterior, point, tau, times)
            times *= 2.0**doubled
            grown.doubled += doubled
            if found is None:
                grown.reason = NO_STEP
            else:
                point = found
                grown.steps += 1
        grown.channels = point.channels
        grown.history.append(point.value)
        grown.gains.append(point.gain)
        after(point.channels)
    return grown


def _step(
    posterior: Posterior, point: _Point, tau: float, times: float
) -> tuple[_Point | None, int]:
    """Where a step leads that does not lower the objective, and how often D was doubled for it.

    None where no step is small enough.
    """
    for doubled in range(MOST):
        larger = times * 2.0**doubled
        moved = tuple(c.moved(point.counts, tau, larger) for c in point.channels)
        new = _Point.of(posterior, moved, tau)
        if new.value >= point.value:
            return new, doubled
    return None, MOST
