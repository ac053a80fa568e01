"""The table of the metrics: ours, and the user's own.

    name          statistics of a hypothesis                       corpus value
    bleu          c, r, matches of 1..4, totals of 1..4            BLEU
    wer           edits, words (nearest reference)                 edits / words
    cer           edits, characters (nearest reference)            edits / characters
    ser           1 if no reference has these words, 1             wrong / sentences
    ter           edits times n_refs, words of all references      edits / words
    chrf          hypothesis, reference, matches of 1..6           chrF2
    chrf++        the same, then of 1..2 words                     chrF2++
    meteor        matches, words, words of the reference, chunks   METEOR
    gain-column   the number in units of 1e-9, 1                   mean

A row is a metric with its default settings, its class, or a function that gives a gain
(gain_function.py).  Others are added by `METRICS.add` or by an entry point of the group
`campanula.metrics`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from campanula.formats.errors import DataError
from campanula.formats.records.columns import shortened
from campanula.formats.registry import Registry, UnknownName
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.cer import Cer
from campanula.stages.metrics.chrf import Chrf, ChrfPlusPlus
from campanula.stages.metrics.gain_column import GainColumn
from campanula.stages.metrics.meteor import Meteor
from campanula.stages.metrics.metric import TOKENIZE, Metric
from campanula.stages.metrics.ser import Ser
from campanula.stages.metrics.ter import Ter
from campanula.stages.metrics.wer import Wer

if TYPE_CHECKING:
    from campanula.stages.metrics.gain_function import GainFunction

    Row: TypeAlias = Metric | type[Metric] | GainFunction

METRICS: Registry[Row] = Registry(
    "metric",
    "campanula.metrics",
    {
        "bleu": Bleu(),
        "wer": Wer(),
        "cer": Cer(),
        "ser": Ser(),
        "ter": Ter(),
        "chrf": Chrf(),
        "chrf++": ChrfPlusPlus(),
        "meteor": Meteor(),
        "gain-column": GainColumn(n_refs=0),
    },
)


def metric_named(name: str, **settings: Any) -> Metric:
    """Return the metric of this name, with settings: `metric_named("bleu", n_refs=2)`.

    Raises UnknownName for a name that nothing has, ValueError for a gain that the metric has not.
    """
    metric = replace(_metric(METRICS[name]), name=name, **settings)
    if metric.tokenize != "none" and TOKENIZE not in metric.takes:
        raise ValueError(f"metric {name} does not read `tokenize`; drop it")
    if metric.gain and metric.gain not in metric.gain_names:
        names = ", ".join(metric.gain_names)
        raise ValueError(f"metric {name}, gain {metric.gain!r}: expected one of {names}")
    return metric


def _metric(row: Row) -> Metric:
    if isinstance(row, Metric):
        return row
    if isinstance(row, type):
        metric: Metric = row()
        return metric
    from campanula.stages.metrics.gain_function import MeanGain

    return MeanGain(function=row)


MOST_REFS = 1_000_000  # references of a sentence, far more than any has


def metric_of(header: Mapping[str, Any] | None, source: str = "lists") -> Metric | None:
    """Return the metric in a stream's header; None if not scored, or by an unknown metric.

    Raises DataError, with `source` as the place, for settings that the metric cannot have.
    """
    if header is None:
        return None
    try:
        METRICS[str(header.get("name"))]
    # such lists may be of a metric of somebody else's that is not installed here; their gains are
    # still of use
    except UnknownName:
        return None
    try:
        return _metric_of(str(header["name"]), header)
    except KeyError as error:
        problem = f"expected {error.args[0]!r} of the metric, found nothing"
    except (TypeError, ValueError, OverflowError) as error:
        # checks that flags share name the flag; a header has fields of these names
        problem = str(error).removeprefix("--")
    raise DataError(source, "header", problem)


def _metric_of(name: str, header: Mapping[str, Any]) -> Metric:
    """Return the metric of a header; raises KeyError, TypeError or ValueError (or UsageError)."""
    n_refs = header["n_refs"]
    case = header["case"]
    tokenize = header["tokenize"]
    settings = _settings(header["gain_settings"])
    # the type itself, since True is an int, too
    if type(n_refs) is not int or not 0 <= n_refs <= MOST_REFS:
        raise ValueError(f"expected a number of references, found {shortened(n_refs)}")
    if case not in ("lc", "mixed"):
        raise ValueError(f"expected the case to be lc or mixed, found {shortened(case)}")
    if not isinstance(header["gain"], str) or not isinstance(tokenize, str):
        raise ValueError("expected names of a gain and a tokenizer, found others")
    most = _metric(METRICS[name]).most_settings
    if len(settings) > most or not all(map(math.isfinite, settings)):
        raise ValueError(f"gain {header['gain']}: expected no such settings, found {settings}")
    if tokenize != "none":
        from campanula.stages.metrics import sacrebleu_parts

        # made only to see whether sacrebleu has this tokenizer
        sacrebleu_parts.bleu(tokenize, case == "lc")
    metric = metric_named(
        name,
        gain=header["gain"],
        gain_settings=settings,
        n_refs=n_refs,
        lowercase=case == "lc",
        tokenize=tokenize,
    )
    return metric.with_header(header)


def _settings(given: object) -> tuple[float, ...]:
    """Return the settings of a gain; raises ValueError for values that are no numbers."""
    numbers = given if isinstance(given, list | tuple) else [None]
    if not all(type(number) in (int, float) for number in numbers):
        problem = "expected `gain_settings`, the numbers of the gain"
        raise ValueError(f"{problem}, found {shortened(given)}")
    return tuple(map(float, numbers))


def metrics_of_texts() -> list[str]:
    """Return the names of the metrics that compare texts with references."""
    return [name for name in METRICS if metric_named(name).compares_texts]
