"""How far a line search may go from where it starts, by how many lists it has.

    |theta_k - theta0_k| spread(f_k)  <=  trust sqrt(N) spread(theta0 . f)

with the spread of numbers within their lists, sqrt(mean of (x_ij - mean_i x)^2), so that no single
weight changes scores by more than that share of what they differ by; the scale of a feature and of
the weights is no matter.  A search on few sentences finds weights that fit the lists at hand, and
whose own lists are others (Cer et al. 2008; Foster and Kuhn 2009; Galley et al. 2013 penalise the
distance).  The error of a corpus metric falls with 1 / sqrt(N), so the region grows with sqrt(N).
Where nothing in it gains, as on a handful of sentences from bad weights, it is doubled until
something gains more than the standard error of that gain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.restraints import Restraints

if TYPE_CHECKING:
    from campanula.stages.kernels.solvers.axes import Pieces


WIDEST = 0.3  # of the scores' spread: on 100 sentences a region of that size kept lists sensible


def doubled(trust: float, n_lists: int) -> Iterator[float]:
    """Yield sizes to try where nothing gains: twice `trust`, twice that, up to WIDEST."""
    widest = WIDEST / math.sqrt(n_lists)
    while trust < widest:
        trust = min(2.0 * trust, widest)
        yield trust


def gain_over_error(
    metric: Callable[[Ints], Floats], before: Ints, after: Ints, n_samples: int = 200
) -> float:
    """A gain of a corpus metric over its standard error, by the paired bootstrap; 0 of none.

    before and after are the statistics (N, n_stats) of the outputs.  The samples are the same at
    every call.
    """
    n = len(before)
    drawn = np.random.default_rng(0).integers(0, n, (n_samples, n))
    counts = np.array([np.bincount(row, minlength=n) for row in drawn])
    gains = metric(counts @ after) - metric(counts @ before)
    gain = metric(after.sum(0, keepdims=True)) - metric(before.sum(0, keepdims=True))
    error = float(gains.std())
    return float(gain[0]) / error if error > 0.0 else 0.0


def confined(
    limits: Restraints, lists: Lists, pieces: Pieces, theta: Floats, trust: float
) -> Restraints:
    """The limits within the region around theta; a feature that is the same in each list stays.

    Where all scores are the same, as under weights of 0, there is no measure, and no region.
    """
    from campanula.stages.kernels.lists.scores import score_lists
    from campanula.stages.kernels.solvers import axes

    scores = spread(score_lists(lists, theta), lists.list_pointer)
    if scores == 0.0:
        return limits
    features = axes.spreads(pieces, lists.list_pointer)
    radius = trust * np.sqrt(lists.n_lists) * scores / np.where(features > 0.0, features, np.inf)
    theta = np.clip(theta, limits.low, limits.high)
    low, high = np.maximum(limits.low, theta - radius), np.minimum(limits.high, theta + radius)
    return replace(limits, low=low, high=high)


def spread(value: Floats, list_pointer: Ints) -> float:
    """Spread within lists of a number (n_hyps,) of all hypotheses."""
    size = np.diff(list_pointer)
    mean = np.add.reduceat(value, list_pointer[:-1]) / size
    return float(np.sqrt(np.square(value - np.repeat(mean, size)).mean()))
