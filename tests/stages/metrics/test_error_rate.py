"""Error rates: gains cut off at 0, corpus values and oracles that are not."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.ter import TER

from campanula.stages.metrics.error_rate import rates
from campanula.stages.metrics.ter import Ter
from campanula.stages.metrics.wer import Wer

STATS = np.array([[0, 4], [1, 4], [4, 4], [9, 4], [2, 0], [0, 0]])


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_rates_are_those_of_sacrebleus_ter(dtype: type[np.signedinteger]) -> None:
    expected = [TER()._compute_score_from_stats(row).score / 100.0 for row in STATS.tolist()]
    assert rates(STATS.astype(dtype)).tolist() == pytest.approx(expected)
    assert Wer().corpus_values(STATS) == pytest.approx([1.0 - rate for rate in expected])


def test_gains_are_cut_off_at_0() -> None:
    assert Ter().sentence_gains(STATS).tolist() == [1.0, 0.75, 0.0, 0.0, 0.0, 0.0]


def test_the_oracle_has_the_lowest_rate() -> None:
    gain = Wer().sentence_gains(STATS)
    assert Wer().oracles(gain, STATS, 6).tolist() == [0, 5, 1, 2, 4, 3]
    assert Wer().oracles(gain, STATS[2:5], 1).tolist() == [0]
    assert Wer().oracles(gain, None, 2).tolist() == [0, 1]
    assert not Wer().higher_is_better
