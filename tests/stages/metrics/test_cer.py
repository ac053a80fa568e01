"""CER's statistics are WER's of characters, by the twin and by sacrebleu's tokenizer."""

from __future__ import annotations

import pytest

from campanula.formats.records.texts import Texts
from campanula.stages.metrics.cer import Cer
from campanula.stages.metrics.scoring import preparation
from campanula.stages.metrics.sentence import SentenceTexts
from campanula.stages.metrics.wer import Wer
from tests.naive import edits as naive

HYPS = ["i saw hem", "saw", "", "größe  日本", "a\nb", " "]
REFS = ["i saw him", "grösse 日木", ""]


def test_statistics_are_edits_of_characters_that_are_no_white_space() -> None:
    stats = Cer(n_refs=3).statistics(SentenceTexts(0, Texts.of(HYPS), Texts.of(REFS)))
    spread = [" ".join("".join(text.split())) for text in HYPS]
    references = [" ".join("".join(text.split())) for text in REFS]
    assert stats.tolist() == [naive.word_errors(hyp, references) for hyp in spread]


def test_it_is_wer_of_the_tokenizer_char() -> None:
    apart = preparation("char", lowercase=False)
    hyps, refs = Texts.of(HYPS), Texts.of(REFS)
    expected = Wer().statistics(SentenceTexts(0, apart(hyps), apart(refs)))
    assert Cer().statistics(SentenceTexts(0, hyps, refs)).tolist() == expected.tolist()


def test_its_report_says_what_it_is() -> None:
    report = Cer().report([3, 10])
    assert report.line.startswith("CER|nrefs:1|case:mixed|tok:none|version:campanula-")
    assert report.value == pytest.approx(30.0)
