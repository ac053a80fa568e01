import numpy as np
import pytest

from campanula.stages.kernels.metrics import values as metric_values
from campanula.stages.kernels.metrics.bleu import corpus_bleu


def test_equals_the_corpus_values_of_the_metric():
    rng = np.random.default_rng(0)
    total = rng.integers(0, 50, (200, 1)) - np.arange(4)
    total = np.maximum(total, 0)
    match = rng.integers(0, total + 1) * rng.integers(0, 2, total.shape)
    length = np.stack([total[:, 0], rng.integers(0, 50, 200)], axis=1)
    sums = np.concatenate([length, match, total], axis=1)
    expected = metric_values.corpus_values(sums, metric_values.BLEU)
    assert corpus_bleu(sums) == pytest.approx(expected, abs=1e-15)
    assert (expected == 0.0).any()
    assert ((match == 0).any(axis=1) & (expected > 0.0)).any()


def test_of_no_sums_none():
    assert corpus_bleu(np.zeros((0, 10), np.int64)).shape == (0,)
