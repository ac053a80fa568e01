"""The interval that holds 95 % of a system's values over samples of the sentences.

The percentile interval of the bootstrap (Koehn 2004; Efron and Tibshirani 1993, 13.3): of the
values of B samples in order, those after the lowest and before the highest 2.5 %.  All systems see
the same samples, which are sacrebleu's for the same seed.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.stages.metrics.metric import Metric

OUTSIDE = 40  # one in so many samples lies outside at each end


def bootstrap_samples(stats: Ints, samples: int, seed: int) -> Ints:
    """Sums (samples, files, w) of statistics (n, files, w) over samples of the sentences."""
    from campanula.stages.kernels.metrics.resampling import bootstrap_sums

    n, files, width = stats.shape
    blocks = bootstrap_sums(stats.reshape(n, -1), samples, np.random.default_rng(seed))
    return np.concatenate(list(blocks)).reshape(samples, files, width)


def interval(metric: Metric, sums: Ints) -> tuple[float, float]:
    """Lower and upper end, in the metric's own units, of samples' sums (samples, replicates, w).

    The value of a sample is the mean of its replicates, as that of a system is.
    """
    samples, replicates, width = sums.shape
    value = metric.corpus_values(sums.reshape(-1, width)).reshape(samples, replicates).mean(axis=1)
    order = np.argsort(value, kind="stable")
    ends = (order[samples // OUTSIDE], order[samples - 1 - samples // OUTSIDE])
    low, high = sorted(mean_value(metric, sums[end]) for end in ends)
    return low, high


def values(metric: Metric, sums: Ints) -> tuple[float, ...]:
    """Corpus values of sums (replicates, w), in the metric's own units."""
    return tuple(metric.report(row).value for row in sums)


def mean_value(metric: Metric, sums: Ints) -> float:
    """Mean of the corpus values of sums (replicates, w)."""
    return float(np.mean(values(metric, sums)))
