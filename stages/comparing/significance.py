"""How likely a difference between two systems is by chance: two p-values of a metric, two-sided.

With the difference d of two systems' corpus values, from the sentences' statistics:

    randomisation   share of the ways to swap outputs, sentence by sentence, with |d*| >= |d|
                                    (Noreen 1989; Riezler and Maxwell 2005; Clark et al. 2011)
    bootstrap       share of the samples of sentences with |d* - d| >= |d|
                                    (Koehn 2004; centred as Efron and Tibshirani 1993, 16.4)

Only sentences whose outputs differ can be swapped.  Where these are so few that all ways can be
tried (ENUMERATED), all are, and the randomisation p is exact.  Else `trials` are drawn, and p is
(count + 1) / (trials + 1), since the outputs as they are count as one of the ways.  The bootstrap
always draws.

The text of a system with replicates (seeds of an optimizer) is that of all its replicates.  For a
sentence, randomisation deals the outputs of both systems and all replicates anew, as MultEval does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.metrics.metric import Metric

ENUMERATED = 1 << 16  # ways that are all tried: 16 sentences that differ, of single outputs


@dataclass(frozen=True, slots=True)
class Sampling:
    """Samples of the bootstrap, trials of the randomisation, and the seed of both (not 0)."""

    samples: int = 1000
    trials: int = 10000
    seed: int = 12345


class SystemStatistics(NamedTuple):
    """A system's statistics (n, replicates, w), and their sums (samples, replicates, w).

    The sums are over the bootstrap's samples of the sentences, the same for all systems.
    """

    stats: Ints
    samples: Ints


@dataclass(frozen=True, slots=True)
class Chance:
    """p-values of one system against another, two-sided.

    differing is the number of sentences whose statistics differ; exact says that all ways to swap
    them were tried, so that the randomisation p has no sampling error.
    """

    bootstrap: float
    randomisation: float
    differing: int
    exact: bool


def chance(
    metric: Metric,
    systems: tuple[SystemStatistics, SystemStatistics],
    sampling: Sampling,
    watch: Callable[[list[Ints]], Iterable[Ints]] = iter,
) -> Chance:
    """Return the p-values of the difference of two systems.

    watch: yields groups of sentences behind a progress bar.
    """
    from campanula.stages.kernels.metrics.resampling import as_large

    first, second = systems
    difference, scale = _difference(metric, *(system.stats.sum(axis=(0, 1)) for system in systems))
    # replicates are added up, not averaged: the text of a system is that of all its replicates
    drawn = [metric.corpus_values(system.samples.sum(axis=1)) for system in systems]
    # less the observed difference: what is asked is the spread where there is no difference
    sampled = drawn[1] - drawn[0] - difference
    # 1 is added above and below, as for drawn ways: a p-value of 0 would claim what no sample shows
    bootstrap = (as_large(sampled, difference, scale) + 1) / (len(sampled) + 1)
    stats = first.stats, second.stats
    swapped, differing, exact = _randomised(metric, stats, sampling, watch)
    count = as_large(swapped, difference, scale)
    # among all ways is the observed one, so nothing is added where all were tried
    randomisation = count / len(swapped) if exact else (count + 1) / (len(swapped) + 1)
    return Chance(bootstrap, randomisation, differing, exact)


def _difference(metric: Metric, first: Ints, second: Ints) -> tuple[float, float]:
    """Return the second sum's value less the first's, and the larger absolute value of both.

    The second number is the scale by which rounding errors are told from differences.
    """
    values = metric.corpus_values(np.stack([first, second]))
    return float(values[1] - values[0]), float(np.abs(values).max())


def _randomised(
    metric: Metric,
    stats: tuple[Ints, Ints],
    sampling: Sampling,
    watch: Callable[[list[Ints]], Iterable[Ints]],
) -> tuple[Floats, int, bool]:
    """Return differences (m,) of outputs dealt anew.

    Also returns the number of sentences that differ, and whether the m ways are all ways.
    """
    from campanula.stages.kernels.metrics.resampling import differing

    pool = np.concatenate(stats, axis=1)
    first = stats[0].shape[1]
    places = differing(pool)
    dealt, exact = _dealt(pool[places], first, sampling, watch)
    # the other sentences have equal statistics in all outputs: whichever is dealt, the sum is this
    same = np.delete(pool[:, 0], places, axis=0).sum(axis=0)
    mine = dealt + first * same
    # what is left goes to the second system; sums of integers, so this is exact
    others = pool.sum(axis=(0, 1)) - mine
    values = metric.corpus_values(others) - metric.corpus_values(mine)
    return values, len(places), exact


def _dealt(
    pool: Ints, first: int, sampling: Sampling, watch: Callable[[list[Ints]], Iterable[Ints]]
) -> tuple[Ints, bool]:
    """Return sums (m, w) of what the first system is dealt from sentences that differ.

    Also returns whether the m ways are all ways.
    """
    from campanula.stages.kernels.metrics.resampling import all_sums, dealt_sums, groups, ways

    if ways(len(pool), pool.shape[1], first) <= ENUMERATED:
        return all_sums(pool, first), True
    # anew for each pair: its p-value does not depend on which other systems are compared
    rng = np.random.default_rng(sampling.seed)
    return dealt_sums(watch(groups(pool, first)), first, sampling.trials, rng), False
