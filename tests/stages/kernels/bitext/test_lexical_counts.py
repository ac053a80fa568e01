"""Counts of n-grams, pairs and triggers against slow ones."""

import numpy as np
import pytest

from campanula.stages.kernels.bitext import lexical_counts as kernels
from tests.naive import lexical_lists as naive


def text(seed, n_sentences=30, n_words=6):
    """Sentences of numbers, and the same as tokens and starts."""
    rng = np.random.default_rng(seed)
    sentences = [rng.integers(0, n_words, rng.integers(0, 9)).tolist() for _ in range(n_sentences)]
    start = np.concatenate([[0], np.cumsum([len(s) for s in sentences])]).astype(np.int64)
    return sentences, np.array([w for s in sentences for w in s], np.int64), start


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("size", [0, 1, 30])
def test_ngrams(n, size):
    sentences, token, start = text(n, size)
    found, count = kernels.ngram_counts(token, start, n)
    rows = [tuple(row) for row in found.tolist()]
    assert rows == sorted(rows)
    assert dict(zip(rows, count.tolist(), strict=True)) == naive.ngrams(sentences, n)


def test_pairs():
    left, right = np.array([3, 0, 3, 3]), np.array([1, 5, 1, 0])
    found, count = kernels.pair_counts(left, right)
    assert found.tolist() == [[0, 5], [3, 0], [3, 1]]
    assert count.tolist() == [1, 1, 2]
    assert len(kernels.pair_counts(left[:0], right[:0])[1]) == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("min_count", [1, 20])
def test_triggers(seed, min_count, monkeypatch):
    sentences, token, start = text(seed)
    monkeypatch.setattr(kernels, "CHUNK", 50)  # several parts
    pair, both, before, after = kernels.trigger_counts(token, start, min_count)
    information = kernels.mutual_information(both, before, after, len(token))
    positive = both * len(token) > before * after
    rows = [tuple(row) for row in pair[positive].tolist()]
    expected = naive.triggers(sentences, min_count)
    assert set(rows) == set(expected)
    np.testing.assert_allclose(information[positive], [expected[row] for row in rows], atol=1e-12)


def test_no_text():
    empty = np.zeros(0, np.int64)
    assert len(kernels.trigger_counts(empty, np.zeros(1, np.int64), 1)[1]) == 0


def test_most():
    assert kernels.most(np.array([1, 5, 5, 2]), 3).tolist() == [1, 2, 3]
