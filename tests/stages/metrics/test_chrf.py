"""chrF's statistics by sacrebleu."""

from __future__ import annotations

import pytest
from sacrebleu.metrics.chrf import CHRF

from campanula.formats.records.texts import Texts
from campanula.stages.metrics.chrf import Chrf, ChrfPlusPlus
from campanula.stages.metrics.sentence import SentenceTexts

HYPS, REFS = ["the cat sat .", "(a) dog", "x"], ["the cat sits .", "a dog"]


@pytest.mark.parametrize("metric", [Chrf(), ChrfPlusPlus()])
def test_statistics_are_sacrebleus(metric: Chrf) -> None:
    stats = metric.statistics(SentenceTexts(0, Texts.of(HYPS), Texts.of(REFS)))
    judge = CHRF(word_order=metric.word_order)
    expected = judge._extract_corpus_statistics(HYPS, [[ref] * len(HYPS) for ref in REFS])
    assert stats.tolist() == expected
    assert metric.sentence_gains(stats) == pytest.approx(metric.corpus_values(stats))
