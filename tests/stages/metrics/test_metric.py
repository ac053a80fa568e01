"""Corpus values with sacrebleu's words, and headers that are read back."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from campanula.formats import __version__
from campanula.stages.metrics import metric as metrics
from campanula.stages.metrics.metric import METRICS, Metric

HYPS = ["The cat sat on the mat .", "a  dog", "", "Straße: it's 3.5% — ok?"]
REFS = [
    ["the cat sat on a mat .", "Dog", "x", "Strasse, it's 3.5 % ok ?"],
    ["mat", "a dog", "", "q"],
]


@pytest.mark.parametrize("tokenize", ["none", "13a", "char", "intl", "zh"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_corpus_bleu_is_sacrebleus_line(tokenize: str, lowercase: bool) -> None:
    bleu = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    stats = np.array(bleu._extract_corpus_statistics(HYPS, REFS))
    expected = bleu.corpus_score(HYPS, REFS)
    score, text = metrics.corpus_bleu(stats.sum(axis=0), 2, tokenize, lowercase)
    assert score == expected.score
    assert text == expected.format(signature=bleu.get_signature().format())


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", ["ter", "chrf", "chrf++"])
def test_corpus_values_are_sacrebleus_line(name: str, lowercase: bool) -> None:
    judge = {
        "ter": TER(case_sensitive=not lowercase),
        "chrf": CHRF(lowercase=lowercase),
        "chrf++": CHRF(word_order=2, lowercase=lowercase),
    }[name]
    stats = np.array(judge._extract_corpus_statistics(HYPS, REFS)).sum(axis=0)
    expected = judge.corpus_score(HYPS, REFS)
    sums = stats * 2 if name == "ter" else stats
    value, text = Metric(name, METRICS[name].gains[0], 2, lowercase).corpus(sums)
    assert value == pytest.approx(expected.score, rel=1e-12)
    assert text == expected.format(signature=judge.get_signature().format())
    values = Metric(name).values(np.array([sums, sums]).astype(np.int64))
    better = 100.0 - value if name == "ter" else value
    assert values == pytest.approx([better / 100.0] * 2)


def test_wer_and_means() -> None:
    value, text = Metric("wer", "1-wer", 3, True, "13a").corpus([3, 12])
    assert value == pytest.approx(25.0)
    assert text == f"WER|nrefs:3|case:lc|tok:13a|version:campanula-{__version__} = 25.00"
    value, text = Metric("gain-column", "column", 0).corpus([1_500_000_000, 2])
    assert (value, text) == (0.75, "gain-column = 0.7500")


def test_nothing_summed_is_no_error() -> None:
    for name, kind in METRICS.items():
        assert Metric(name, kind.gains[0]).corpus([0] * kind.width)[0] == 0.0


def test_a_header_gives_its_metric_back() -> None:
    metric = Metric("bleu", "he-deng", 4, True, "13a")
    assert metric.header() == {
        "name": "bleu", "gain": "he-deng", "n_refs": 4, "case": "lc", "tokenize": "13a",
    }  # fmt: skip
    assert Metric.of_header(metric.header()) == metric
    assert str(metric) == "metric:bleu|gain:he-deng|nrefs:4|case:lc|tok:13a"


@pytest.mark.parametrize(
    "change", [{"name": "unheard-of"}, {"n_refs": "four"}, {"n_refs": None}, {"name": None}]
)
def test_a_header_that_holds_no_metric_known_here(change: dict[str, object]) -> None:
    assert Metric.of_header({**Metric().header(), **change}) is None
    assert Metric.of_header({"name": "bleu"}) is None
    assert Metric.of_header(None) is None
