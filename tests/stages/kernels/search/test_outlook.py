"""The outlook of a sentence: options in order, and gaps cut in the best way."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from campanula.stages.kernels.records import MAX_WINDOW
from campanula.stages.kernels.search.outlook import STARTS, outlook, span_starts


def random_spans(rng, n, longest):
    """Options of a random sentence: span_first, span_count (n, longest), score (n_options, 8)."""
    count = rng.integers(0, 3, (n, longest)).astype(np.int32)
    count[:, 0] += 1
    for k in range(longest):
        count[max(0, n - k) :, k] = 0
    first = (np.cumsum(count) - count.ravel()).reshape(n, longest).astype(np.int32)
    return first, count, -rng.random((int(count.sum()), 8))


@pytest.mark.parametrize(("n", "longest"), [(1, 1), (1, 3), (4, 2), (9, 3), (70, 2)])
def test_gaps_cost_what_their_best_cut_costs(n, longest):
    rng = np.random.default_rng(n)
    span_first, count, score = random_spans(rng, n, longest)
    in_order = -rng.random(n)
    result = outlook(n, span_first, count, score, in_order)

    @functools.cache
    def best(i: int, j: int) -> float:
        if i == j:
            return 0.0
        ways = []
        for k in range(min(longest, j - i)):
            rows = score[span_first[i, k] : span_first[i, k] + count[i, k]]
            own = in_order[i] + best(i + k + 1, j)
            ways += [r[1] + r[2:5].max() + r[5:].max() + own for r in rows]
        return max(ways, default=-np.inf)

    for i in range(n + 1):
        assert result.tail[i] == pytest.approx(best(i, n))
        for j in range(i, min(n, i + MAX_WINDOW) + 1):
            assert result.inner[i, j - i] == pytest.approx(best(i, j))


def test_options_stand_best_first():
    rng = np.random.default_rng(2)
    span_first, count, score = random_spans(rng, 6, 3)
    result = outlook(6, span_first, count, score, np.zeros(6))
    for i, k in np.ndindex(6, 3):
        rows = range(span_first[i, k], span_first[i, k] + count[i, k])
        order = sorted(rows, key=lambda r: -(score[r, 1] + score[r, 5:].max() + score[r, 2]))
        here = slice(result.first[i, k], result.first[i, k] + count[i, k])
        assert result.option[here].tolist() == order
        np.testing.assert_allclose(
            result.value[here], [score[r, 1] + score[r, 5:].max() for r in order]
        )


@pytest.mark.parametrize("n_scores", [8, 14])
def test_backward_scores_stand_by_place(n_scores):
    rng = np.random.default_rng(3)
    span_first, count, score = random_spans(rng, 5, 2)
    score = -rng.random((len(score), n_scores))
    result = outlook(5, span_first, count, score, np.zeros(5))
    columns = [2, 3, 4] if n_scores == 8 else [2, 3, 4, 8, 9, 10]
    np.testing.assert_array_equal(result.back, score[result.option][:, columns])


def test_bits_say_where_spans_with_options_start():
    _, count, _ = random_spans(np.random.default_rng(4), 70, 3)
    starts = span_starts(70, count)
    for i, k in np.ndindex(70, 3):
        for j in range(STARTS + 2):
            known = j < STARTS and i + j < 70 and count[i + j, k] > 0
            assert (int(starts[i, k]) >> j & 1 == 1) == known
