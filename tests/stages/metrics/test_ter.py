"""TER's statistics by sacrebleu, whole numbers for any number of references."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.ter import TER

from campanula.formats.records.texts import Texts
from campanula.stages.metrics.sentence import SentenceTexts
from campanula.stages.metrics.ter import Ter

HYPS, REFS = ["a b c", "c d a b", "x"], ["a b c d", "d", "a c"]


def test_statistics_are_sacrebleus_times_the_references() -> None:
    metric = Ter(n_refs=3)
    stats = metric.statistics(SentenceTexts(0, Texts.of(HYPS), Texts.of(REFS)))
    judge = TER(case_sensitive=True)
    expected = judge._extract_corpus_statistics(HYPS, [[ref] * len(HYPS) for ref in REFS])
    assert metric.judged(stats) == pytest.approx(np.array(expected))
    assert stats.dtype == np.int64
