"""Flags of the metrics: what they ask for, and those that do not go together."""

from __future__ import annotations

import argparse

import pytest

from campanula.stages.command import UsageError
from campanula.stages.metrics.flags import add_metric_flags, metric_of
from campanula.stages.metrics.metric import Metric


def asked_for(*argv: str) -> Metric:
    p = argparse.ArgumentParser()
    p.add_argument("input", nargs="?", default="-")
    add_metric_flags(p)
    return metric_of(p.parse_args(argv))


@pytest.mark.parametrize(
    ("argv", "metric"),
    [
        ("--ref a", Metric("bleu", "bleu+1", 1, False, "none")),
        ("--ref a --ref b --lowercase --tokenize 13a", Metric("bleu", "bleu+1", 2, True, "13a")),
        ("--ref a --gain floor --smooth-value 0.25", Metric("bleu", "floor[0.25]")),
        ("--ref a --metric wer --tokenize zh", Metric("wer", "1-wer", 1, False, "zh")),
        ("--ref a --metric chrf++ --lowercase", Metric("chrf++", "chrf++", 1, True)),
        ("--ref a --metric ter", Metric("ter", "1-ter")),
        ("--metric gain-column --column c", Metric("gain-column", "column", 0)),
        (
            "--metric gain-column --field comet --gain-range -1 1",
            Metric("gain-column", "column[-1.0,1.0]", 0),
        ),
    ],
)
def test_the_metric_asked_for(argv: str, metric: Metric) -> None:
    assert asked_for(*argv.split()) == metric
    assert Metric.of_header(metric.header()) == metric


@pytest.mark.parametrize(
    ("argv", "fault"),
    [
        ("", "--metric bleu needs --ref"),
        ("--metric chrf", "--metric chrf needs --ref"),
        ("--metric gain-column", "needs --column FILE or --field NAME"),
        ("--metric gain-column --column c --ref a", "takes no --ref"),
        ("--metric gain-column --column c --lowercase", "takes no --lowercase"),
        ("--ref a --column c", "go with --metric gain-column"),
        ("--ref a --gain-range 0 1", "goes with --metric gain-column"),
        ("--ref a --metric wer --gain exp", "--gain goes with bleu, not --metric wer"),
        ("--ref a --smooth-value 1", "--smooth-value"),
        ("--ref a --gain exp --smooth-value 1", "--smooth-value"),
        ("--ref a --metric ter --tokenize 13a", "--tokenize is not for --metric ter"),
        ("--metric gain-column --column c --gain-range 1 1", "two finite numbers that differ"),
        ("--metric gain-column --column c --gain-range 0 inf", "two finite numbers that differ"),
        ("--metric gain-column --column c --gain-range nan 1", "two finite numbers that differ"),
        ("--ref -", "only one input can be stdin"),
        ("--ref - --ref - x", "only one input can be stdin"),
        ("--metric gain-column --column - -", "only one input can be stdin"),
    ],
)
def test_flags_that_do_not_fit(argv: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        asked_for(*argv.split())
