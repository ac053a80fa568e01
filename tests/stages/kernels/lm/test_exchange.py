"""Exchange of words between classes, against likelihoods that are computed anew."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.lm import exchange
from campanula.stages.kernels.lm.word_bigrams import bigrams_of, classes_of
from tests.naive import word_classes as naive

WORDS = ["a", "b", "c", "d", "e", "f", "g"]


def sample(seed: int) -> tuple[list[list[str]], np.ndarray, np.ndarray]:
    """Sentences, their tokens and where each begins; some are empty, some say a word twice."""
    rng = np.random.default_rng(seed)
    share = np.array([6, 5, 4, 3, 2, 1, 1]) / 22
    numbers = [rng.choice(len(WORDS), rng.integers(0, 7), p=share) for _ in range(12)]
    numbers.append(np.arange(len(WORDS)))
    sentences = [[WORDS[i] for i in sentence] for sentence in numbers]
    start = np.cumsum([0, *map(len, numbers)])
    return sentences, np.concatenate(numbers), start


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5, 7])
@pytest.mark.parametrize("seed", range(3))
def test_words_move_as_likelihoods_say(seed: int, n_classes: int) -> None:
    sentences, token, start = sample(seed)
    bigrams = bigrams_of(token, start, len(WORDS))
    of = np.random.default_rng(seed).integers(0, n_classes, len(WORDS))
    classes = classes_of(of, n_classes, bigrams)
    order = np.array([WORDS.index(word) for word in naive.by_frequency(sentences)])
    expected = dict(zip(WORDS, of.tolist(), strict=True))
    before = -np.inf
    for _ in range(4):
        likelihood = exchange.log_likelihood(bigrams, classes)
        assert likelihood == pytest.approx(naive.log_likelihood(sentences, expected), abs=1e-8)
        assert likelihood >= before - 1e-9
        before = likelihood
        old = dict(expected)
        expected = naive.exchange(sentences, expected, n_classes, exchange.LEAST_GAIN)
        moved = exchange.exchange(order, bigrams, classes)
        assert classes.class_of[:-1].tolist() == list(expected.values())
        assert moved == sum(old[word] != expected[word] for word in WORDS)


def test_counts_stay_those_of_the_classes() -> None:
    _, token, start = sample(7)
    bigrams = bigrams_of(token, start, len(WORDS))
    classes = classes_of(np.arange(len(WORDS)) % 3, 3, bigrams)
    order = np.arange(len(WORDS))
    assert exchange.exchange(order, bigrams, classes) > 0
    anew = classes_of(classes.class_of[:-1], 3, bigrams)
    for found, expected in zip(classes, anew, strict=True):
        assert found.tolist() == expected.tolist()


def test_large_numbers_have_no_table() -> None:
    table = np.array([0.0, 0.0, 2 * np.log(2)])
    assert exchange.f(table, 2) == table[2]
    assert exchange.f(table, 3) == pytest.approx(3 * np.log(3))


@pytest.mark.parametrize("seed", range(3))
def test_where_no_word_moves_no_move_is_better(seed: int) -> None:
    sentences, token, start = sample(seed)
    bigrams = bigrams_of(token, start, len(WORDS))
    classes = classes_of(np.arange(len(WORDS)) % 3, 3, bigrams)
    while exchange.exchange(np.arange(len(WORDS)), bigrams, classes):
        pass
    found = dict(zip(WORDS, classes.class_of.tolist(), strict=False))
    best = naive.log_likelihood(sentences, found)
    for word in WORDS:
        for g in range(3):
            assert naive.log_likelihood(sentences, {**found, word: g}) <= best + 1e-5
