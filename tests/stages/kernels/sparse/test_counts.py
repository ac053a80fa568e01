"""Counts of features by hypothesis."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from campanula.stages.kernels.sparse.counts import count_rows, sort_by_id


@pytest.mark.parametrize("seed", range(5))
def test_rows_are_those_of_a_counter(seed):
    rng = random.Random(seed)
    n, m = rng.choice([1, 3, 10]), rng.choice([0, 1, 40, 300])
    hyp = np.array([rng.randrange(n) for _ in range(m)], np.int64)
    ids = np.array([rng.randrange(-1, 30) for _ in range(m)], np.int32)
    pointer, place, value = count_rows(hyp, ids, n)
    for h in range(n):
        part = slice(pointer[h], pointer[h + 1])
        expected = sorted(Counter(i for g, i in zip(hyp, ids, strict=True) if g == h).items())
        expected = [(i, c) for i, c in expected if i >= 0]
        assert list(zip(ids[place[part]], value[part], strict=True)) == expected
        assert (hyp[place[part]] == h).all()


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 100, 1000])
def test_a_part_is_sorted(n):
    rng = np.random.default_rng(n)
    ids = rng.integers(0, n // 2 + 2, n + 4).astype(np.int32)
    place = rng.permutation(n + 4)
    kept = place.copy()
    sort_by_id(place, 2, n + 2, ids)
    assert (np.diff(ids[place[2:-2]]) >= 0).all()
    assert sorted(place[2:-2]) == sorted(kept[2:-2])
    assert place[[0, 1, -2, -1]].tolist() == kept[[0, 1, -2, -1]].tolist()
