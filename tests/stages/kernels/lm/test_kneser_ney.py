"""Kneser-Ney estimates against the formulas in dictionaries, and probabilities that sum to one."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.lm import kneser_ney
from tests.naive import kneser_ney as naive

FALLBACK = (0.5, 1.0, 1.5)
WORDS = [naive.UNK, naive.BOS, naive.EOS, "a", "b", "c", "d", "e", "f"]


def sample(seed: int, n_sentences: int) -> list[list[str]]:
    """Sentences with a skewed choice of words, a few of them empty."""
    rng = np.random.default_rng(seed)
    share = np.array([8, 5, 3, 2, 1, 1]) / 20
    lengths = rng.integers(0, 9, n_sentences)
    return [[WORDS[3 + i] for i in rng.choice(6, n, p=share)] for n in lengths]


def estimate(sentences: list[list[str]], order: int) -> list[kneser_ney.Order]:
    words = WORDS[:3] + sorted({word for sentence in sentences for word in sentence})
    token = np.array([words.index(w) for s in sentences for w in s], np.int64)
    start = np.concatenate(([0], np.cumsum([len(s) for s in sentences]))).astype(np.int64)
    specials = kneser_ney.Specials(0, 1, 2)
    return kneser_ney.estimate(token, start, len(words), specials, order, FALLBACK)


def as_dictionaries(
    orders: list[kneser_ney.Order], words: list[str]
) -> list[dict[tuple[str, ...], tuple[float, float]]]:
    levels: list[dict[tuple[str, ...], tuple[float, float]]] = []
    grams: list[tuple[str, ...]] = [()]
    for order in orders:
        grams = [
            (*grams[p], words[w])
            for p, w in zip(order.prefix.tolist(), order.word.tolist(), strict=True)
        ]
        values = zip(order.log_prob.tolist(), order.log_backoff.tolist(), strict=True)
        levels.append(dict(zip(grams, values, strict=True)))
    return levels


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize(("seed", "n_sentences"), [(0, 4), (1, 40), (2, 150)])
def test_estimates_equal_the_twin(order: int, seed: int, n_sentences: int) -> None:
    sentences = sample(seed, n_sentences)
    words = WORDS[:3] + sorted({word for sentence in sentences for word in sentence})
    found = as_dictionaries(estimate(sentences, order), words)
    expected = naive.estimate(sentences, order, list(FALLBACK))
    assert len(found) == len(expected)
    for level, twin in zip(found, expected, strict=True):
        assert level.keys() == twin.keys()
        for gram, values in level.items():
            assert values == pytest.approx(twin[gram], abs=1e-12), gram


@pytest.mark.parametrize("sentences", [[[]], [[], []], [["a"]], [["a", "a"], []]])
def test_tiny_texts_give_finite_numbers(sentences: list[list[str]]) -> None:
    for order in estimate(sentences, 3):
        assert np.isfinite(order.log_prob).all()
        assert np.isfinite(order.log_backoff).all()
        assert order.fell_back
        assert order.discounts == FALLBACK


def test_orders_that_no_sentence_reaches_are_left_out() -> None:
    assert len(estimate([["a"], ["b", "a"]], 5)) == 4


def test_enough_counts_give_their_own_discounts() -> None:
    orders = estimate(sample(2, 150), 5)
    assert not orders[4].fell_back
    assert 0 < orders[4].discounts[0] <= 1


def test_occurrences_are_kept_where_they_are_asked_for() -> None:
    sentences = sample(1, 40)
    token = np.array([WORDS.index(w) for s in sentences for w in s], np.int64)
    start = np.concatenate(([0], np.cumsum([len(s) for s in sentences]))).astype(np.int64)
    given = (token, start, len(WORDS), kneser_ney.Specials(0, 1, 2), 4)
    with_times = kneser_ney.counted(*given, with_times=True)
    n_words = len(token) + 2 * len(sentences)
    for length, level in enumerate(with_times[1:], 2):
        places = sum(max(0, len(s) + 3 - length) for s in sentences)
        assert level.times.sum() == places < n_words
        assert (level.times >= level.count).all()
    for level, other in zip(with_times, kneser_ney.counted(*given), strict=True):
        assert level.count.tolist() == other.count.tolist()
        assert not len(other.times)
