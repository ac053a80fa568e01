"""Moore and Lewis's differences, against dictionaries; samples; the lowest."""

from __future__ import annotations

import random

import numpy as np
import pytest

from campanula.stages.decoding.language_model import SentenceScorer
from campanula.stages.selecting.cross_entropy import (
    CrossEntropyDifference,
    estimated_model,
    known_words,
    lowest,
    sample,
)
from tests.naive import selection as naive

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "far", "mat", "on", "rare", "unseen"]


def text(seed: int, n: int, words: list[str]) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(words, k=rng.randrange(9))) for _ in range(n)]


@pytest.mark.parametrize("order", [1, 2, 4])
def test_differences_are_those_of_dictionaries(order: int) -> None:
    domain = [*text(1, 30, WORDS[:6]), "once"]
    general, source = text(2, 40, WORDS[3:]), text(3, 50, WORDS)
    known = known_words(domain)
    assert "once" not in known
    models = [
        SentenceScorer.of_model(estimated_model(lines, known, order), "model")
        for lines in (domain, general)
    ]
    found = CrossEntropyDifference(*models)(source)
    expected = naive.differences(source, domain, general, order)
    silent = [not line for line in source]
    assert np.isinf(found).tolist() == silent
    kept = np.flatnonzero(np.isfinite(found))
    assert found[kept] == pytest.approx([expected[place] for place in kept], abs=2e-5)


def test_special_words_of_a_text_are_others() -> None:
    known = known_words(["<s> a </s> a", "<unk> <unk> <s> <never> <never> a"])
    plain = estimated_model(["x a x a", "x x x x x a"], ["a"], 2)
    special = estimated_model(["<s> a </s> a", "<unk> <unk> <s> <never> <never> a"], known, 2)
    assert special.vocabulary == plain.vocabulary
    for one, other in zip(special.prob, plain.prob, strict=True):
        assert one.tolist() == other.tolist()


def test_a_sample_has_about_as_many_words_as_asked_for() -> None:
    lengths = np.random.default_rng(1).integers(0, 20, 500)
    for n_words in (0, 1, 100, 2000):
        chosen = sample(lengths, n_words, 7)
        assert n_words <= lengths[chosen].sum() < n_words + 20
        assert (sample(lengths, n_words, 7) == chosen).all()
    assert sample(lengths, 10**6, 7).all()
    assert (sample(lengths, 100, 7) != sample(lengths, 100, 8)).any()
    assert sample(lengths[:0], 10, 7).shape == (0,)


def test_the_lowest_and_of_equals_the_first() -> None:
    scores = np.array([0.5, -1.0, np.inf, 0.5, -2.0, 0.5])
    assert lowest(scores, 3).tolist() == [True, True, False, False, True, False]
    assert lowest(scores, 9).tolist() == [True, True, False, True, True, True]
    assert not lowest(scores, 0).any()
    assert lowest(scores[:0], 2).shape == (0,)
