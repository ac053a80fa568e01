"""The parts of sacrebleu that we use are there, and give what its public functions give."""

from __future__ import annotations

import os

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from campanula.stages.command import UsageError
from campanula.stages.metrics import sacrebleu_parts as parts

HYPS = ["the cat sat", "a dog ran home", "it is late now"]
OTHERS = ["the cat sat down", "the dog ran home", "it is late"]
REFS = [["the cat sat down", "a dog ran home", "it is late now ."]]


def stats(lines: list[str]) -> np.ndarray:
    return np.array(BLEU(tokenize="none")._extract_corpus_statistics(lines, REFS), np.float64)


def test_a_report_is_its_corpus_score() -> None:
    bleu = BLEU(tokenize="13a")
    expected = bleu.corpus_score(HYPS, REFS)
    sums = np.array(bleu._extract_corpus_statistics(HYPS, REFS)).sum(axis=0)
    report = parts.report(parts.bleu("13a", False), sums, 1)
    assert report.line == expected.format(signature=bleu.get_signature().format())
    assert report.value == expected.score


def test_paired_tests_are_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    judge, two = parts.bleu("none", False), (stats(HYPS), stats(OTHERS))
    monkeypatch.setenv(parts.SEED, "99")
    found = parts.paired_tests(judge, "bleu", two, 7, (50, 60))
    assert os.environ[parts.SEED] == "99"
    monkeypatch.setenv(parts.SEED, "7")
    named = [("first", HYPS), ("second", OTHERS)]
    expected = tuple(
        PairedTest(named, {"b": BLEU(tokenize="none", force=True)}, REFS, kind, n)()[1]["BLEU"][
            1
        ].p_value
        for kind, n in (("bs", 50), ("ar", 60))
    )
    assert found == expected


@pytest.mark.parametrize("lowercase", [False, True])
def test_texts_are_prepared_as_it_does(lowercase: bool) -> None:
    expected = BLEU(tokenize="13a", lowercase=lowercase)._preprocess_segment("A b, C.")
    assert parts.preparation("13a", lowercase)("A b, C.") == expected


def test_an_unknown_tokenizer_is_the_users_fault() -> None:
    with pytest.raises(UsageError, match="--tokenize nonsense: expected one of none, zh, 13a"):
        parts.preparation("nonsense", False)
