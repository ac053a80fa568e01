"""Error rates: gains, corpus values and oracles, none of them cut off at 0."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.ter import TER

from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.metrics.error_rate import rates
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.metrics.table import metric_named
from campanula.stages.metrics.ter import Ter
from campanula.stages.metrics.wer import Wer

STATS = np.array([[0, 4], [1, 4], [4, 4], [9, 4], [2, 0], [0, 0]])


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_rates_are_those_of_sacrebleus_ter(dtype: type[np.signedinteger]) -> None:
    expected = [TER()._compute_score_from_stats(row).score / 100.0 for row in STATS.tolist()]
    assert rates(STATS.astype(dtype)).tolist() == pytest.approx(expected)
    assert Wer().corpus_values(STATS) == pytest.approx([1.0 - rate for rate in expected])


def test_gains_are_not_cut_off() -> None:
    assert Wer().sentence_gains(STATS).tolist() == [1.0, 0.75, 0.0, -1.25, -1.0, 1.0]


def test_a_word_where_nothing_was_said_is_an_error_of_one_word() -> None:
    of_two = STATS * 2  # the statistics of TER are n_refs times as large
    gains = Ter(n_refs=2).sentence_gains(of_two)
    assert gains.tolist() == Wer().sentence_gains(STATS).tolist()


@pytest.mark.parametrize("metric", ["wer", "ter"])
def test_silence_for_silence_is_right(metric: str) -> None:
    scorer = Scorer(metric_named(metric), References.of(["", "a b"]))
    texts = Texts.of(["", "uh", "uh huh"])
    lists = [KBest(sid, texts, Features.of([{}] * 3, Names()), Names()) for sid in (0, 1)]
    gains = [scorer(kbest).gain for kbest in lists]
    assert [gain is not None and gain.tolist() for gain in gains] == [[1, 0, -1], [0, 0, 0]]


def test_the_oracle_has_the_lowest_rate() -> None:
    gain = np.zeros(6)  # as another program may have cut them off
    assert Wer().oracles(gain, STATS, 6).tolist() == [0, 5, 1, 2, 4, 3]
    assert Wer().oracles(gain, STATS[2:5], 1).tolist() == [0]
    assert Wer().oracles(gain, None, 2).tolist() == [0, 1]
    assert not Wer().higher_is_better
