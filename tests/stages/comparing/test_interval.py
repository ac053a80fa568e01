"""The percentile interval: sacrebleu's for a single output, by slow sorting for replicates."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.ter import TER

from campanula.formats.text.references import References
from campanula.stages.comparing.interval import (
    bootstrap_samples,
    interval,
    interval_of_difference,
    values,
)
from campanula.stages.comparing.scored_outputs import ScoredOutputs
from campanula.stages.metrics.table import metric_named

REF = ["the cat sat on the mat .", "a dog ran home", "it is late now", "so it is , OK"] * 3
ONE = ["the cat sat on a mat .", "a dog ran", "it is now late", "so it is OK"] * 3
TWO = ["a cat sat on the mat .", "dog ran home", "it is late", "is it so , OK"] * 3


@pytest.mark.parametrize(
    ("name", "judge"), [("bleu", BLEU(tokenize="none", force=True)), ("ter", TER())]
)
def test_it_is_sacrebleus(name: str, judge: BLEU | TER, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = metric_named(name)
    stats = ScoredOutputs.of_texts(metric, [ONE], References.of(REF)).stats
    low, high = interval(metric, bootstrap_samples(stats, 200, 9))
    monkeypatch.setenv("SACREBLEU_SEED", "9")
    expected = judge.corpus_score(ONE, [REF], n_bootstrap=200)
    assert (high - low) / 2 == pytest.approx(expected._ci)


@pytest.mark.parametrize("samples", [1, 39, 400])
def test_that_of_replicates_is_of_their_mean(samples: int) -> None:
    metric = metric_named("wer")
    stats = ScoredOutputs.of_texts(metric, [ONE, TWO], References.of(REF)).stats
    sums = bootstrap_samples(stats, samples, 9)
    means = sorted(float(np.mean(values(metric, rows))) for rows in sums)
    outside = samples // 40
    expected = (means[outside], means[samples - 1 - outside])
    assert interval(metric, sums) == pytest.approx(expected)


def test_systems_do_not_change_each_others_samples() -> None:
    metric = metric_named("bleu")
    both = ScoredOutputs.of_texts(metric, [ONE, TWO], References.of(REF)).stats
    alone = bootstrap_samples(both[:, 1:], 30, 4)
    assert bootstrap_samples(both, 30, 4)[:, 1:].tolist() == alone.tolist()


@pytest.mark.parametrize("name", ["wer", "bleu"])
def test_that_of_a_difference_is_of_the_same_samples(name: str) -> None:
    metric = metric_named(name)
    stats = ScoredOutputs.of_texts(metric, [ONE, TWO, REF], References.of(REF)).stats
    sums = bootstrap_samples(stats, 400, 9)
    first, second = sums[:, :2], sums[:, 2:]
    differences = sorted(
        values(metric, b)[0] - float(np.mean(values(metric, a)))
        for a, b in zip(first, second, strict=True)
    )
    expected = (differences[10], differences[389])
    assert interval_of_difference(metric, first, second) == pytest.approx(expected)
