"""Comparisons of runs, data set by data set, in the formats of `compare`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from campanula.formats.errors import DataError
from campanula.formats.text.references import References
from campanula.pipelines.comparing.compared_run import ComparedRun
from campanula.stages.command import UsageError
from campanula.stages.comparing.as_json import as_json
from campanula.stages.comparing.comparison import Comparison, compare_scored
from campanula.stages.comparing.reporting import tables_of
from campanula.stages.comparing.scoring import OutputTexts, Scoring
from campanula.stages.comparing.significance import Sampling
from campanula.stages.comparing.systems import System
from campanula.stages.comparing.table_formats import TABLE_FORMATS
from campanula.stages.metrics.metric import Metric

JSON = "json"
Refs = Mapping[str, Sequence[str]]
"""Files of references, by data set."""


@dataclass(frozen=True, slots=True)
class SetCompared:
    """A data set: the runs as systems, and a comparison for each metric.

    unlike: how the translations differ in form from the references, as a warning, or None.
    """

    name: str
    systems: Sequence[System]
    comparisons: Sequence[Comparison]
    unlike: str | None


@dataclass(frozen=True, slots=True)
class Terms:
    """Settings of a comparison; metrics: empty for those that the runs were tuned on."""

    metrics: Sequence[Metric] = ()
    sampling: Sampling = field(default_factory=Sampling)
    all_pairs: bool = False
    jobs: int = 1


def compare_set(
    runs: Sequence[ComparedRun], name: str, refs: Sequence[str] | None, terms: Terms
) -> SetCompared:
    """Compare the translations of a data set; refs: its references, if not those of the runs.

    Raises DataError where runs have translations of other texts or were tuned on other references.
    """
    references = common_references(runs, name) if refs is None else References.read(refs)
    if not len(references):
        raise DataError(references.names[0], None, "expected at least one line, found none")
    metrics = terms.metrics or metrics_of(runs)
    systems = [run.outputs(name) for run in runs]
    texts = OutputTexts.read(systems, references)
    sizes = {system.name: len(system.paths) for system in systems}
    scored = Scoring(metrics, jobs=terms.jobs).of_texts(texts, references)
    comparisons = [compare_scored(s, sizes, terms.sampling, terms.all_pairs) for s in scored]
    return SetCompared(name, systems, comparisons, texts.unlike(references, metrics))


def metrics_of(runs: Sequence[ComparedRun]) -> list[Metric]:
    """The metrics that the runs were tuned on, each once."""
    return list({str(metric): metric for metric in (run.metric() for run in runs)}.values())


def common_references(runs: Sequence[ComparedRun], name: str) -> References:
    """References of a data set that all runs have; raises DataError for others."""
    first, *others = runs
    references = References.read(first.refs(name))
    for run in others:
        own = run.refs(name)
        # by their texts: two runs may have the same references at other paths
        if References.read(own).digest() != references.digest():
            problem = f"expected {name} with the references of {first.folder}, found others"
            raise DataError(run.folder, None, f"{problem}: {', '.join(own)}")
    return references


def common_sets(runs: Sequence[ComparedRun], asked: Sequence[str], refs: Refs) -> list[str]:
    """Names of the data sets to compare: `asked`, else those of `refs`, else those of all runs.

    Raises UsageError for an asked data set that a run does not have.
    """
    common = [name for name in runs[0].sets if all(name in run.sets for run in runs)]
    for name in asked:
        if name not in refs and name not in common:
            raise UsageError(f"--set {name}: expected one of {', '.join(common) or 'none'}")
    wanted = list(asked) or list(refs) or common
    if not wanted:
        raise UsageError("the runs have no data set in common: expected --ref NAME=FILE")
    return list(dict.fromkeys(wanted))


def lines(compared: Sequence[SetCompared], form: str, all_pairs: bool) -> Iterable[str]:
    """Lines of all comparisons in a format, a name of TABLE_FORMATS or JSON."""
    if form == JSON:
        return [json.dumps(list(_objects(compared)), ensure_ascii=False)]
    named = [
        replace(comparison, signature=f"{one.name}: {comparison.signature}")
        for one in compared
        for comparison in one.comparisons
    ]
    return TABLE_FORMATS[form](list(tables_of(named, all_pairs)))


def _objects(compared: Sequence[SetCompared]) -> Iterable[dict[str, object]]:
    """Yield an object for JSON for each data set and metric."""
    for one in compared:
        files = {system.name: system.paths for system in one.systems}
        for comparison in json.loads(as_json(one.comparisons, files)):
            yield {"set": one.name, **comparison}
