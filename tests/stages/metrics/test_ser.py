"""SER counts the sentences in which WER finds an error: by the twin of WER, and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.metrics.sentence import SentenceTexts
from campanula.stages.metrics.ser import Ser
from campanula.stages.metrics.table import metric_named
from tests.naive import edits as naive

EDGES = ["", " ", "a", "a a", "b a", "a  b\n", "c", "x", "y"]


def random_texts(rng: np.random.Generator, n: int, words: str) -> list[str]:
    return [" ".join(rng.choice([*words], rng.integers(0, 4))) for _ in range(n)]


@pytest.mark.parametrize("n_refs", [1, 2, 5])
def test_a_sentence_is_wrong_where_it_has_an_edit_to_every_reference(n_refs: int) -> None:
    rng, found = np.random.default_rng(n_refs), []
    for _ in range(20):
        hyps, refs = EDGES + random_texts(rng, 20, "abcx"), random_texts(rng, n_refs, "abc")
        stats = Ser(n_refs=n_refs).statistics(SentenceTexts(0, Texts.of(hyps), Texts.of(refs)))
        edits = [naive.word_errors(hyp, refs)[0] for hyp in hyps]
        assert stats.tolist() == [[int(n > 0), 1] for n in edits]
        found += stats[:, 0].tolist()
    assert {*found} == {0, 1}


def test_case_and_tokens_count_as_the_settings_say() -> None:
    texts = ["A cat.", "a cat .", "a dog"]
    kbest = KBest(0, Texts.of(texts), Features.of([{}] * 3, Names()), Names())
    gains = [
        Scorer(metric_named("ser", **settings), References.of(["a cat ."]))(kbest).gain
        for settings in ({}, {"lowercase": True}, {"lowercase": True, "tokenize": "13a"})
    ]
    assert np.array(gains).tolist() == [[0, 1, 0], [0, 1, 0], [1, 1, 0]]


def test_its_report_is_the_share_of_sentences_in_percent() -> None:
    report = Ser(n_refs=2).report(np.array([[1, 1], [0, 1], [1, 1], [1, 1]]).sum(axis=0))
    assert report.line.startswith("SER|nrefs:2|case:mixed|tok:none|version:campanula-")
    assert report.value == pytest.approx(75.0)
    assert Ser().corpus_values(np.array([[3, 4]])).tolist() == [0.25]
    assert not Ser().higher_is_better


def test_statistics_of_texts_are_told_from_others() -> None:
    stats = np.array([[0, 1], [1, 1], [2, 1], [1, 2], [-1, 1], [0, 0]])
    assert Ser().possible(stats).tolist() == [True, True, False, False, False, False]
