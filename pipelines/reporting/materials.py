"""Data of a report: the runs' texts, their scores by sentence, and their comparisons.

The first system is the first run before tuning, where its folder has translations from then.  Each
run is a further system.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from campanula.formats.arrays.types import Floats, Ints
from campanula.formats.errors import DataError
from campanula.formats.text.parts import TextLines
from campanula.formats.text.references import References
from campanula.pipelines import evidence
from campanula.pipelines.comparing.compared_run import ComparedRun
from campanula.pipelines.comparing.tables import common_references, metrics_of
from campanula.pipelines.results import WEIGHTS
from campanula.stages.command import UsageError
from campanula.stages.comparing.comparison import Comparison, compare_scored
from campanula.stages.comparing.scored_outputs import ScoredOutputs
from campanula.stages.comparing.scoring import OutputTexts, Scoring
from campanula.stages.comparing.significance import Sampling
from campanula.stages.comparing.systems import System
from campanula.stages.metrics.metric import LOWERCASE, TOKENIZE, Metric
from campanula.stages.metrics.table import metric_named

UNTUNED = "untuned"
FURTHER = ("bleu", "chrf", "ter")
"""Metrics in the table besides those that the runs were tuned on."""


@dataclass(frozen=True, slots=True)
class SetReported:
    """A data set: its texts, and the comparisons of its systems by every metric.

    lines: translations by system, then by file (one a replicate); kept: by system, index of the
    file that was made under the weights that the run keeps.
    """

    name: str
    source: Sequence[str]
    references: References
    lines: Mapping[str, Sequence[Sequence[str]]]
    scored: Sequence[ScoredOutputs]
    comparisons: Sequence[Comparison]
    kept: Mapping[str, int]

    @property
    def systems(self) -> list[str]:
        """Names of the systems, the one before tuning first."""
        return list(self.lines)

    def stats(self) -> list[Ints]:
        """Statistics (n, replicates, width) of every system under the first metric."""
        spans = self._spans()
        return [self.scored[0].stats[:, span] for span in spans.values()]

    def gains(self, system: str) -> Floats:
        """Gains (n,) of a system under its kept weights, by the first metric."""
        return self.scored[0].gain[:, self._spans()[system].start + self.kept[system]]

    def texts(self, system: str) -> Sequence[str]:
        """The translations of a system under its kept weights."""
        return self.lines[system][self.kept[system]]

    def _spans(self) -> dict[str, slice]:
        """Range of every system's files among the files of all systems."""
        ends = list(accumulate(len(files) for files in self.lines.values()))
        starts = [0, *ends]
        return {name: slice(a, b) for name, a, b in zip(self.lines, starts, ends, strict=False)}


@dataclass(frozen=True, slots=True)
class Materials:
    """Runs, and the data sets that they have in common, dev first."""

    runs: Sequence[ComparedRun]
    sets: Sequence[SetReported]

    @property
    def has_before(self) -> bool:
        """Whether there are translations from before tuning."""
        return bool(self.sets) and UNTUNED in self.sets[0].systems

    @property
    def tests(self) -> Sequence[SetReported]:
        """The data sets that weights were not tuned on, or dev where there is no other."""
        return self.sets[1:] or self.sets


def gathered(runs: Sequence[ComparedRun], metrics: Sequence[Metric], jobs: int) -> Materials:
    """Read and compare the results of runs; raises DataError, UsageError where they do not fit."""
    if any(run.name == UNTUNED for run in runs):
        raise UsageError(f"RUN {UNTUNED}: the report calls the first run so before it is tuned")
    common = [name for name in runs[0].sets if all(name in run.sets for run in runs)]
    if not common:
        raise UsageError("the runs have no data set in common")
    chosen = list(metrics) or _metrics(runs)
    return Materials(runs, [_reported(runs, name, chosen, jobs) for name in common])


def _metrics(runs: Sequence[ComparedRun]) -> list[Metric]:
    """Metrics that the runs were tuned on, then FURTHER with the first one's case and tokens."""
    own = metrics_of(runs)
    first = own[0]
    further = []
    for name in FURTHER:
        metric = metric_named(name)
        # the further metrics are to read the same words as the first
        if LOWERCASE in metric.takes:
            metric = replace(metric, lowercase=first.lowercase)
        if TOKENIZE in metric.takes:
            metric = replace(metric, tokenize=first.tokenize)
        further.append(metric)
    names = {metric.name for metric in own}
    return [*own, *(metric for metric in further if metric.name not in names)]


def _reported(
    runs: Sequence[ComparedRun], name: str, metrics: Sequence[Metric], jobs: int
) -> SetReported:
    references = common_references(runs, name)
    systems = [*_before(runs[0], name), *(run.outputs(name) for run in runs)]
    texts = OutputTexts.read(systems, references)
    sizes = {system.name: len(system.paths) for system in systems}
    scored = list(Scoring(metrics, jobs=jobs).of_texts(texts, references))
    compared = [compare_scored(one, sizes, Sampling()) for one in scored]
    source = _source(runs[0], name, len(references))
    kept = {UNTUNED: 0, **{run.name: kept_place(run) for run in runs}}
    return SetReported(name, source, references, texts.lines, scored, compared, kept)


def kept_place(run: ComparedRun) -> int:
    """Index of the replicate whose weights the run keeps: those with the same bytes."""
    own = _bytes(os.path.join(run.folder, WEIGHTS))
    folders = run.folders
    same = (n for n, folder in enumerate(folders) if _bytes(os.path.join(folder, WEIGHTS)) == own)
    # 0 also where none is the same, such as after somebody has replaced the file
    return next(same, 0)


def _bytes(path: str) -> bytes | None:
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def _before(run: ComparedRun, name: str) -> list[System]:
    """The translations of a data set before tuning, as at most one system.

    Replicates with the same initial weights have the same translations, which count once.
    """
    paths = [os.path.join(folder, evidence.BEFORE, f"{name}.out") for folder in run.folders]
    if not all(map(os.path.isfile, paths)):
        return []
    # reversed: of equal translations the path of the first replicate stays
    different = {tuple(TextLines(path)): path for path in reversed(paths)}
    return [System(UNTUNED, tuple(sorted(different.values())))]


def _source(run: ComparedRun, name: str, length: int) -> list[str]:
    """Source sentences of a data set; raises DataError where there are not `length` of them."""
    path = run.source(name)
    lines = list(TextLines(path))
    if len(lines) != length:
        problem = f"expected {length} lines, as the references have, found {len(lines)}"
        raise DataError(path, None, problem)
    return lines
