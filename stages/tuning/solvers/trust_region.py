"""How far a line search may go from where it starts, by how many lists it has.

    |theta_k - theta0_k| spread(f_k)  <=  trust sqrt(N) spread(theta0 . f)

where spread is the deviation within lists, sqrt(mean of (x_ij - mean_i x)^2).  So no single weight
changes scores by more than `trust sqrt(N)` of the amount by which they differ, and the scales of
features and weights do not matter.  A search on few sentences finds weights that overfit the lists
at hand; decoding with them gives other lists (Cer et al. 2008; Foster and Kuhn 2009; Galley et al.
2013 penalise the distance).  The error of a corpus metric falls with 1 / sqrt(N), so the region
grows with sqrt(N).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.kernels.lists.lists import Lists
from campanula.stages.tuning.restraints import Restraints

if TYPE_CHECKING:
    from campanula.stages.kernels.solvers.axes import Pieces


def confined(
    limits: Restraints, lists: Lists, pieces: Pieces, theta: Floats, trust: float
) -> Restraints:
    """Return the limits narrowed to the region around theta.

    A feature that is constant within every list cannot move.  If all scores are equal, as under
    weights of 0, there is no scale to measure by, and the limits are returned as they are.
    """
    from campanula.stages.kernels.lists.scores import score_lists
    from campanula.stages.kernels.solvers import axes

    score_spread = spread(score_lists(lists, theta), lists.list_pointer)
    if score_spread == 0.0:
        return limits
    feature_spread = axes.spreads(pieces, lists.list_pointer)
    divisor = np.where(feature_spread > 0.0, feature_spread, np.inf)  # inf: a radius of 0
    radius = trust * np.sqrt(lists.n_lists) * score_spread / divisor
    # climb 0 starts at theta moved into the bounds, so the region must be around that point
    theta = np.clip(theta, limits.low, limits.high)
    low = np.maximum(limits.low, theta - radius)
    high = np.minimum(limits.high, theta + radius)
    return replace(limits, low=low, high=high)


def spread(value: Floats, list_pointer: Ints) -> float:
    """Return the root mean square of values (n_hyps,) minus the mean of their list."""
    size = np.diff(list_pointer)
    mean = np.add.reduceat(value, list_pointer[:-1]) / size
    return float(np.sqrt(np.square(value - np.repeat(mean, size)).mean()))
