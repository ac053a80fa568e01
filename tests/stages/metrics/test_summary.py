"""The summary of scored lists: corpus values, mean gains, and parts that add up."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from campanula.formats.records.kbest import KBest
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.summary import Summary
from campanula.stages.metrics.table import metric_named
from tests.examples import random_lists
from tests.present import present


def test_summary_without_a_metric_gives_mean_gains() -> None:
    lists, plain = random_lists(5, n_lists=4)
    summary = Summary(None)
    assert list(summary.count(lists)) == lists
    first = sum(hyps[0][1] for hyps in plain) / 4
    oracle = sum(max(gain for _, gain in hyps) for hyps in plain) / 4
    assert f"first: mean gain = {first:.4f}; oracle: {oracle:.4f}" in str(summary)
    assert str(Summary(Bleu())) == "0 lists, 0 hypotheses"


def test_summary_of_statistics() -> None:
    lists = random_lists(5, n_lists=3)[0]
    worse, better = [4, 4, 2, 1, 1, 1, 4, 3, 2, 1], [4, 4, 4, 3, 2, 1, 4, 3, 2, 1]
    lists = [
        replace(r, stats=np.array([better if g == max(gain) else worse for g in gain]))
        for r, gain in ((r, present(r.gain)) for r in lists)
    ]
    summary = Summary(Bleu())
    assert list(summary.count(lists)) == lists
    first = np.sum([present(r.stats)[0] for r in lists], axis=0)
    assert str(summary).endswith(f"first: {Bleu().report(first).line}; oracle: 100.00")


@pytest.mark.parametrize("name", ["bleu", "wer"])
def test_summary_as_json_has_the_values_of_the_words(name: str) -> None:
    metric = metric_named(name)
    width = 10 if name == "bleu" else 2
    stats = np.array([[5, 5, 4, 2, 1, 1, 5, 4, 3, 2][:width], [1] * width])
    lists, _ = random_lists(5, n_lists=1)
    scored = replace(lists[0].take(np.arange(2)), stats=stats, gain=np.array([0.2, 0.4]))
    summary = Summary(metric)
    said = json.loads(summary.to_json())
    assert (said["lists"], said["first"], said["oracle"]) == (0, None, None)
    list(summary.count([scored]))
    said = json.loads(summary.to_json())
    assert (said["lists"], said["hypotheses"], said["metric"]) == (1, 2, name)
    assert said["higher_is_better"] == (name == "bleu")
    assert said["first"] == metric.report(stats[0]).value
    assert said["oracle"] == metric.report(stats[1]).value


def test_summaries_of_parts_add_up() -> None:
    rng = np.random.default_rng(3)
    lists = [
        replace(r, stats=np.sort(rng.integers(0, 9, (len(r), 10)), axis=1)[:, ::-1])
        for r in random_lists(5, n_lists=7)[0]
    ]
    whole, parts = Summary(Bleu()), Summary(Bleu())
    list(whole.count(lists))
    for part in (lists[:3], lists[3:4], lists[4:]):
        counted = Summary(Bleu())
        list(counted.count(part))
        parts.add(json.loads(json.dumps(counted.counts())))
    assert str(parts) == str(whole)
    assert parts.to_json() == whole.to_json()


def by_parts(metric: Metric, lists: list[KBest]) -> Summary:
    parts = Summary(metric)
    for part in (lists[4:], lists[:3], lists[3:4]):
        counted = Summary(metric)
        list(counted.count(part))
        parts.add(json.loads(json.dumps(counted.counts())))
    return parts


def test_gains_alone_add_up_as_well() -> None:
    lists = random_lists(5, n_lists=7)[0]
    whole = Summary(Bleu())
    list(whole.count(lists))
    assert by_parts(Bleu(), lists).to_json() == whole.to_json()
    assert json.loads(whole.to_json())["metric"] == "mean gain"


def test_the_mean_gain_of_the_first_hypotheses() -> None:
    lists, plain = random_lists(5, n_lists=4)
    for metric in (None, Bleu()):
        summary = Summary(metric)
        list(summary.count(lists))
        said = json.loads(summary.to_json())
        assert said["gain"] == pytest.approx(sum(hyps[0][1] for hyps in plain) / 4, rel=1e-15)
        assert "gain_without_brevity_penalty" not in said
    assert json.loads(Summary(Bleu()).to_json())["gain"] is None
    assert json.loads(Summary(Bleu()).to_json())["gain_without_brevity_penalty"] is None


def test_the_mean_gain_without_brevity_penalty() -> None:
    """BLEU+1's clipped penalty and He and Deng's unclipped one both go."""
    short, long = [3, 6, 2, 1, 1, 0, 3, 2, 1, 0], [6, 4, 4, 3, 2, 1, 6, 5, 4, 3]
    lists = random_lists(5, n_lists=2)[0]
    for gain in ("bleu+1", "he-deng"):
        metric = metric_named("bleu", gain=gain)
        summary = Summary(metric)
        scored = [
            replace(kbest.take(np.zeros(1, np.int64)), stats=np.array([stats]), gain=np.zeros(1))
            for kbest, stats in zip(lists, (short, long), strict=True)
        ]
        list(summary.count(scored))
        stats = np.array([short, long])
        penalty = np.exp(1.0 - stats[:, 1] / stats[:, 0])
        if gain == "bleu+1":
            penalty = np.minimum(1.0, penalty)
        expected = float((metric.sentence_gains(stats) / penalty).mean())
        said = json.loads(summary.to_json())
        assert said["gain_without_brevity_penalty"] == pytest.approx(expected, rel=1e-14)
        assert said["gain"] == 0.0
