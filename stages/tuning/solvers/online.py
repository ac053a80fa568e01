"""Online training on relevant sets, from the weights w0 on (T&Z Tables II and III, Eq. 7).

R epochs over the sentences, each in another random order.  The step on a sentence, where
kernels/relevant/choices.py picks s and t under the current w:

    table2   w <- w + eta (x_s - x_t) (B_s - B_t)                          costmargin
    eq7      w <- w + eta / K sum_k dB_k y_k (1 - w . y_k)_+                costmargin, K truths
             w <- w + eta (x_s - x_t)                                       relevant-perceptron

Beside that, each step descends on lambda |w|^2.  Eq. 7 leaves out the 2 of the square's slope, so
there the L2 step leaves out its 2 as well: both then descend on one objective.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from campanula.stages.kernels.relevant.records import EQUATION_7, ScaledWeights
from campanula.stages.tuning.misfit import Misfit
from campanula.stages.tuning.regularised import nothing
from campanula.stages.tuning.relevant.orders import MEMORY, SentenceOrders
from campanula.stages.tuning.solvers.solver import DONE, Solution, Solver

if TYPE_CHECKING:
    from campanula.formats.arrays.types import Floats
    from campanula.stages.tuning.relevant.relevant_objective import RelevantObjective
    from campanula.stages.tuning.relevant.relevant_sets import RelevantSets

UPDATES = ("table2", "eq7")


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    """Epochs R, the step size, the update, and lambda of L2; memory: most bytes of sets held."""

    epochs: int = 40
    eta: float = 1e-4
    shuffle: bool = True
    update: str = "table2"
    printed_sign: bool = False
    lambda_: float = 0.0
    memory: int = MEMORY
    seed: int = 1


def shrink_of(update: int, eta: float, penalty: float) -> float:
    """Return the factor of L2, by which a step multiplies the weights; Misfit unless above 0."""
    shrink = 1.0 - eta * penalty * (1.0 if update == EQUATION_7 else 2.0)
    if shrink <= 0.0:
        raise Misfit("`eta` times `lambda_` is too large: a step would turn the weights around")
    return shrink


def online(objective: RelevantObjective, theta: Floats, settings: OnlineSettings) -> Solution:
    """Train from theta (n_features,); history has the number of updates of each epoch."""
    from campanula.stages.kernels.relevant.online import epoch, room_of, scores_of

    sets = objective.data.sets
    rule = objective.rule
    free = objective.limits.free > 0.0
    packed = objective.data.packed
    fixed = base = np.zeros(0)
    # w is kept as factor * u, so that shrinking costs one multiplication; weights that may not move
    # must not shrink either, so they and their scores are kept apart
    if rule.shrink != 1.0 and not free.all():
        fixed = np.where(free, 0.0, theta)
        base = scores_of(sets, packed.placed(fixed))
        theta = theta - fixed
    u = packed.placed(theta)
    mask = np.zeros(0, np.bool_) if free.all() else packed.placed(free)
    weights = ScaledWeights(u, np.ones(1), base, mask)
    scratch = room_of(sets)
    updates: list[float] = []
    order = order_of(objective.data, settings)
    for _ in range(settings.epochs):
        count = 0
        for block in objective.data.fetched(order.epoch()):
            count += epoch(sets, block, rule, weights, scratch)
        updates.append(count)
        if objective.after is not nothing:  # else spare the arrays (n_features,) of _whole
            objective.after(_whole(packed.by_id(weights.u), weights.factor[0], fixed))
    return Solution(_whole(packed.by_id(weights.u), weights.factor[0], fixed), updates, DONE)


def order_of(data: RelevantSets, settings: OnlineSettings) -> SentenceOrders:
    """Return the order of the sentences in each epoch; by blocks where sets exceed the memory."""
    return SentenceOrders(data.n_lists, settings.shuffle, settings.seed, data.in_blocks)


def _whole(u: Floats, factor: float, fixed: Floats) -> Floats:
    """Return w = fixed + factor u (n_features,), indexed by feature ids; empty `fixed` is 0."""
    w = u if factor == 1.0 else factor * u
    return fixed + w if len(fixed) else w


ONLINE = Solver(online, OnlineSettings, bounds=False, streams=False, sets=True)
