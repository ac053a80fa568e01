"""Sentence gains and corpus values from statistics, against sacrebleu and the naive twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from campanula.stages.kernels.metrics import values as kernel
from tests.naive import bleu as naive


@st.composite
def bleu_statistics(draw: st.DrawFn) -> list[int]:
    c, r = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    totals = [max(c - n, 0) for n in range(4)]
    return [c, r, *(draw(st.integers(0, total)) for total in totals), *totals]


@settings(deadline=None)
@given(bleu_statistics())
def test_bleu_plus_one_equals_the_twin(stats: list[int]) -> None:
    gain = kernel.bleu_gains(np.array([stats]), kernel.ADD_K, 1.0)[0]
    assert gain == pytest.approx(naive.bleu_plus_one(stats), rel=1e-12, abs=0)
    assert 0.0 <= gain <= 1.0


@settings(deadline=None)
@given(bleu_statistics())
def test_he_deng_equals_the_twin(stats: list[int]) -> None:
    gain = kernel.bleu_gains(np.array([stats]), kernel.HE_DENG, 0.0)[0]
    assert gain == pytest.approx(naive.he_deng(stats), rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("name", "code", "amount"),
    [
        ("none", kernel.NONE, 0.0),
        ("floor", kernel.FLOOR, 0.1),
        ("floor", kernel.FLOOR, 0.5),
        ("add-k", kernel.ADD_K, 1.0),
        ("add-k", kernel.ADD_K, 0.3),
        ("exp", kernel.EXP, 0.0),
    ],
)
@settings(deadline=None)
@given(stats=bleu_statistics())
def test_smoothings_equal_sacrebleu(name: str, code: int, amount: float, stats: list[int]) -> None:
    metric = BLEU(tokenize="none", smooth_method=name, smooth_value=amount, effective_order=True)
    expected = metric._compute_score_from_stats(list(stats)).score / 100.0
    gain = kernel.bleu_gains(np.array([stats]), code, amount)[0]
    assert gain == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_edges_of_bleu_gains() -> None:
    empty, wrong, right = [0] * 10, [3, 3, 0, 0, 0, 0, 3, 2, 1, 0], [1, 1, 1, 0, 0, 0, 1, 0, 0, 0]
    empty_with_reference = [0, 5, *[0] * 8]
    rows = np.array([empty, wrong, right, empty_with_reference])
    assert kernel.bleu_gains(rows, kernel.ADD_K, 1.0).tolist() == [0.0, 0.0, 1.0, 0.0]
    assert kernel.bleu_gains(rows, kernel.HE_DENG, 0.0).tolist() == [0.0] * 4
    assert kernel.bleu_gains(rows[:0], kernel.ADD_K, 1.0).shape == (0,)


def test_he_deng_is_not_clipped_but_penalises_length() -> None:
    perfect = [5, 5, 5, 4, 3, 2, 5, 4, 3, 2]
    shorter_reference = [5, 4, 5, 4, 3, 2, 5, 4, 3, 2]
    gains = kernel.bleu_gains(np.array([perfect, shorter_reference]), kernel.HE_DENG, 0.0)
    assert gains[0] == pytest.approx(1.0)
    assert gains[1] == pytest.approx(np.exp(1 - 4 / 5))


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
        gain = kernel.chrf_gains(np.array([found]))[0]
        assert gain == pytest.approx(max(values) / 100.0, rel=1e-12, abs=0)
        assert 0.0 <= gain <= 1.0


def test_error_rate_gains_are_cut_off_at_0() -> None:
    stats = np.array([[0, 4], [1, 4], [4, 4], [9, 4], [2, 0], [0, 0]])
    assert kernel.error_rate_gains(stats).tolist() == [1.0, 0.75, 0.0, 0.0, 0.0, 0.0]


@settings(deadline=None)
@given(bleu_statistics())
def test_corpus_bleu_equals_sacrebleu(stats: list[int]) -> None:
    expected = BLEU(tokenize="none")._compute_score_from_stats(list(stats)).score / 100.0
    value = kernel.corpus_values(np.array([stats]), kernel.BLEU)[0]
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_corpus_values_of_the_others() -> None:
    errors = np.array([[3, 12], [20, 10], [5, 0], [0, 0]])
    expected = [1.0 - TER()._compute_score_from_stats(row).score / 100.0 for row in errors.tolist()]
    assert kernel.corpus_values(errors, kernel.ERROR_RATE) == pytest.approx(expected)
    sums = np.array([[30, 28, 20] * 6, [0] * 18])
    expected = [CHRF()._compute_f_score(row) / 100.0 for row in sums.tolist()]
    assert kernel.corpus_values(sums, kernel.CHRF) == pytest.approx(expected)
    means = np.array([[3 * kernel.UNIT // 2, 3], [-kernel.UNIT, 4], [0, 0]])
    assert kernel.corpus_values(means, kernel.MEAN).tolist() == [0.5, -0.25, 0.0]
