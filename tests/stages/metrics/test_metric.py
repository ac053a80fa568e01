"""Corpus values with sacrebleu's words, and what every metric of the table promises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics.base import Metric as Judge
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from campanula.formats import __version__
from campanula.formats.records.texts import Texts
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.metric import Metric, best
from campanula.stages.metrics.sentence import SentenceTexts
from campanula.stages.metrics.table import METRICS, metric_named, metrics_of_texts

HYPS = ["The cat sat on the mat .", "a  dog", "", "Straße: it's 3.5% — ok?"]
REFS = [
    ["the cat sat on a mat .", "Dog", "x", "Strasse, it's 3.5 % ok ?"],
    ["mat", "a dog", "", "q"],
]


def judges(name: str) -> Iterator[tuple[dict[str, Any], Judge]]:
    """Settings, and sacrebleu's metric with the same."""
    for lowercase in (False, True):
        settings: dict[str, Any] = {"n_refs": 2, "lowercase": lowercase}
        if name == "bleu":
            for tokenize in ("none", "13a", "char", "intl", "zh"):
                judge = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
                yield {**settings, "tokenize": tokenize}, judge
        elif name == "ter":
            yield settings, TER(case_sensitive=not lowercase)
        else:
            yield settings, CHRF(word_order=2 * (name == "chrf++"), lowercase=lowercase)


@pytest.mark.parametrize("name", ["bleu", "ter", "chrf", "chrf++"])
def test_corpus_values_are_sacrebleus_line(name: str) -> None:
    for settings, judge in judges(name):
        stats = np.array(judge._extract_corpus_statistics(HYPS, REFS)).sum(axis=0)
        expected = judge.corpus_score(HYPS, REFS)
        sums = stats * 2 if name == "ter" else stats
        metric = metric_named(name, **settings)
        report = metric.report(sums.astype(np.int64))
        assert report.value == pytest.approx(expected.score, rel=1e-12)
        assert report.line == expected.format(signature=judge.get_signature().format())
        assert report.shown == f"{expected.score:.2f}"
        values = metric.corpus_values(np.array([sums, sums]).astype(np.int64))
        better = expected.score if metric.higher_is_better else 100.0 - expected.score
        assert values == pytest.approx([better / 100.0] * 2)


@pytest.mark.parametrize("name", METRICS)
def test_nothing_summed_is_no_error(name: str) -> None:
    metric = metric_named(name)
    assert metric.report([0] * metric.width).value == 0.0
    none = np.zeros((0, metric.width), np.int64)
    assert metric.corpus_values(none).shape == metric.sentence_gains(none).shape == (0,)


@pytest.mark.parametrize("name", metrics_of_texts())
def test_the_statistics_are_as_wide_as_the_metric_says(name: str) -> None:
    metric = metric_named(name, n_refs=2)
    sentence = SentenceTexts(3, Texts.of(HYPS), Texts.of(["x y", "The cat"]))
    stats = metric.statistics(sentence)
    assert (stats.shape, stats.dtype) == ((4, metric.width), np.dtype(np.int64))
    gain = metric.sentence_gains(stats)
    assert gain.shape == (4,)
    assert (gain <= 1.0).all()
    assert metric.name == name
    assert metric.gain == metric.gain_names[0]


def test_a_signature_says_the_settings() -> None:
    metric = Bleu(gain="he-deng", n_refs=4, lowercase=True, tokenize="13a")
    assert str(metric) == "metric:bleu|gain:he-deng|nrefs:4|case:lc|tok:13a"
    floor = Bleu(gain="floor", gain_settings=(0.25,))
    assert str(floor) == "metric:bleu|gain:floor[0.25]|nrefs:1|case:mixed|tok:none"


def test_wer_has_a_version_of_ours() -> None:
    report = metric_named("wer", n_refs=3, lowercase=True, tokenize="13a").report([3, 12])
    assert report.value == pytest.approx(25.0)
    assert report.line == f"WER|nrefs:3|case:lc|tok:13a|version:campanula-{__version__} = 25.00"


def test_the_best_are_those_of_highest_gain() -> None:
    gain = np.array([0.2, 0.5, -0.1, 0.5])
    assert [best(gain, n).tolist() for n in (1, 2, 9)] == [[1], [1, 3], [1, 3, 0, 2]]
    metric: Metric = Bleu()
    assert metric.oracles(gain, None, 2).tolist() == [1, 3]
