"""Texts are prepared and scored as sacrebleu does it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.metrics.base import Metric as Judge
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages import command
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scoring import Scorer, preparation
from campanula.stages.metrics.table import metric_named, metrics_of_texts
from tests.naive import edits as naive
from tests.present import present

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
    metric = metric_named(name, n_refs=len(REFS), lowercase=lowercase)
    found = scored(replace(metric, gain="exp") if name == "bleu" else metric)
    judge = judge_of(name, lowercase)
    stats = judge._extract_corpus_statistics(HYPS, [[ref] * len(HYPS) for ref in REFS])
    factor = len(REFS) if name == "ter" else 1
    assert found.stats == pytest.approx(np.array(stats) * factor)
    assert found.stats.shape[1] == metric.width
    value = np.array([judge.sentence_score(hyp, REFS).score for hyp in HYPS]) / 100.0
    expected = 1.0 - value if name == "ter" else value
    if name != "ter":
        expected[HYPS.index("")] = 0.0
    assert found.gain == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("lowercase", [False, True])
def test_wer_equals_the_twin(lowercase: bool) -> None:
    found = scored(metric_named("wer", n_refs=len(REFS), lowercase=lowercase))
    hyps, refs = ([t.lower() if lowercase else t for t in texts] for texts in (HYPS, REFS))
    stats = [naive.word_errors(hyp, refs) for hyp in hyps]
    assert present(found.stats).tolist() == stats
    expected = [max(0.0, 1.0 - edits / length) for edits, length in stats]
    assert found.gain == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", metrics_of_texts())
def test_silence_has_gain_0_or_under_error_rates_1_where_it_is_right(name: str) -> None:
    is_right = 0.0 if metric_named(name).higher_is_better else 1.0
    for refs, gain in ((["a b"], 0.0), ([""], is_right), (["", "a"], is_right)):
        found = scored(metric_named(name, n_refs=len(refs)), ["", " "], refs)
        assert present(found.gain).tolist() == [gain, gain]


def test_a_smoothing_takes_its_setting() -> None:
    judge = BLEU(tokenize="none", smooth_method="floor", smooth_value=0.03, effective_order=True)
    expected = [judge.sentence_score(hyp, REFS).score / 100.0 for hyp in HYPS]
    metric = Bleu(gain="floor", gain_settings=(0.03,), n_refs=3)
    assert scored(metric).gain == pytest.approx(expected)


def lists_of(*lists: list[str]) -> list[KBest]:
    names = Names()
    return [
        KBest(sid, Texts.of(texts), Features.of([{}] * len(texts), names), names)
        for sid, texts in enumerate(lists)
    ]


def test_lists_are_scored_in_their_order_by_any_number_of_threads() -> None:
    lists = lists_of(["a b", "a c"], ["d"])
    references = References.of(["a b", "e"], ["a x", "d"])
    scorer = Scorer(metric_named("wer", n_refs=2), references)
    for jobs in (1, 2):
        found = list(scorer.score(lists, jobs=jobs))
        assert [present(kbest.gain).tolist() for kbest in found] == [[1.0, 0.5], [1.0]]


def test_lists_and_references_must_fit() -> None:
    lists = lists_of(["a b", "a c"], ["d"])
    with pytest.raises(DataError, match="k-best lists: sentence 1: expected a reference in ref"):
        list(Scorer(Bleu(), References.of(["a b"])).score(lists))
    longer = Scorer(Bleu(), References.of(["a", "d", "x"]))
    with pytest.raises(DataError, match="references 1: line 3: expected a k-best list"):
        list(longer.score(lists))
    assert len(list(longer.score(lists, allow_missing=True))) == 2
