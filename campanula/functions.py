"""The commands as functions of lists in memory.

    lists = score(read_nbest("dev.nbest.gz"), read_references("dev.en"))
    tuned = tune(lists, read_weights("weights"), loss="ramp3", solver="ssd")
    outputs = rerank(read_nbest("test.nbest.gz"), tuned.weights)

Each function does what the command of its name does, without files.  It has the command's defaults
and adds up in the same order, so the same input gives the same numbers.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.records.kbest import KBest
from campanula.formats.registry import unknown
from campanula.formats.text.references import References
from campanula.formats.weights import Weights
from campanula.lists import KBestLists, Path
from campanula.stages.command import signature
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.report import Report
from campanula.stages.metrics.table import metric_named, metric_of

# Each function imports the stages that it needs, so that scoring does not wait until the modules
# of tuning and decoding are loaded.
if TYPE_CHECKING:
    from campanula.stages.comparing.comparison import Comparison
    from campanula.stages.comparing.significance import Sampling
    from campanula.stages.diagnosing.diagnosis import Diagnosis
    from campanula.stages.tuning.losses import ListLoss, Loss
    from campanula.stages.tuning.tune import Tuned

TUNE = ("references", "center", "allow_missing")  # arguments of `tune` that a typo may be meant for
DECODE = ("dense_features", "templates", "allow_missing", "jobs")  # the same of `decode`


def read_references(*paths: Path) -> References:
    """Read references from one or more files, one line per sentence; raises DataError."""
    if not paths:
        raise ValueError("expected a file of references, or several, found none")
    return References.read([os.fspath(path) for path in paths])


def read_weights(path: Path, format: str = "auto") -> Weights:
    """Read a weights file of ours or of another tool; raises DataError that names the line."""
    from campanula.formats.weight_files import read_weights

    return read_weights(os.fspath(path), format)


def score(
    lists: KBestLists,
    references: References | Sequence[str],
    metric: str | Metric = "bleu",
    *,
    allow_missing: bool = False,
    jobs: int = 1,
) -> KBestLists:
    """Return the lists with statistics and gains of a metric.

    references: `read_references(...)`, or one text per sentence; metric: a name in METRICS, or a
    metric with settings, such as `metric_named("bleu", lowercase=True)`.  Raises DataError where
    lists and references do not fit; with allow_missing, references without a list are accepted.
    """
    from campanula.stages.metrics.scoring import Scorer

    reference_texts = as_references(references)
    if not isinstance(metric, (str, Metric)):
        raise ValueError("expected a metric's name: METRICS.add gives one to a function")
    chosen = metric_named(metric) if isinstance(metric, str) else metric
    # a metric does not know the references; their number stands in sacrebleu's signature (nrefs)
    chosen = replace(chosen, n_refs=reference_texts.n_refs)
    scorer = Scorer(chosen, reference_texts)
    scored = scorer.score(lists, allow_missing=allow_missing, jobs=jobs, source=lists.source)
    # named after the command, since its lists are the same
    own = signature("score-bleu", **chosen.fields(), references=reference_texts.digest())
    return KBestLists(tuple(scored), f"{own} < {lists.signature}", chosen.header(), lists.source)


def as_references(references: References | Sequence[str]) -> References:
    """Return references as References; a sequence of texts has one text per sentence."""
    # a str is a sequence, too: each of its characters would become the text of a sentence
    if isinstance(references, (str, os.PathLike)):
        raise ValueError("expected references, found a path or a text; read_references reads files")
    return references if isinstance(references, References) else References.of(list(references))


def as_weights(weights: Mapping[str, float]) -> Weights:
    """Return weights as Weights; raises ValueError unless they map names to finite numbers."""
    if not isinstance(weights, Mapping):
        raise ValueError("expected weights by name; read_weights reads files")
    for name, value in weights.items():
        if not math.isfinite(value):
            raise ValueError(f"weight of {name!r}: expected a finite number, found {value}")
    return weights if isinstance(weights, Weights) else Weights(dict(weights))


def refuse_unknown(settings: Iterable[str], kind: Any, arguments: Sequence[str]) -> None:
    """Raise UnknownChoice, which suggests close names, for a setting that the class has not.

    kind: a dataclass of settings; arguments: names of other arguments to suggest.
    """
    from campanula.stages.tuning.misfit import UnknownChoice

    # the dataclass itself would raise a TypeError, which suggests nothing
    names = [*(field.name for field in fields(kind)), *arguments]
    for name in settings:
        if name not in names[: len(names) - len(arguments)]:
            raise UnknownChoice(unknown("setting", name, names))


def tune(
    lists: KBestLists,
    weights: Mapping[str, float] | None = None,
    *,
    loss: str | Loss | ListLoss | None = None,
    solver: str | None = None,
    references: References | Sequence[str] | None = None,
    center: Mapping[str, float] | float | None = None,
    allow_missing: bool = False,
    **settings: Any,
) -> Tuned:
    """Minimise a loss over scored lists: `tune(lists, w0, loss="ramp3").weights`.

    weights: where to start (default: all 0); loss: a name in LOSSES (default: ramp3) or a function
    of one list's scores and costs; solver: a name in SOLVERS (default: the loss's own); references:
    for losses that need to know which hypotheses reach the reference; center: theta0, which the
    regulariser pulls toward; settings: fields of TuneSettings, which are the flags of `optimize`.
    Raises ValueError for settings that do not go together, DataError for lists without gains and
    for weights of other features.
    """
    from campanula.stages.tuning.settings import TuneSettings
    from campanula.stages.tuning.tune import minimise
    from campanula.stages.tuning.tuning_set import TuningSet

    refuse_unknown(settings, TuneSettings, TUNE)
    reference_texts = None if references is None else as_references(references)
    data = TuningSet.of(lists, reference_texts, metric_of(lists.metric), lists.source)
    initial = as_weights(dict.fromkeys(lists.names, 0.0) if weights is None else weights)
    plan = TuneSettings(loss=loss, solver=solver, **settings)
    return minimise(data, initial, plan, center=center, allow_missing=allow_missing)


def ranked(
    lists: KBestLists, weights: Mapping[str, float], *, allow_missing: bool = False
) -> KBestLists:
    """Return the lists scored by the weights and sorted, the highest score of each list first."""
    from campanula.stages.rerank import rerank as best_first

    theta = as_weights(weights)
    history = f"{signature('rerank', weights=theta.digest())} < {lists.signature}"
    records = best_first(lists, theta, allow_missing=allow_missing, source=lists.source)
    return KBestLists(tuple(records), history, lists.metric, lists.source)


def rerank(
    lists: KBestLists, weights: Mapping[str, float], *, allow_missing: bool = False
) -> list[str]:
    """Return the text of each list's best hypothesis, argmax_j theta . f_ij.

    Ties go to the lower index.
    """
    best = ranked(lists, weights, allow_missing=allow_missing)
    return [kbest.text[0] for kbest in best]


def evaluate(
    outputs: KBestLists | Sequence[str],
    references: References | Sequence[str] | None = None,
    metric: str | Metric = "bleu",
) -> Report:
    """Return the corpus metric of outputs, or of the first hypotheses of scored lists.

    outputs: one text per sentence, or lists.  `.value` of the report is the number, `.line` the
    line that sacrebleu prints.
    """
    if isinstance(outputs, str):
        raise ValueError("expected a text a sentence, found one text")
    if not isinstance(outputs, KBestLists):
        if references is None:
            raise ValueError("outputs are compared with references; give them")
        # outputs have no ids, so even references with ids are taken line by line
        reference_texts = as_references(references).by_number()
        outputs = score(_lists_of(outputs), reference_texts, metric)
    elif references is not None:
        outputs = score(outputs, references, metric)
    chosen = metric_of(outputs.metric)
    # a list without statistics would be missing in the sum: the check below refuses it
    firsts = [kbest.stats[0] for kbest in outputs if kbest.stats is not None]
    if chosen is None or not firsts or len(firsts) < len(outputs):
        raise ValueError("the lists are not scored: give references, or use `score` first")
    return chosen.report(np.sum(firsts, axis=0))


def _lists_of(outputs: Sequence[str]) -> KBestLists:
    from campanula.stages.comparing.scored_outputs import side_by_side

    return KBestLists(tuple(side_by_side([outputs])), source="outputs")


def compare(
    systems: Mapping[str, Sequence[str] | Sequence[Sequence[str]]],
    references: References | Sequence[str],
    metrics: str | Metric | Iterable[str | Metric] = "bleu",
    sampling: Sampling | None = None,
    *,
    all_pairs: bool = False,
    jobs: int = 1,
) -> list[Comparison]:
    """Compare systems by one or more metrics; return one Comparison per metric.

    systems: by name, each with one output or several replicates.  `results` of a Comparison has the
    value and the interval of each system; `differences` has those to the first system, or of all
    pairs, with their p-values.  Raises DataError for an output that is not as long as the
    references.
    """
    from campanula.stages.comparing import comparison

    # a str would be taken for a system with an output a character
    if not systems or any(isinstance(output, str) for output in systems.values()):
        raise ValueError("expected systems by name, each with a text a sentence")
    several = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    return comparison.compare(
        systems, as_references(references), several, sampling, all_pairs=all_pairs, jobs=jobs
    )


def diagnose(lists: KBestLists, features: Sequence[str] = ()) -> Diagnosis:
    """Return the statistics that `kbest-stats` prints: lengths, oracles of the first k, features.

    features: patterns of the features to report.  Oracles are by the metric that scored the lists.
    Raises DataError for a pattern that matches no feature, and for impossible metric statistics.
    """
    from campanula.stages.diagnosing import diagnosis
    from campanula.stages.metrics.scored_lists import sound

    metric = metric_of(lists.metric, lists.source)
    return diagnosis.diagnose(sound(lists, metric, lists.source), metric, features, lists.source)


def decode(
    source: Iterable[str],
    model: Path,
    weights: Mapping[str, float] | None = None,
    *,
    allow_missing: bool = False,
    dense_features: Sequence[str] = (),
    templates: Sequence[str] = (),
    jobs: int = 1,
    **search: Any,
) -> KBestLists:
    """Decode source sentences into k-best lists.

    model: a folder with model.json, or a moses.ini; weights: default those of the moses.ini;
    search: fields of SearchSettings, which are flags of `decode`, such as `k=100, distinct=True`;
    they override the settings of a moses.ini.  Raises DataError or ValueError for a model, weights
    and settings that do not fit together.
    """
    from campanula.formats.model.array_folder import default_cache
    from campanula.formats.model.folder import NamedModel
    from campanula.stages.decoding.decoder_setup import DecoderSetup
    from campanula.stages.decoding.search_settings import SearchSettings, settings_of_moses

    refuse_unknown(search, SearchSettings, DECODE)
    named = NamedModel.at(os.fspath(model))
    theta = None if weights is None else as_weights(weights)
    setup = DecoderSetup(
        named,
        theta,
        replace(settings_of_moses(named.settings), **search),
        dense_features=tuple(dense_features),
        templates=tuple(templates),
        allow_missing=allow_missing,
        cache=default_cache(),
    )
    prepared = setup.prepare()
    records: Iterable[KBest] = prepared.decoder.decode_all(source, jobs=jobs)
    return KBestLists(tuple(records), signature("decode", **prepared.signature), None, "decode")
