"""BLEU of sums and of sentences, against sacrebleu and the naive twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from campanula.stages.kernels.metrics import bleu as kernel
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


@settings(deadline=None)
@given(bleu_statistics())
def test_corpus_bleu_equals_sacrebleu(stats: list[int]) -> None:
    expected = BLEU(tokenize="none")._compute_score_from_stats(list(stats)).score / 100.0
    value = kernel.corpus_bleu(np.array([stats]))[0]
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_of_no_sums_none() -> None:
    assert kernel.corpus_bleu(np.zeros((0, 10), np.int64)).shape == (0,)


def test_the_penalty_is_for_the_shorter_alone() -> None:
    assert kernel.brevity_penalty(4.0, 5.0) == np.exp(1 - 5 / 4)
    assert kernel.brevity_penalty(5.0, 5.0) == kernel.brevity_penalty(6.0, 5.0) == 1.0
    assert kernel.fourth_root(81.0) == 3.0
