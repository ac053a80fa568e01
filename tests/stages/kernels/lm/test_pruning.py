"""Pruned models against the formulas in dictionaries."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.lm import kneser_ney
from campanula.stages.kernels.lm.pruning import kept_ngrams, without_pruned
from tests.naive import kneser_ney as naive
from tests.stages.kernels.lm.test_kneser_ney import FALLBACK, WORDS, as_dictionaries, sample


@pytest.mark.parametrize("thresholds", [(0, 0, 1), (0, 1, 1), (0, 2, 5), (1, 1, 1), (4, 9, 40)])
@pytest.mark.parametrize(("seed", "n_sentences"), [(0, 4), (1, 40), (2, 150)])
def test_equal_to_the_twin(seed: int, n_sentences: int, thresholds: tuple[int, ...]) -> None:
    sentences = sample(seed, n_sentences)
    words = WORDS[:3] + sorted({word for sentence in sentences for word in sentence})
    token = np.array([words.index(w) for s in sentences for w in s], np.int64)
    start = np.cumsum([0, *map(len, sentences)])
    specials = kneser_ney.Specials(0, 1, 2)
    counts = kneser_ney.counted(token, start, len(words), specials, 3, with_times=True)
    kept = kept_ngrams(counts, specials, thresholds)
    orders = without_pruned(kneser_ney.interpolated(counts, specials, FALLBACK, kept), kept)
    left = [word for word, stays in zip(words, kept[0], strict=True) if stays]
    found = as_dictionaries(orders, left)
    expected = naive.estimate(sentences, 3, list(FALLBACK), thresholds=thresholds)
    assert len(found) == len(expected)
    for level, twin in zip(found, expected, strict=True):
        assert level.keys() == twin.keys()
        for gram, values in level.items():
            assert values == pytest.approx(twin[gram], abs=1e-12), gram
    assert sum(map(len, found)) < sum(len(level.word) for level in counts)
