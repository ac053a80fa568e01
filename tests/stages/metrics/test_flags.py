"""Flags of the metrics: what they ask for, and those that do not go together."""

from __future__ import annotations

import argparse
import re
from typing import Any

import pytest

from campanula.stages.command import UsageError
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.chrf import ChrfPlusPlus
from campanula.stages.metrics.flags import add_metric_flags, metric_flags, metric_of_texts
from campanula.stages.metrics.gain_column import GainColumn
from campanula.stages.metrics.meteor import Meteor
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.table import metric_of, metrics_of_texts
from campanula.stages.metrics.ter import Ter
from campanula.stages.metrics.wer import Wer

LOWER_13A: dict[str, Any] = {"lowercase": True, "tokenize": "13a"}


def asked_for(*argv: str) -> Metric:
    p = argparse.ArgumentParser()
    p.add_argument("input", nargs="?", default="-")
    add_metric_flags(p)
    return metric_flags(p.parse_args(argv)).metric


@pytest.mark.parametrize(
    ("argv", "metric"),
    [
        ("--ref a", Bleu()),
        ("--ref a --ref b --lowercase --tokenize 13a", Bleu(n_refs=2, **LOWER_13A)),
        ("--ref a --gain floor --smooth-value 0.25", Bleu(gain="floor", gain_settings=(0.25,))),
        ("--ref a --metric wer --tokenize zh", Wer(tokenize="zh")),
        ("--ref a --metric chrf++ --lowercase", ChrfPlusPlus(lowercase=True)),
        ("--ref a --metric ter", Ter()),
        ("--ref a --metric meteor --tokenize 13a --lowercase", Meteor(**LOWER_13A)),
        (
            "--ref a --metric meteor --meteor-alpha 0.8 --meteor-gamma 0.2 --meteor-no-stem",
            Meteor(gain_settings=(0.8, 3.0, 0.2), stem=False),
        ),
        ("--metric gain-column --column c", GainColumn(n_refs=0)),
        (
            "--metric gain-column --field comet --gain-range -1 1",
            GainColumn(n_refs=0, gain_settings=(-1.0, 1.0)),
        ),
    ],
)
def test_the_metric_asked_for(argv: str, metric: Metric) -> None:
    assert asked_for(*argv.split()) == metric
    assert metric_of(metric.header()) == metric


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
        ("--ref a --metric wer --gain exp", "--gain exp goes with --metric bleu, not wer"),
        ("--ref a --smooth-value 1", "--smooth-value goes with --gain floor or add-k"),
        ("--ref a --gain bleu", r"--gain bleu: expected one of bleu\+1, he-deng, none"),
        ("--ref a --gain exp --smooth-value 1", "--smooth-value"),
        ("--ref a --metric ter --tokenize 13a", "--tokenize is not for --metric ter"),
        ("--metric gain-column --column c --gain-range 1 1", "two finite numbers that differ"),
        ("--ref a --meteor-beta 2", "--meteor-beta goes with --metric meteor"),
        ("--ref a --metric wer --meteor-no-stem", "--meteor-no-stem goes with --metric meteor"),
        ("--ref a --meteor-wordnet x", "--meteor-wordnet goes with --metric meteor"),
        ("--ref a --metric meteor --meteor-alpha 1.5", "expected alpha and gamma from 0 to 1"),
        ("--ref -", "only one input can be stdin"),
        ("--ref - --ref - x", "only one input can be stdin"),
        ("--metric gain-column --column - -", "only one input can be stdin"),
    ],
)
def test_flags_that_do_not_fit(argv: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        asked_for(*argv.split())


@pytest.mark.parametrize("end", ["inf", "nan", "1_0", "x"])
def test_the_ends_of_a_range_are_finite_numbers(end: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        asked_for("--metric", "gain-column", "--column", "c", "--gain-range", "0", end)
    assert f"--gain-range: expected a finite number, found {end}" in capsys.readouterr().err


def test_where_numbers_are() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("input", nargs="?", default="-")
    add_metric_flags(p)
    flags = metric_flags(p.parse_args(["--metric", "gain-column", "--column", "c", "x"]))
    assert (flags.refs, flags.column, flags.field) == ((), "c", None)
    flags = metric_flags(p.parse_args(["--ref", "a", "--ref", "b"]))
    assert (flags.refs, flags.metric.n_refs) == (("a", "b"), 2)


TEXTS_ALONE = f"there are {re.escape(', '.join(metrics_of_texts()))}$"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("blue", "no metric is called 'blue'; did you mean bleu"),
        ("nope", TEXTS_ALONE),
        ("gain-colum", TEXTS_ALONE),
        ("gain-column", "no texts"),
    ],
)
def test_a_metric_of_texts(name: str, problem: str) -> None:
    assert metric_of_texts("chrf++") == "chrf++"
    with pytest.raises(argparse.ArgumentTypeError, match=problem):
        metric_of_texts(name)
