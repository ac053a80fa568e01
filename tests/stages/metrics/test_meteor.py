"""METEOR: gains and corpus values of texts, against the slow twin and the paper's formula."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.texts import Texts
from campanula.stages.metrics.meteor import Meteor
from campanula.stages.metrics.porter import porter_stem
from campanula.stages.metrics.sentence import SentenceTexts
from campanula.stages.metrics.table import metric_named, metric_of
from tests.naive import meteor as naive
from tests.wordnet_folder import write_wordnet

WORDS = ["car", "cars", "automobile", "kid", "child", "children", "begins", "start", "started"]
WORDS += ["the", "the", "a"]
SYNONYMS = ({"car", "automobile"}, {"kid", "child"}, {"begin", "start"})
LEMMAS = {"cars": "car", "children": "child", "begins": "begin", "started": "start"}


def module(one: str, other: str) -> int:
    """The module that maps two words of WORDS."""
    if one == other:
        return 1
    if porter_stem(one) == porter_stem(other):
        return 2
    pair = {LEMMAS.get(one, one), LEMMAS.get(other, other)}
    return 3 if any(pair <= synonyms for synonyms in SYNONYMS) else 0


def without_synonyms(one: str, other: str) -> int:
    return module(one, other) % 3


def exact(one: str, other: str) -> int:
    return int(one == other)


def texts(rng: random.Random, n: int, longest: int) -> list[str]:
    return [" ".join(rng.choices(WORDS, k=rng.randrange(longest))) for _ in range(n)]


@pytest.fixture
def wordnet(tmp_path: Path) -> str:
    return write_wordnet(tmp_path / "wn")


@pytest.mark.parametrize(
    ("by", "settings"),
    [
        (exact, {"stem": False}),
        (without_synonyms, {}),
        (module, {"wordnet": True}),
    ],
)
def test_statistics_are_those_of_all_alignments(
    wordnet: str, by: naive.Module, settings: dict[str, Any]
) -> None:
    rng = random.Random(5)
    given = {**settings, **({"wordnet": wordnet} if "wordnet" in settings else {})}
    metric = metric_named("meteor", n_refs=2, **given)
    for sid in range(12):
        hyps, refs = texts(rng, 4, 6), texts(rng, 2, 6)
        stats = metric.statistics(SentenceTexts(sid, Texts.of(hyps), Texts.of(refs)))
        for hyp, row in zip(hyps, stats.tolist(), strict=True):
            against = [naive.statistics(hyp.split(), ref.split(), by) for ref in refs]
            best = max(naive.meteor(*each) for each in against)
            assert naive.meteor(*row) == best
            assert tuple(row) in against
        expected = [naive.meteor(*row) for row in stats.tolist()]
        assert metric.sentence_gains(stats) == pytest.approx(expected, rel=1e-14)
        assert metric.possible(stats).all()


def test_the_corpus_value_is_that_of_aggregate_statistics() -> None:
    """Banerjee and Lavie 2005: aggregate precision, recall and penalty, then the same formula."""
    metric = Meteor()
    stats = np.array([[3, 5, 4, 2], [0, 2, 3, 0], [6, 6, 7, 1]])
    matches, hyp, ref, chunks = 9, 13, 14, 3
    expected = naive.meteor(matches, hyp, ref, chunks)
    assert metric.corpus_values(stats.sum(axis=0)[None]) == pytest.approx([expected])
    assert metric.report(stats.sum(axis=0)).value == pytest.approx(100.0 * expected)
    assert metric.sentence_gains(stats).mean() != pytest.approx(expected)


def test_an_example_by_hand() -> None:
    """Four of five words match, in two chunks: P 4/5, R 4/6, penalty 0.5 (2/4)^3."""
    metric = metric_named("meteor")
    refs = Texts.of(["the cat was sitting on mats"])
    stats = metric.statistics(SentenceTexts(0, Texts.of(["on the mat the cats"]), refs))
    assert stats.tolist() == [[4, 5, 6, 4]]
    stats = metric.statistics(SentenceTexts(0, Texts.of(["the cat sits on it"]), refs))
    assert stats.tolist() == [[4, 5, 6, 2]]
    mean = 10 * (4 / 5) * (4 / 6) / (4 / 6 + 9 * 4 / 5)
    assert metric.sentence_gains(stats) == pytest.approx([mean * (1 - 0.5 * (2 / 4) ** 3)])


def test_a_report_says_all_settings(wordnet: str) -> None:
    line = Meteor(n_refs=2, lowercase=True).report([4, 5, 6, 2]).line
    start = (
        "METEOR|nrefs:2|case:lc|tok:none|modules:exact+stem|alpha:0.9|beta:3.0|gamma:0.5|version:"
    )
    assert line.startswith(start)
    assert line.endswith(" = 63.56")
    with_synonyms = Meteor(stem=False, wordnet=wordnet)
    assert with_synonyms.modules == ("exact", "synonym")
    assert f"|wordnet:{with_synonyms.synonyms}|" in with_synonyms.report([0] * 4).line
    assert with_synonyms.fields()["gain"] == "meteor[0.9,3.0,0.5]"
    assert with_synonyms.fields()["modules"] == "exact+synonym"


def test_lists_that_were_scored_need_no_wordnet(wordnet: str) -> None:
    metric = Meteor(gain_settings=(0.5, 1.0, 0.2), wordnet=wordnet)
    again = metric_of(metric.header())
    assert again == metric
    assert isinstance(again, Meteor)
    assert again.wordnet is None
    stats = np.array([[4, 5, 6, 2]])
    assert again.sentence_gains(stats) == metric.sentence_gains(stats)
    with pytest.raises(TypeError):
        again.statistics(SentenceTexts(0, Texts.of(["a"]), Texts.of(["b"])))


@pytest.mark.parametrize(
    "settings", [(0.9, 3.0), (1.1, 3.0, 0.5), (0.9, -1.0, 0.5), (0.9, 3.0, 2.0)]
)
def test_settings_that_cannot_be_are_refused(settings: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="meteor: expected"):
        Meteor(gain_settings=settings)
    header = {**Meteor().header(), "gain_settings": list(settings)}
    with pytest.raises(DataError, match="lists: header"):
        metric_of(header)


@pytest.mark.parametrize(("key", "value"), [("stem", 1), ("synonyms", None), ("stem", "yes")])
def test_a_header_that_is_not_meteors_is_refused(key: str, value: object) -> None:
    with pytest.raises(DataError, match="lists: header: expected"):
        metric_of({**Meteor().header(), key: value})
    header = Meteor().header()
    del header[key]
    with pytest.raises(DataError, match=f"expected '{key}' of the metric"):
        metric_of(header)


def test_statistics_that_no_text_has() -> None:
    possible = [[2, 3, 4, 1], [0, 0, 0, 0], [0, 3, 4, 0]]
    too_many = [[4, 3, 4, 1], [2, 3, 1, 1], [2, 3, 4, 3]]
    others = [[2, 3, 4, 0], [0, 1, 1, 1], [-1, 2, 2, 0]]
    stats = np.array([*possible, *too_many, *others])
    assert Meteor().possible(stats).tolist() == [True] * 3 + [False] * 6
