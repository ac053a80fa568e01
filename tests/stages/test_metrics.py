"""Corpus values with sacrebleu's words, signatures read back, lists joined to references."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from formats.errors import DataError
from formats.references import References
from formats.texts import Texts
from stages import command, metrics
from stages.metrics import Metric
from tests.examples import random_lists

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


@pytest.mark.parametrize("tokenize", ["none", "13a", "char", "intl", "zh"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_preparation_is_sacrebleus(tokenize: str, lowercase: bool) -> None:
    bleu = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
    texts = [*HYPS, "ΣΑΣ", "Σ", "İx", "ASCII only", "中文 test。"]
    prepared = metrics.preparation(tokenize, lowercase)(Texts.of(texts))
    assert [t.split() for t in prepared] == [bleu._preprocess_segment(t).split() for t in texts]
    ascii_only = metrics.preparation(tokenize, lowercase)(Texts.of(["A b.", "C"]))
    expected = [bleu._preprocess_segment(text) for text in ("A b.", "C")]
    assert list(ascii_only) == expected


def test_unknown_tokenizer_is_a_usage_error() -> None:
    with pytest.raises(command.UsageError, match="expected one of none, zh, 13a"):
        metrics.preparation("nonsense", False)


def test_a_signature_gives_its_metric_back() -> None:
    metric = Metric("bleu", "he-deng", 4, True, "13a")
    signature = command.signature("score-bleu", **metric.fields(), references="00ff")
    assert Metric.of_signature(signature) == metric
    assert Metric.of_signature(f"campanula:0|command:oracle-search|n:1 < {signature} < x") == metric
    assert Metric.of_signature(f"{Metric().fields()}") is None
    assert Metric.of_signature("campanula:0|command:import-nbest") is None


def test_the_newest_scoring_counts() -> None:
    old = command.signature("score-bleu", **Metric(gain="exp").fields())
    new = command.signature("score-bleu", **Metric(gain="floor").fields())
    found = Metric.of_signature(f"{new} < {old}")
    assert found is not None
    assert found.gain == "floor"


def references(tmp_path: Path, n_lines: int) -> References:
    (tmp_path / "ref").write_text("x\n" * n_lines)
    return References.read([str(tmp_path / "ref")])


def test_lists_and_references_must_fit(tmp_path: Path) -> None:
    lists, _ = random_lists(3, n_lists=4)
    join = metrics.with_references
    assert list(join(lists, "dev", references(tmp_path, 4), False)) == lists
    with pytest.raises(DataError) as few:
        list(join(lists, "dev", references(tmp_path, 3), True))
    ref = str(tmp_path / "ref")
    problem = f"expected a reference in {ref}, found the end after 3 lines"
    assert str(few.value) == f"dev: sentence 3: {problem}"
    with pytest.raises(
        DataError, match=r"ref: line 5: expected a k-best list of sentence 4 in dev"
    ):
        list(join(lists, "dev", references(tmp_path, 6), False))
    assert list(join(lists, "dev", references(tmp_path, 6), True)) == lists


def test_a_gap_in_the_lists_names_the_first_line_without_one(tmp_path: Path) -> None:
    lists, _ = random_lists(3, n_lists=4)
    with pytest.raises(DataError, match="ref: line 2: expected a k-best list of sentence 1"):
        list(metrics.with_references(lists[:1] + lists[3:], "dev", references(tmp_path, 4), False))


def test_no_lists_and_no_references(tmp_path: Path) -> None:
    assert list(metrics.with_references([], "dev", references(tmp_path, 0), False)) == []


def test_oracles_are_the_highest_gains_and_ties_go_to_the_lower_index() -> None:
    gain = np.array([0.2, 0.5, 0.1, 0.5, 0.5])
    assert metrics.oracles(gain, 1).tolist() == [1]
    assert metrics.oracles(gain, 4).tolist() == [1, 3, 4, 0]
    assert metrics.oracles(gain, 9).tolist() == [1, 3, 4, 0, 2]


def test_summary_without_a_metric_gives_mean_gains() -> None:
    lists, plain = random_lists(5, n_lists=4)
    summary = metrics.Summary(None)
    assert list(summary.count(lists)) == lists
    first = sum(hyps[0][1] for hyps in plain) / 4
    oracle = sum(max(gain for _, gain in hyps) for hyps in plain) / 4
    assert f"first: mean gain = {first:.4f}; oracle: mean gain = {oracle:.4f}" in str(summary)
    assert str(metrics.Summary(Metric())) == "0 lists, 0 hypotheses"
