"""The parts of sacrebleu that we use are there, and give what its public functions give."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from campanula.stages.command import UsageError
from campanula.stages.metrics import sacrebleu_parts as parts

HYPS = ["the cat sat", "a dog ran home", "it is late now"]
REFS = [["the cat sat down", "a dog ran home", "it is late now ."]]


def test_a_report_is_its_corpus_score() -> None:
    bleu = BLEU(tokenize="13a")
    expected = bleu.corpus_score(HYPS, REFS)
    sums = np.array(bleu._extract_corpus_statistics(HYPS, REFS)).sum(axis=0)
    report = parts.report(parts.bleu("13a", False), sums, 1)
    assert report.line == expected.format(signature=bleu.get_signature().format())
    assert report.value == expected.score


@pytest.mark.parametrize("lowercase", [False, True])
def test_texts_are_prepared_as_it_does(lowercase: bool) -> None:
    expected = BLEU(tokenize="13a", lowercase=lowercase)._preprocess_segment("A b, C.")
    assert parts.preparation("13a", lowercase)("A b, C.") == expected


def test_an_unknown_tokenizer_is_the_users_fault() -> None:
    with pytest.raises(UsageError, match="--tokenize nonsense: expected one of none, zh, 13a"):
        parts.preparation("nonsense", False)
