"""The interval that holds 95 % of a system's values over samples of the sentences.

The percentile interval of the bootstrap (Koehn 2004; Efron and Tibshirani 1993, 13.3): of the
values of B samples in order, the first after the lowest 2.5 % and the last before the highest
2.5 %.  All systems see the same samples, which are sacrebleu's for the same seed.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.metrics.metric import Metric

OUTSIDE = 40  # one in so many samples lies outside at each end


def bootstrap_samples(stats: Ints, samples: int, seed: int) -> Ints:
    """Return sums (samples, files, w) of statistics (n, files, w) over samples of sentences."""
    from campanula.stages.kernels.metrics.resampling import bootstrap_sums

    n, files, width = stats.shape
    # all files side by side, so that all are summed over the same samples
    blocks = bootstrap_sums(stats.reshape(n, -1), samples, np.random.default_rng(seed))
    return np.concatenate(list(blocks)).reshape(samples, files, width)


def interval(metric: Metric, sums: Ints) -> tuple[float, float]:
    """Return lower and upper end of the interval, in the metric's own units.

    sums: of samples (samples, replicates, w).  The value of a sample is the mean of its replicates,
    as the value of a system is.
    """
    # `ends` orders values of which higher ones are better; an error rate in its own units is low
    # where it is good, so the lower end may come last
    low, high = sorted(mean_value(metric, sums[end]) for end in ends(_sampled(metric, sums)))
    return low, high


def interval_of_difference(metric: Metric, first: Ints, second: Ints) -> tuple[float, float]:
    """Return the interval of the second system's value less the first's, over the same samples."""
    difference = _sampled(metric, second) - _sampled(metric, first)
    low, high = sorted(
        mean_value(metric, second[end]) - mean_value(metric, first[end]) for end in ends(difference)
    )
    return low, high


def _sampled(metric: Metric, sums: Ints) -> Floats:
    """Return values (samples,), means over the replicates, of sums (samples, replicates, w)."""
    samples, replicates, width = sums.shape
    value = metric.corpus_values(sums.reshape(-1, width)).reshape(samples, replicates)
    return np.asarray(value.mean(axis=1), np.float64)


def ends(value: Floats) -> tuple[int, int]:
    """Return the places of the samples whose values (samples,) are the ends of the interval."""
    # stable, so that equal values give the same two samples on any machine
    order = np.argsort(value, kind="stable")
    outside = len(value) // OUTSIDE
    return int(order[outside]), int(order[len(value) - 1 - outside])


def values(metric: Metric, sums: Ints) -> tuple[float, ...]:
    """Return the corpus values of sums (replicates, w), in the metric's own units."""
    return tuple(metric.report(row).value for row in sums)


def mean_value(metric: Metric, sums: Ints) -> float:
    """Return the mean of the corpus values of sums (replicates, w), in the metric's own units."""
    return float(np.mean(values(metric, sums)))
