"""chrF of counts, against sacrebleu."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from campanula.stages.kernels.metrics import chrf as kernel


@st.composite
def chrf_statistics(draw: st.DrawFn, orders: int = 6) -> list[int]:
    rows = []
    for _ in range(orders):
        hyp, ref = draw(st.integers(0, 30)), draw(st.integers(0, 30))
        rows += [hyp if ref else 0, ref, draw(st.integers(0, min(hyp, ref)))]
    return rows


@settings(deadline=None)
@given(st.lists(st.lists(chrf_statistics(), min_size=2, max_size=2), min_size=1, max_size=3))
def test_chrf_and_its_best_reference_equal_sacrebleu(counts: list[list[list[int]]]) -> None:
    best = kernel.best_reference(np.array(counts))
    metric = CHRF()
    for stats, found in zip(counts, best.tolist(), strict=True):
        values = [metric._compute_f_score(row) for row in stats]
        assert found == stats[values.index(max(values))]
        gain = kernel.chrf(np.array([found]))[0]
        assert gain == pytest.approx(max(values) / 100.0, rel=1e-12, abs=0)
        assert 0.0 <= gain <= 1.0


def test_sums_and_nothing() -> None:
    sums = np.array([[30, 28, 20] * 6, [0] * 18])
    expected = [CHRF()._compute_f_score(row) / 100.0 for row in sums.tolist()]
    assert kernel.chrf(sums) == pytest.approx(expected)
    assert kernel.chrf(sums[:0]).shape == (0,)
