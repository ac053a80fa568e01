"""N-gram numbers against dictionaries of tuples."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.bitext.ngrams import ngrams


def text(*sentences: list[int]) -> tuple[np.ndarray, np.ndarray]:
    start = np.concatenate(([0], np.cumsum([len(s) for s in sentences]))).astype(np.int64)
    return np.array([w for s in sentences for w in s], np.int64), start


def twin(sentences: list[list[int]], length: int) -> tuple[list[int], list[tuple[int, ...]]]:
    """The number at every place, and the sorted n-grams."""
    at_place = [
        tuple(s[i : i + length]) if i + length <= len(s) and -1 not in s[i : i + length] else None
        for s in sentences
        for i in range(len(s))
    ]
    grams = sorted({gram for gram in at_place if gram})
    return [grams.index(gram) if gram else -1 for gram in at_place], grams


@pytest.mark.parametrize("seed", range(5))
def test_numbers_counts_and_places_equal_the_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sentences = [rng.integers(-1, 4, rng.integers(0, 7)).tolist() for _ in range(8)]
    token, start = text(*sentences)
    for length, level in enumerate(ngrams(token, start, 4, 5), 1):
        numbers, grams = twin(sentences, length)
        assert level.at.tolist() == numbers
        assert level.count.tolist() == [numbers.count(i) for i in range(len(grams))]
        assert level.first.tolist() == [numbers.index(i) for i in range(len(grams))]


@pytest.mark.parametrize("sentences", [[], [[]], [[], [2], []]])
def test_lengths_that_do_not_occur_are_empty(sentences: list[list[int]]) -> None:
    levels = list(ngrams(*text(*sentences), 3, 3))
    assert [len(level.first) for level in levels[1:]] == [0, 0]


@pytest.mark.parametrize("factor", [1 << 14, 1 << 16, 1 << 40])
def test_more_words_than_one_pass_sorts(factor: int) -> None:
    rng = np.random.default_rng(factor)
    sentences = [rng.integers(0, 4, rng.integers(0, 7)).tolist() for _ in range(8)]
    token, start = text(*sentences)
    many = list(ngrams(token * factor, start, 4 * factor, 5))
    for one, other in zip(many, ngrams(token, start, 4, 5), strict=True):
        assert one.at.tolist() == other.at.tolist()
        assert one.first.tolist() == other.first.tolist()
        assert one.count.tolist() == other.count.tolist()
