"""WER's statistics by the twin."""

from __future__ import annotations

from campanula.formats.records.texts import Texts
from campanula.stages.metrics.sentence import SentenceTexts
from campanula.stages.metrics.wer import Wer
from tests.naive import edits as naive


def test_statistics_are_edits_to_the_nearest_reference() -> None:
    hyps, refs = ["a b c", "d", "", "a x c d e"], ["a b", "a c d e f", ""]
    stats = Wer(n_refs=3).statistics(SentenceTexts(0, Texts.of(hyps), Texts.of(refs)))
    assert stats.tolist() == [naive.word_errors(hyp, refs) for hyp in hyps]
    assert Wer().judge() is None
