"""Kernels number n-grams as passes over arrays do, and sort places as tuples of words."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.bitext.ngrams import by_arrays, by_kernels
from campanula.stages.kernels.bitext.place_sort import shared_words, sorted_places


def sample(seed: int, n_words: int, size: int = 300) -> tuple[Ints, Ints]:
    """Words, few of them frequent, and how many follow up to the ends of sentences."""
    rng = np.random.default_rng(seed)
    token = np.minimum(rng.geometric(0.3, size) - 1, n_words - 1)
    token = np.where(rng.random(size) < 0.3, rng.integers(0, n_words, size), token)
    ends = np.flatnonzero(rng.random(size) < 0.2) + 1
    ends = np.append(ends, size)
    left = ends[np.searchsorted(ends, np.arange(size), "right")] - np.arange(size)
    return token, left


CASES = [(1, 1), (2, 3), (3, 5), (5, 40), (5, 1 << 14), (12, 9), (3, (1 << 31) - 2)]


@pytest.mark.parametrize(("longest", "n_words"), CASES)
def test_sorted_by_words(longest: int, n_words: int) -> None:
    for seed in range(5):
        token, left = sample(seed, n_words)
        order = sorted_places(token, left, longest, n_words.bit_length())
        rows = [token[i : i + min(left[i], longest)].tolist() for i in range(len(token))]
        assert order.tolist() == sorted(range(len(rows)), key=lambda i: (rows[i], i))
        depth, shared = shared_words(token, left, order, longest)
        assert depth.tolist() == [len(rows[i]) for i in order]
        pairs = zip(order[1:], order[:-1], strict=True)
        same = [[x == y for x, y in zip(rows[a], rows[b], strict=False)] for a, b in pairs]
        common = [[*flags, False].index(False) for flags in same]
        assert shared.tolist() == [0, *common]


@pytest.mark.parametrize(("longest", "n_words"), CASES)
def test_as_passes_over_arrays(longest: int, n_words: int) -> None:
    for seed in range(5):
        token, left = sample(seed, n_words)
        most = min(longest, int(left.max()))
        expected = list(by_arrays(token, left, n_words, most))
        for level, other in zip(by_kernels(token, left, n_words, most), expected, strict=True):
            for name in ("at", "first", "count"):
                found = getattr(level, name)
                np.testing.assert_array_equal(found, getattr(other, name))
                assert found.dtype == np.int64


def test_no_place() -> None:
    none = np.zeros(0, np.int64)
    assert len(sorted_places(none, none, 3, 4)) == 0
