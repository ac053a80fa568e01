"""What the commands do, as functions of lists in memory.

    lists = score(read_nbest("dev.nbest.gz"), read_references("dev.en"))
    tuned = tune(lists, read_weights("weights"), loss="ramp3", solver="ssd")
    outputs = rerank(read_nbest("test.nbest.gz"), tuned.weights)

Each function is what the command of its name does between its files, with the command's defaults
and, in the same order, its arithmetic: the same input gives the same numbers.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from campanula.formats.records.kbest import KBest
from campanula.formats.registry import unknown
from campanula.formats.text.references import References
from campanula.formats.weights import Weights
from campanula.lists import KBestLists
from campanula.stages.command import signature
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.report import Report
from campanula.stages.metrics.table import metric_named, metric_of

if TYPE_CHECKING:
    from campanula.stages.comparing.comparison import Comparison
    from campanula.stages.comparing.significance import Sampling
    from campanula.stages.diagnosing.diagnosis import Diagnosis
    from campanula.stages.tuning.losses import ListLoss, Loss
    from campanula.stages.tuning.tune import Tuned

Path = str | os.PathLike[str]


def read_references(*paths: Path) -> References:
    """References, a file or more of them, a line a sentence; raises DataError."""
    if not paths:
        raise ValueError("expected a file of references, or several, found none")
    return References.read([os.fspath(path) for path in paths])


def read_weights(path: Path, format: str = "auto") -> Weights:
    """Weights of a file of ours or another tool's; raises DataError that names the line."""
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
    """The lists with statistics and gains of a metric.

    references: `read_references(...)`, or a text a sentence; metric: a name of METRICS, or one with
    settings, as `metric_named("bleu", lowercase=True)`.  Raises DataError for lists and references
    that do not fit; allow_missing takes references without a list.
    """
    from campanula.stages.metrics.scoring import Scorer

    known = as_references(references)
    if not isinstance(metric, (str, Metric)):
        raise ValueError("expected a metric's name: METRICS.add gives one to a function")
    chosen = metric_named(metric) if isinstance(metric, str) else metric
    chosen = replace(chosen, n_refs=known.n_refs)
    scorer = Scorer(chosen, known)
    scored = scorer.score(lists, allow_missing=allow_missing, jobs=jobs, source=lists.source)
    made = signature("score-bleu", **chosen.fields(), references=known.digest())
    made = f"{made} < {lists.signature}"
    return KBestLists(tuple(scored), made, chosen.header(), lists.source)


def as_references(references: References | Sequence[str]) -> References:
    """References as such; a sequence of texts has one for each sentence."""
    if isinstance(references, (str, os.PathLike)):
        raise ValueError("expected references, found a path or a text; read_references reads files")
    return references if isinstance(references, References) else References.of(list(references))


def as_weights(weights: Mapping[str, float]) -> Weights:
    """Weights as such; raises ValueError for what maps no names to finite numbers."""
    if not isinstance(weights, Mapping):
        raise ValueError("expected weights by name; read_weights reads files")
    for name, value in weights.items():
        if not math.isfinite(value):
            raise ValueError(f"weight of {name!r}: expected a finite number, found {value}")
    return weights if isinstance(weights, Weights) else Weights(dict(weights))


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
    """Weights that minimise a loss over scored lists: `tune(lists, w0, loss="ramp3").weights`.

    weights: where to start (default: all 0); loss: a name of LOSSES (default: ramp3) or a function
    of one list's scores and costs; solver: a name of SOLVERS (default: the loss's); references: for
    losses that ask what reaches them; center: theta0; further settings are TuneSettings', which are
    the flags of `optimize`.  Raises ValueError for settings that do not go together, DataError for
    lists without gains and for weights of other features.
    """
    from campanula.stages.tuning.misfit import UnknownChoice
    from campanula.stages.tuning.settings import TuneSettings
    from campanula.stages.tuning.tune import minimise
    from campanula.stages.tuning.tuning_set import TuningSet

    for name in settings:
        if name not in TuneSettings.__dataclass_fields__:
            names = [*TuneSettings.__dataclass_fields__, "references", "center", "allow_missing"]
            raise UnknownChoice(unknown("setting", name, names))
    known = None if references is None else as_references(references)
    data = TuningSet.of(lists, known, metric_of(lists.metric), lists.source)
    initial = as_weights(dict.fromkeys(lists.names, 0.0) if weights is None else weights)
    plan = TuneSettings(loss=loss, solver=solver, **settings)
    return minimise(data, initial, plan, center=center, allow_missing=allow_missing)


def ranked(
    lists: KBestLists, weights: Mapping[str, float], *, allow_missing: bool = False
) -> KBestLists:
    """The lists with their scores under the weights, each with the highest score first."""
    from campanula.stages.rerank import rerank as best_first

    theta = as_weights(weights)
    made = f"{signature('rerank', weights=theta.digest())} < {lists.signature}"
    records = best_first(lists, theta, allow_missing=allow_missing, source=lists.source)
    return KBestLists(tuple(records), made, lists.metric, lists.source)


def rerank(
    lists: KBestLists, weights: Mapping[str, float], *, allow_missing: bool = False
) -> list[str]:
    """Text of each list's best hypothesis, argmax_j theta . f_ij; ties go to the lower index."""
    best = ranked(lists, weights, allow_missing=allow_missing)
    return [kbest.text[0] for kbest in best]


def evaluate(
    outputs: KBestLists | Sequence[str],
    references: References | Sequence[str] | None = None,
    metric: str | Metric = "bleu",
) -> Report:
    """Corpus metric of outputs, a text a sentence, or of the first hypotheses of scored lists.

    `.value` is the number, `.line` what sacrebleu prints.
    """
    if isinstance(outputs, str):
        raise ValueError("expected a text a sentence, found one text")
    if not isinstance(outputs, KBestLists):
        if references is None:
            raise ValueError("outputs are compared with references; give them")
        known = as_references(references).by_number()
        outputs = score(_lists_of(outputs), known, metric)
    elif references is not None:
        outputs = score(outputs, references, metric)
    chosen = metric_of(outputs.metric)
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
    """Systems by name, each one output or several replicates; a Comparison a metric.

    `results` has the value and the interval of each system, `differences` those to the first, or
    of all pairs, and how likely they are by chance.  Raises DataError for an output that is not as
    long as the references.
    """
    from campanula.stages.comparing import comparison

    if not systems or any(isinstance(output, str) for output in systems.values()):
        raise ValueError("expected systems by name, each with a text a sentence")
    several = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    return comparison.compare(
        systems, as_references(references), several, sampling, all_pairs=all_pairs, jobs=jobs
    )


def diagnose(lists: KBestLists, features: Sequence[str] = ()) -> Diagnosis:
    """What `kbest-stats` says of lists: lengths, choices, oracles of the first k, features.

    features: patterns of those that have a line.  Oracles are by the metric that scored the lists.
    Raises DataError for a pattern that matches none, and for statistics that cannot be.
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
    """K-best lists of source sentences, under a model: a folder with model.json, or a moses.ini.

    weights: default those of the moses.ini; search: SearchSettings', which are flags of `decode`,
    as `k=100, distinct=True`; a moses.ini's own stand behind them.  Raises DataError or ValueError
    for what does not fit together.
    """
    from campanula.formats.model.array_folder import default_cache
    from campanula.formats.model.folder import NamedModel
    from campanula.stages.decoding.decoder_setup import DecoderSetup
    from campanula.stages.decoding.search_flags import settings_of_moses

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
    made = signature("decode", **prepared.signature)
    return KBestLists(tuple(records), made, None, "decode")
