"""How far a line search may go from where it starts, by how many lists it has.

    |theta_k - theta0_k| spread(f_k)  <=  trust sqrt(N) spread(theta0 . f)

with the spread of numbers within their lists, sqrt(mean of (x_ij - mean_i x)^2), so that no single
weight changes scores by more than that share of what they differ by; the scale of a feature and of
the weights is no matter.  A search on few sentences finds weights that fit the lists at hand, and
whose own lists are others (Cer et al. 2008; Foster and Kuhn 2009; Galley et al. 2013 penalise the
distance).  The error of a corpus metric falls with 1 / sqrt(N), so the region grows with sqrt(N).
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
