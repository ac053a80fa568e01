"""Means of gains, which add up as whole numbers."""

from __future__ import annotations

import numpy as np

from campanula.stages.metrics.gain_column import GainColumn
from campanula.stages.metrics.mean import UNIT, in_units


def test_units_round_to_the_nearest() -> None:
    assert in_units(np.array([0.1, -0.25, 1.0]))[:, 0].tolist() == [10**8, -25 * 10**7, 10**9]


def test_corpus_values_are_means_and_0_of_nothing() -> None:
    sums = np.array([[3 * UNIT // 2, 3], [-UNIT, 4], [0, 0]])
    metric = GainColumn(n_refs=0)
    for dtype in (np.int64, np.int32):
        assert metric.corpus_values(sums.astype(dtype)).tolist() == [0.5, -0.25, 0.0]
    assert metric.sentence_gains(in_units(np.array([0.25, 1.0]))).tolist() == [0.25, 1.0]
    report = metric.report([3 * UNIT, 4])
    assert (report.value, report.line) == (0.75, "gain-column = 0.7500")
