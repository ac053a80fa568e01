"""Systems compared by corpus metrics: the values of all, and how they differ.

compare({"baseline": lines, "tuned": [seed1, seed2]}, References.of(refs), ["bleu", "chrf"])
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.text.references import References
from campanula.stages.comparing.holm import holm
from campanula.stages.comparing.interval import (
    bootstrap_samples,
    interval,
    interval_of_difference,
    values,
)
from campanula.stages.comparing.scored_outputs import ScoredOutputs, Watch, no_watch
from campanula.stages.comparing.significance import Chance, Sampling, SystemStatistics, chance
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.table import metric_named

SystemOutput: TypeAlias = Sequence[str]
"""A system's texts, one a sentence."""


@dataclass(frozen=True, slots=True)
class Result:
    """One system under one metric: values of its replicates, 95 % interval of their mean.

    gain (n,) are the sentences' gains, means over the replicates.
    """

    system: str
    values: tuple[float, ...]
    interval: tuple[float, float]
    gain: Floats = field(repr=False, compare=False, default_factory=lambda: np.zeros(0))

    @property
    def mean(self) -> float:
        """Mean of the replicates."""
        return float(np.mean(self.values))

    @property
    def deviation(self) -> float | None:
        """Standard deviation over the replicates, divided by n - 1; None for one replicate."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else None


@dataclass(frozen=True, slots=True)
class Difference:
    """The second system's value less the first's, and how likely such a difference is by chance.

    holm is the randomisation p corrected for the number of differences under the metric; interval
    holds 95 % of the differences over the bootstrap's samples.
    """

    first: str
    second: str
    value: float
    chance: Chance
    holm: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric: its name, its signature, the systems' results, and their differences.

    The differences are those to the first system, or of all pairs.  `digits` are those of a value
    in a table.
    """

    metric: str
    signature: str
    higher_is_better: bool
    results: Sequence[Result]
    differences: Sequence[Difference]
    sampling: Sampling = field(default_factory=Sampling)
    digits: int = 2

    def improves(self, difference: Difference) -> bool | None:
        """Whether the second system is the better one; None where both are equal."""
        if difference.value == 0.0:
            return None
        return (difference.value > 0.0) == self.higher_is_better


def compare(
    systems: Mapping[str, SystemOutput | Sequence[SystemOutput]],
    references: References,
    metrics: Iterable[str | Metric] = ("bleu",),
    sampling: Sampling | None = None,
    *,
    all_pairs: bool = False,
    jobs: int = 1,
    watch: Watch = no_watch,
) -> list[Comparison]:
    """Return a comparison of the systems for each metric.

    systems: by name, one output or several replicates.  metrics: names, or metrics with settings.
    all_pairs: each system is compared with all others, not with the first alone.  Raises DataError
    for an output that is not as long as the references.
    """
    outputs = {name: replicates(output) for name, output in systems.items()}
    for name, files in outputs.items():
        for lines in files:
            if len(lines) != len(references):
                problem = f"expected {len(references)} lines, as {references.names[0]} has"
                raise DataError(name, None, f"{problem}, found {len(lines)}")
    every_file = [lines for files in outputs.values() for lines in files]
    sizes = {name: len(files) for name, files in outputs.items()}
    prepared = [_with_references(metric, references) for metric in metrics]
    # a generator: the statistics of one metric go before those of the next are counted
    scored = (ScoredOutputs.of_texts(m, every_file, references, jobs, watch) for m in prepared)
    sampling = sampling or Sampling()
    return [compare_scored(files, sizes, sampling, all_pairs, watch) for files in scored]


def replicates(output: SystemOutput | Sequence[SystemOutput]) -> list[SystemOutput]:
    """Return the replicates of a system: several outputs, or one as a list of one."""
    single = [text for text in output if isinstance(text, str)]
    several = [lines for lines in output if not isinstance(lines, str)]
    return several or [single]


def _with_references(metric: str | Metric, references: References) -> Metric:
    by_name = metric_named(metric) if isinstance(metric, str) else metric
    return replace(by_name, n_refs=references.n_refs)


def compare_scored(
    files: ScoredOutputs,
    sizes: Mapping[str, int],
    sampling: Sampling,
    all_pairs: bool = False,
    watch: Watch = no_watch,
) -> Comparison:
    """Compare systems by the scored files of all of them.

    sizes: number of files of each system; its files stand next to each other, in this order.
    """
    counts = _counts(files, sizes, sampling)
    results = _results(files, counts, sizes)
    first, *_ = results
    pairs = [pair for pair in itertools.combinations(results, 2) if all_pairs or pair[0] is first]
    # only name and signature are used, which are the same for any system and replicate
    report = files.metric.report(counts[first.system].stats[:, 0].sum(axis=0))
    draws = (f"bs:{sampling.samples}", f"ar:{sampling.trials}", f"seed:{sampling.seed}")
    # the draws stand behind the number of references, as in sacrebleu's signatures
    refs = report.signature[:1]
    rest = report.signature[1:]
    return Comparison(
        report.name,
        "|".join([report.name, *refs, *draws, *rest]),
        files.metric.higher_is_better,
        results,
        _differences(files.metric, counts, pairs, sampling, watch),
        sampling,
        files.metric.digits,
    )


def _results(
    files: ScoredOutputs, counts: Mapping[str, SystemStatistics], sizes: Mapping[str, int]
) -> list[Result]:
    """Return the systems' results, in their order."""
    metric = files.metric
    return [
        Result(
            name,
            values(metric, count.stats.sum(axis=0)),
            interval(metric, count.samples),
            gain.mean(axis=1),
        )
        for (name, count), gain in zip(counts.items(), _parts(files.gain, sizes), strict=True)
    ]


def _differences(
    metric: Metric,
    counts: Mapping[str, SystemStatistics],
    pairs: Sequence[tuple[Result, Result]],
    sampling: Sampling,
    watch: Watch,
) -> list[Difference]:
    """Return the differences of pairs of systems, each the second less the first."""
    chances = [
        chance(
            metric,
            (counts[one.system], counts[other.system]),
            sampling,
            partial(_groups_watched, watch, f"{metric.name}: {other.system}"),
        )
        for one, other in pairs
    ]
    corrected = holm([likelihood.randomisation for likelihood in chances])
    return [
        Difference(
            one.system,
            other.system,
            other.mean - one.mean,
            likelihood,
            p,
            interval_of_difference(
                metric, counts[one.system].samples, counts[other.system].samples
            ),
        )
        for (one, other), likelihood, p in zip(pairs, chances, corrected, strict=True)
    ]


def _counts(
    files: ScoredOutputs, sizes: Mapping[str, int], sampling: Sampling
) -> dict[str, SystemStatistics]:
    """Return the statistics of every system, and their sums over samples, the same for all."""
    samples = bootstrap_samples(files.stats, sampling.samples, sampling.seed)
    parts = zip(sizes, _parts(files.stats, sizes), _parts(samples, sizes), strict=True)
    return {name: SystemStatistics(stats, sums) for name, stats, sums in parts}


def _parts(of_files: npt.NDArray[Any], sizes: Mapping[str, int]) -> list[npt.NDArray[Any]]:
    """Split an array (n, files, ...) into arrays of the systems."""
    return np.split(of_files, np.cumsum(list(sizes.values()))[:-1], axis=1)


def _groups_watched(watch: Watch, label: str, groups: Sequence[Ints]) -> Iterable[Ints]:
    return watch(groups, label, len(groups))
