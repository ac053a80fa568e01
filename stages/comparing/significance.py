"""How likely a difference between two systems is by chance: two p-values of a metric.

    bootstrap       paired bootstrap resampling of the sentences                  (Koehn 2004)
    randomisation   approximate randomisation, stratified by sentence      (Clark et al. 2011)

Of two single outputs they are sacrebleu's own; or ours to the same effect where sacrebleu's would
need too much memory, and under a metric that it does not have.  With replicates of a system (seeds
of an optimizer) they are as in MultEval: a system is the text of all its replicates, and
randomisation deals the outputs of a sentence, of both systems and all replicates, out anew.  No
difference at all has p = 1, where sacrebleu and MultEval, which count differences above the one
found, come near 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.metrics.metric import Metric

if TYPE_CHECKING:
    from campanula.stages.metrics.sacrebleu_parts import Judge

# sentences times samples: sacrebleu holds all samples in memory at once, 8 bytes each, ours do not
LARGE = 1 << 25


@dataclass(frozen=True, slots=True)
class Sampling:
    """Samples of the bootstrap, trials of the randomisation, and the seed of both (not 0)."""

    samples: int = 1000
    trials: int = 10000
    seed: int = 12345


@dataclass(frozen=True, slots=True)
class Chance:
    """p-values of one system against another."""

    bootstrap: float
    randomisation: float


def chance(
    metric: Metric,
    stats: tuple[Ints, Ints],
    sampling: Sampling,
    watch: Callable[[Iterable[Ints]], Iterable[Ints]] = iter,
) -> Chance:
    """p-values of two systems' statistics (n, replicates, width); `watch` passes sentences on."""
    from campanula.stages.kernels.metrics.resampling import p_value

    values = metric.corpus_values(np.stack([part.sum(axis=(0, 1)) for part in stats]))
    if values[0] == values[1]:
        return Chance(1.0, 1.0)
    judge = metric.judge()
    size = len(stats[0]) * max(sampling.samples, sampling.trials)
    if judge is not None and all(part.shape[1] == 1 for part in stats) and size <= LARGE:
        return _by_sacrebleu(judge, metric, stats, sampling)
    found = abs(float(values[0] - values[1]))
    return Chance(
        p_value(_resampled(metric, stats, sampling), found),
        p_value(_dealt(metric, stats, sampling, watch), found),
    )


def _by_sacrebleu(
    judge: Judge, metric: Metric, stats: tuple[Ints, Ints], sampling: Sampling
) -> Chance:
    """The tests of sacrebleu, on statistics that are already there."""
    from campanula.stages.metrics.sacrebleu_parts import paired_tests

    first, second = (metric.judged(part[:, 0]).astype(np.float64) for part in stats)
    counts = (sampling.samples, sampling.trials)
    return Chance(*paired_tests(judge, metric.name, (first, second), sampling.seed, counts))


def _resampled(metric: Metric, stats: tuple[Ints, Ints], sampling: Sampling) -> Floats:
    """Differences by chance (samples,): the samples' differences about their mean, as sacrebleu."""
    from campanula.stages.kernels.metrics.resampling import bootstrap_sums

    paired = np.concatenate([part.sum(axis=1) for part in stats], axis=1)
    sums = bootstrap_sums(paired, sampling.samples, np.random.default_rng(sampling.seed))
    first, second = np.split(sums, 2, axis=1)
    differences = np.abs(metric.corpus_values(second) - metric.corpus_values(first))
    centred: Floats = differences - differences.mean()
    return centred


def _dealt(
    metric: Metric,
    stats: tuple[Ints, Ints],
    sampling: Sampling,
    watch: Callable[[Iterable[Ints]], Iterable[Ints]],
) -> Floats:
    """Differences by chance (trials,): of outputs dealt out anew."""
    from campanula.stages.kernels.metrics.resampling import dealt_sums

    pool, rng = np.concatenate(stats, axis=1), np.random.default_rng(sampling.seed)
    first = dealt_sums(watch(pool), stats[0].shape[1], sampling.trials, rng)
    second = pool.sum(axis=(0, 1)) - first
    differences: Floats = np.abs(metric.corpus_values(second) - metric.corpus_values(first))
    return differences
