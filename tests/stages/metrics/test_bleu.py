"""BLEU's sentence gains by their names."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from campanula.stages.metrics.bleu import Bleu
from tests.naive import bleu as naive

STATS = np.array([[5, 6, 4, 2, 1, 0, 5, 4, 3, 2], [7, 6, 5, 4, 3, 2, 7, 6, 5, 4]])


def test_the_papers_gains_equal_the_twin() -> None:
    for gain, twin in (("bleu+1", naive.bleu_plus_one), ("he-deng", naive.he_deng)):
        expected = [twin(row) for row in STATS.tolist()]
        assert Bleu(gain=gain).sentence_gains(STATS) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("settings", [(), (0.3,)])
@pytest.mark.parametrize("gain", ["none", "floor", "add-k", "exp"])
def test_smoothings_are_sacrebleus(gain: str, settings: tuple[float, ...]) -> None:
    value = settings[0] if settings and gain in ("floor", "add-k") else None
    judge = BLEU(tokenize="none", smooth_method=gain, smooth_value=value, effective_order=True)
    expected = [judge._compute_score_from_stats(row).score / 100.0 for row in STATS.tolist()]
    found = Bleu(gain=gain, gain_settings=settings).sentence_gains(STATS)
    assert found == pytest.approx(expected, rel=1e-12)


def test_every_gain_of_the_list_is_there() -> None:
    for gain in Bleu.gain_names:
        assert np.isfinite(Bleu(gain=gain).sentence_gains(STATS)).all()
