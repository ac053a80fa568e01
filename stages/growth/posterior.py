"""Passes over scored lists under the probabilities of a table: expected gains and counts.

    s(E) = theta . f(E) + sum over the rows that fire in E of
           lambda_f|e log(phi / phi_table) + lambda_e|f (the same of the other channel)

The lists' own dense features hold the table's scores as the decoder used them, so only the change
of the probabilities since then is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from campanula.formats.arrays.types import Floats, Ids
from campanula.formats.errors import DataError
from campanula.formats.files import display_name
from campanula.stages.growth.channel import Channel, PassCounts
from campanula.stages.parallel.threads import in_threads
from campanula.stages.tuning.sharded.folding import folded
from campanula.stages.tuning.sharded.sharded_set import ShardedSet
from campanula.stages.tuning.sharded.store import PackedShard


@dataclass(frozen=True, slots=True)
class Posterior:
    """Lists by shard, and how they are scored.

    theta (n_features,): weights, which do not change.  feature (n_fired,): ids of the blocks of the
    rows that fire, whose probabilities change.
    """

    shards: Sequence[PackedShard]
    theta: Floats
    feature: Ids
    jobs: int = 1

    @classmethod
    def of(cls, data: ShardedSet, theta: Floats, feature: Ids, jobs: int = 1) -> Posterior:
        """Return the posterior of lists; the scores of all other features are added up once."""
        free = np.zeros(len(theta))
        free[feature] = 1.0
        return cls(folded(data, theta, free).shards, theta, feature, jobs)

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return sum(len(shard.sid) for shard in self.shards)

    def counts(self, channels: Iterable[Channel]) -> PassCounts:
        """Pass over all lists and return the counts.

        Raises DataError for scores that overflow, and if no hypothesis has a gain above 0.
        """
        theta = self.theta.copy()
        for channel in channels:
            theta[self.feature] += channel.change()
        total = np.zeros((len(theta), 2))
        gain = 0.0

        def over(shard: PackedShard) -> tuple[PackedShard, Floats, float]:
            return shard, *counts_of(shard, theta)

        # one shard ahead, since sums (n_features, 2) of every shard ahead wait in memory
        for shard, sums, value in in_threads(over, self.shards, self.jobs, ahead=1):
            total[shard.ids] += sums  # each id is there once
            gain += value
        if not gain > 0.0:
            problem = "expected a hypothesis with a gain above 0, found none"
            raise DataError(display_name(self.shards[0].name), None, problem)
        raised, lowered = np.ascontiguousarray(total[self.feature].T)
        return PassCounts(gain, raised, lowered)


def counts_of(shard: PackedShard, theta: Floats) -> tuple[Floats, float]:
    """Return counts (n_features, 2), raised and lowered, of a shard's features, and its gain.

    The gain is the sum of the lists' expected gains.
    """
    from campanula.stages.kernels.shards.growth import posterior_counts

    sums = np.zeros((shard.n_features, 2))
    value = np.zeros(1)
    bad = posterior_counts(shard.lists, shard.gathered(theta), sums, value)
    if bad >= 0:
        problem = "expected finite scores under these weights, found one that is not"
        place = f"sentence {shard.sid[bad]}"
        raise DataError(display_name(shard.name), place, f"{problem}: numbers too large")
    return sums, float(value[0])
