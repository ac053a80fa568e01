"""Ends that are made when they are asked for: those of the chains of choices, however often."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.metrics.reference_trie import BLEU_ORDER
from campanula.stages.kernels.oracle.classes import classes_of
from campanula.stages.kernels.oracle.ngrams import DOWN, read
from campanula.stages.kernels.oracle.records import Limits
from campanula.stages.kernels.oracle.search import task_of
from campanula.stages.kernels.oracle.tail_cache import tail_of
from tests.stages.kernels.oracle.test_tails import end_of, flat, sequences

WEIGHT = np.array([0.0, 1.0, 2.5, 4.0, 7.0, 1.5])


@pytest.mark.parametrize("n", [1, 7, 120])
def test_an_end_is_that_of_its_chain_in_any_order_of_asking(n: int) -> None:
    rng = np.random.default_rng(n)
    n_types = 6
    ref = flat(sequences(rng, 2, n_types, 2 * n))
    count = np.zeros((n, 2), np.int32)
    count[:, 0], count[:-1, 1] = 2, rng.integers(3, size=n - 1)
    word, end = flat([rng.integers(-1, n_types, size=rng.integers(3)) for _ in range(count.sum())])
    classes = classes_of(count, np.arange(count.sum(), dtype=np.int32), word, end)
    task = task_of(classes, *ref, n_types, WEIGHT, Limits(swap=True, beam=5, n_best=1))
    contexts = np.flatnonzero(task.ngrams.depth < BLEU_ORDER)
    for _ in range(1500):
        place, u = int(rng.integers(n + 1)), int(rng.choice(contexts))
        row = tail_of(task, place, u)
        words = end_of(task.tails, classes, task.ngrams, place, u)
        marks = np.zeros(task.ngrams.base[-1], np.int64)
        read(task.ngrams, u, words, 0, len(words), marks, DOWN)
        assert task.cache.length[row] == len(words)
        found = [int(x).bit_count() for x in task.cache.bits[row]]
        assert found == [int(x).bit_count() for x in marks]
