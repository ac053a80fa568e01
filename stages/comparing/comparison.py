"""Systems compared by corpus metrics: the values of all, and how each stands to the first.

compare({"baseline": lines, "tuned": [seed1, seed2]}, References.of(refs), ["bleu", "chrf"])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from campanula.formats.arrays.types import Ints
from campanula.formats.errors import DataError
from campanula.formats.records.features import NO_IDS, Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.comparing.significance import Chance, Sampling, chance
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.metrics.table import metric_named
from campanula.stages.threads import in_order

SystemOutput: TypeAlias = Sequence[str]
"""What a system says, sentence by sentence."""

Watch: TypeAlias = Callable[[Iterable[Any], str, int], Iterable[Any]]
"""Passes items on, behind a progress bar perhaps, given a label and their number."""


@dataclass(frozen=True, slots=True)
class Result:
    """One system under one metric: the value of every replicate; None for the baseline's chance."""

    system: str
    values: tuple[float, ...]
    chance: Chance | None

    @property
    def mean(self) -> float:
        """Mean of the replicates."""
        return float(np.mean(self.values))

    @property
    def deviation(self) -> float | None:
        """Standard deviation over the replicates (n - 1 below), where there are several."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One metric: its name, its signature, and the results; the first is the baseline's.

    `digits` are those of a value in a table.
    """

    metric: str
    signature: str
    higher_is_better: bool
    results: Sequence[Result]
    digits: int = 2

    def difference(self, result: Result) -> float:
        """How far a result is above the baseline's."""
        return result.mean - self.results[0].mean


def no_watch(items: Iterable[Any], label: str, total: int) -> Iterable[Any]:
    """Pass the items on."""
    return items


def compare(
    systems: Mapping[str, SystemOutput | Sequence[SystemOutput]],
    references: References,
    metrics: Iterable[str | Metric] = ("bleu",),
    sampling: Sampling | None = None,
    *,
    jobs: int = 1,
    watch: Watch = no_watch,
) -> list[Comparison]:
    """Values and p-values of systems by name, each one output or several replicates of it.

    The first system is the baseline.  A metric is given by its name, or with its settings.  Raises
    DataError for an output that is not as long as the references.
    """
    outputs = {name: replicates(output) for name, output in systems.items()}
    for name, files in outputs.items():
        for lines in files:
            if len(lines) != len(references):
                problem = f"expected {len(references)} lines, as {references.names[0]} has"
                raise DataError(name, None, f"{problem}, found {len(lines)}")
    return [
        _compare(_with_references(metric, references), outputs, references, sampling, jobs, watch)
        for metric in metrics
    ]


def replicates(output: SystemOutput | Sequence[SystemOutput]) -> list[SystemOutput]:
    """Several outputs, or one as a list of one."""
    single = [text for text in output if isinstance(text, str)]
    several = [lines for lines in output if not isinstance(lines, str)]
    return several or [single]


def _with_references(metric: str | Metric, references: References) -> Metric:
    known = metric_named(metric) if isinstance(metric, str) else metric
    return replace(known, n_refs=references.n_refs)


def _compare(
    metric: Metric,
    outputs: Mapping[str, list[SystemOutput]],
    references: References,
    sampling: Sampling | None,
    jobs: int,
    watch: Watch,
) -> Comparison:
    """Values of all systems under a metric, and how they stand against the first."""
    sampling = sampling or Sampling()
    files = [lines for system in outputs.values() for lines in system]
    lists = watch(side_by_side(files), metric.name, len(references))
    stats = statistics(lists, Scorer(metric, references), jobs)
    bounds = np.cumsum([len(system) for system in outputs.values()])[:-1]
    parts = dict(zip(outputs, np.split(stats, bounds, axis=1), strict=True))
    name, *others = parts
    baseline = parts[name]
    results = [Result(name, _values(metric, baseline), None)]
    for other in others:
        part = parts[other]
        watched = _labelled(watch, other, len(stats))
        found = chance(metric, (baseline, part), sampling, watched)
        results.append(Result(other, _values(metric, part), found))
    report = metric.report(baseline[:, 0].sum(axis=0))
    how = (f"bs:{sampling.samples}", f"ar:{sampling.trials}", f"seed:{sampling.seed}")
    refs, rest = report.signature[:1], report.signature[1:]
    signature = "|".join([report.name, *refs, *how, *rest])
    return Comparison(report.name, signature, metric.higher_is_better, results, metric.digits)


def _labelled(watch: Watch, label: str, total: int) -> Callable[[Iterable[Ints]], Iterable[Ints]]:
    return lambda items: watch(items, label, total)


def _values(metric: Metric, stats: Ints) -> tuple[float, ...]:
    return tuple(metric.report(sums).value for sums in stats.sum(axis=0))


def side_by_side(files: Sequence[SystemOutput]) -> Iterator[KBest]:
    """Yield every sentence's outputs, one a file, as a list without features."""
    names = Names()
    nothing = Features.of_dense(NO_IDS, np.zeros((0, len(files))))
    for sid, texts in enumerate(zip(*files, strict=True)):
        yield KBest(sid, Texts.of(texts), nothing, names)


def statistics(lists: Iterable[KBest], scorer: Scorer, jobs: int) -> Ints:
    """The metric's statistics (n, files, width) of every output."""
    scored = in_order(scorer, lists, jobs)
    return np.stack([kbest.stats for kbest in scored if kbest.stats is not None])
