"""The table of the metrics: ours, and the user's own.

A row is a metric with its default settings, its class, or a function that gives a gain
(gain_function.py).  Others are added by `METRICS.add` or by an entry point of the group
`campanula.metrics`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from campanula.formats.registry import Registry, UnknownName
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.chrf import Chrf, ChrfPlusPlus
from campanula.stages.metrics.gain_column import GainColumn
from campanula.stages.metrics.metric import TOKENIZE, Metric
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
        "ter": Ter(),
        "chrf": Chrf(),
        "chrf++": ChrfPlusPlus(),
        "gain-column": GainColumn(n_refs=0),
    },
)


def metric_named(name: str, **settings: Any) -> Metric:
    """The metric of this name, with settings: `metric_named("bleu", n_refs=2)`.

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


def metric_of(header: Mapping[str, Any] | None) -> Metric | None:
    """The metric in a stream's header; None: not scored, or by a metric that is not known here."""
    if header is None:
        return None
    try:
        return metric_named(
            str(header["name"]),
            gain=str(header["gain"]),
            gain_settings=tuple(map(float, header["gain_settings"])),
            n_refs=int(header["n_refs"]),
            lowercase=header["case"] == "lc",
            tokenize=str(header["tokenize"]),
        )
    except (UnknownName, KeyError, TypeError, ValueError):
        return None


def metrics_of_texts() -> list[str]:
    """Names of those that compare texts with references."""
    return [name for name in METRICS if metric_named(name).compares_texts]
