"""Texts are prepared and scored as sacrebleu does it."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.base import Metric as Judge
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.metrics.metric import METRICS, Metric
from campanula.stages.metrics.statistics import Scorer, bracketed, preparation
from tests.naive import edits as naive

HYPS = [
    "The cat sat on the mat .",
    "a  dog (a",
    "",
    "Straße: it's 3.5% — ok?",
    "ΣΑΣ\u2028中文 test。",
]
REFS = ["the cat sat on a mat .", "A dog (a) sat", "Strasse: it's 3.5 % OK ?"]


def scored(metric: Metric, hyps: list[str] = HYPS, refs: list[str] = REFS) -> KBest:
    features = Features.of_dense(np.zeros(0, np.int32), np.zeros((0, len(hyps))))
    references = References(Texts.of(refs), ("ref",) * len(refs))
    return Scorer(metric, references)(KBest(0, Texts.of(hyps), features, Names()))


@pytest.mark.parametrize("tokenize", ["none", "13a", "char", "intl", "zh"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_preparation_is_sacrebleus(tokenize: str, lowercase: bool) -> None:
    bleu = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    texts = [*HYPS, "ΣΑΣ", "Σ", "İx", "ASCII only", "中文 test。"]
    prepared = preparation(tokenize, lowercase)(Texts.of(texts))
    assert [t.split() for t in prepared] == [bleu._preprocess_segment(t).split() for t in texts]
    ascii_only = preparation(tokenize, lowercase)(Texts.of(["A b.", "C"]))
    expected = [bleu._preprocess_segment(text) for text in ("A b.", "C")]
    assert list(ascii_only) == expected


def test_unknown_tokenizer_is_a_usage_error() -> None:
    with pytest.raises(command.UsageError, match="expected one of none, zh, 13a"):
        preparation("nonsense", False)


def judge_of(name: str, lowercase: bool) -> Judge:
    """sacrebleu's metric of the same settings."""
    return {
        "bleu": BLEU(lowercase=lowercase, tokenize="none", force=True, effective_order=True),
        "ter": TER(case_sensitive=not lowercase),
        "chrf": CHRF(lowercase=lowercase),
        "chrf++": CHRF(word_order=2, lowercase=lowercase),
    }[name]


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", ["bleu", "ter", "chrf", "chrf++"])
def test_statistics_and_gains_equal_sacrebleus(name: str, lowercase: bool) -> None:
    gain = "exp" if name == "bleu" else METRICS[name].gains[0]
    found = scored(Metric(name, gain, len(REFS), lowercase))
    judge = judge_of(name, lowercase)
    stats = judge._extract_corpus_statistics(HYPS, [[ref] * len(HYPS) for ref in REFS])
    factor = len(REFS) if name == "ter" else 1
    assert found.stats == pytest.approx(np.array(stats) * factor)
    assert found.stats.shape[1] == METRICS[name].width
    value = np.array([judge.sentence_score(hyp, REFS).score for hyp in HYPS]) / 100.0
    expected = np.maximum(1.0 - value, 0.0) if name == "ter" else value
    expected[HYPS.index("")] = 0.0
    assert found.gain == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("lowercase", [False, True])
def test_wer_equals_the_twin(lowercase: bool) -> None:
    found = scored(Metric("wer", "1-wer", len(REFS), lowercase))
    hyps, refs = ([t.lower() if lowercase else t for t in texts] for texts in (HYPS, REFS))
    stats = [naive.word_errors(hyp, refs) for hyp in hyps]
    assert found.stats.tolist() == stats
    expected = [max(0.0, 1.0 - edits / length) for edits, length in stats]
    assert found.gain == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", [name for name in METRICS if name != "gain-column"])
def test_an_empty_hypothesis_has_gain_0(name: str) -> None:
    for refs in (["a b"], [""], ["", "a"]):
        found = scored(Metric(name, METRICS[name].gains[0], len(refs)), ["", " "], refs)
        assert found.gain.tolist() == [0.0, 0.0]


def test_settings_in_brackets() -> None:
    assert bracketed("bleu+1") == ("bleu+1", [])
    assert bracketed("floor[0.2]") == ("floor", [0.2])
    assert bracketed("column[-1.0,1e+20]") == ("column", [-1.0, 1e20])


def test_a_smoothing_takes_its_value_from_the_brackets() -> None:
    judge = BLEU(tokenize="none", smooth_method="floor", smooth_value=0.03, effective_order=True)
    expected = [judge.sentence_score(hyp, REFS).score / 100.0 for hyp in HYPS]
    assert scored(Metric("bleu", "floor[0.03]", 3)).gain == pytest.approx(expected)
