"""METEOR of statistics, against the paper's formula; and the best reference."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.metrics.meteor import meteor, meteor_statistics
from tests.naive import meteor as naive

PAPER = np.array([0.9, 3.0, 0.5])


def test_the_papers_formula() -> None:
    rows = [
        (matches, hyp, ref, chunks)
        for hyp in range(4)
        for ref in range(4)
        for matches in range(min(hyp, ref) + 1)
        for chunks in range(min(matches, 1), matches + 1)
    ]
    expected = [naive.meteor(*row) for row in rows]
    assert meteor(np.array(rows), PAPER) == pytest.approx(expected, rel=1e-15)


def test_settings() -> None:
    """Precision alone, recall alone, no penalty, a penalty that is the same for all."""
    stats = np.array([[2, 4, 5, 1]])
    assert meteor(stats, np.array([0.0, 3.0, 0.0])) == pytest.approx([2 / 4])
    assert meteor(stats, np.array([1.0, 3.0, 0.0])) == pytest.approx([2 / 5])
    assert meteor(stats, np.array([1.0, 0.0, 0.5])) == pytest.approx([0.5 * 2 / 5])
    assert meteor(stats, np.array([1.0, 1.0, 1.0])) == pytest.approx([0.5 * 2 / 5])


def test_the_best_reference_and_of_several_the_first() -> None:
    same = np.eye(4, dtype=np.uint8)
    stem = np.arange(4, dtype=np.int32)
    ref, ref_end = np.array([0, 1, 1, 0, 0, 1, 2], np.int32), np.array([0, 2, 4, 4, 7])
    hyp, hyp_end = np.array([1, 0, 0, 1, 2, 3], np.int32), np.array([0, 2, 5, 5, 6])
    stats = meteor_statistics(hyp, hyp_end, ref, ref_end, same, stem, PAPER)
    assert stats.tolist() == [[2, 2, 2, 1], [3, 3, 3, 1], [0, 0, 2, 0], [0, 1, 2, 0]]


def test_nothing_at_all() -> None:
    ids, ends = np.zeros(0, np.int32), np.zeros(2, np.int64)
    kind = np.zeros((0, 0), np.uint8)
    assert meteor_statistics(ids, ends, ids, ends, kind, ids, PAPER).tolist() == [[0, 0, 0, 0]]
    assert meteor(np.zeros((0, 4), np.int64), PAPER).shape == (0,)
