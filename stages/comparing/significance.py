"""How likely a difference between two systems is by chance: two p-values of a metric.

    bootstrap       paired bootstrap resampling of the sentences                  (Koehn 2004)
    randomisation   approximate randomisation, stratified by sentence      (Clark et al. 2011)

Of two single outputs they are sacrebleu's own, or ours to the same effect where sacrebleu's would
need too much memory.  With replicates of a system (seeds of an optimizer) they are as in MultEval:
a system is the text of all its replicates, and randomisation deals the outputs of a sentence, of
both systems and all replicates, out anew.  No difference at all has p = 1, where sacrebleu and
MultEval, which count differences above the one found, come near 0.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from campanula.formats.arrays.types import Floats, Ints
from campanula.stages.metrics.metric import Metric, sacrebleu_metric

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as SacrebleuMetric

SEED = "SACREBLEU_SEED"  # sacrebleu takes its seed from the environment
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

    sums = np.stack([part.sum(axis=(0, 1)) for part in stats])
    values = metric.values(sums)
    if values[0] == values[1]:
        return Chance(1.0, 1.0)
    size = len(stats[0]) * max(sampling.samples, sampling.trials)
    if all(part.shape[1] == 1 for part in stats) and size <= LARGE:
        return _by_sacrebleu(metric, stats, sampling)
    found = abs(float(values[0] - values[1]))
    return Chance(
        p_value(_resampled(metric, stats, sampling), found),
        p_value(_dealt(metric, stats, sampling, watch), found),
    )


def _by_sacrebleu(metric: Metric, stats: tuple[Ints, Ints], sampling: Sampling) -> Chance:
    """The tests of sacrebleu, on statistics that are already there."""
    from sacrebleu.significance import PairedTest

    scale = metric.n_refs if metric.name == "ter" else 1  # ours are n_refs times as large
    counted = [part[:, 0].astype(np.float64) / scale for part in stats]
    named = cast("Any", list(zip(("first", "second"), counted, strict=True)))
    judge = cast("Any", _Counted(sacrebleu_metric(metric)))
    with _seed(sampling.seed):
        bootstrap, randomisation = (
            PairedTest(named, {metric.name: judge}, None, kind, n)()[1]
            for kind, n in (("bs", sampling.samples), ("ar", sampling.trials))
        )
    return Chance(_second(bootstrap), _second(randomisation))


def _second(scores: Mapping[str, Sequence[Any]]) -> float:
    """p-value of the second system in sacrebleu's results, {System: names, METRIC: results}."""
    ((_, result),) = (results for name, results in scores.items() if name != "System")
    return float(result.p_value)


class _Counted:
    """A metric of sacrebleu that is given statistics in the place of texts."""

    def __init__(self, judge: SacrebleuMetric) -> None:
        self._judge = judge

    def __getattr__(self, name: str) -> object:
        return getattr(self._judge, name)

    def _extract_corpus_statistics(self, stats: Floats, references: None) -> Floats:
        return stats

    def get_signature(self) -> object:
        """A signature, which sacrebleu makes only for a metric that has seen references."""
        self._judge.num_refs = 1
        return self._judge.get_signature()


@contextmanager
def _seed(seed: int) -> Iterator[None]:
    before = os.environ.get(SEED)
    os.environ[SEED] = str(seed)
    try:
        yield
    finally:
        del os.environ[SEED]
        if before is not None:
            os.environ[SEED] = before


def _resampled(metric: Metric, stats: tuple[Ints, Ints], sampling: Sampling) -> Floats:
    """Differences by chance (samples,): the samples' differences about their mean, as sacrebleu."""
    from campanula.stages.kernels.metrics.resampling import bootstrap_sums

    paired = np.concatenate([part.sum(axis=1) for part in stats], axis=1)
    sums = bootstrap_sums(paired, sampling.samples, np.random.default_rng(sampling.seed))
    first, second = np.split(sums, 2, axis=1)
    differences = np.abs(metric.values(second) - metric.values(first))
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
    differences: Floats = np.abs(metric.values(second) - metric.values(first))
    return differences
