"""p-values: sacrebleu's own of single outputs; over replicates equal to it where both apply."""

from __future__ import annotations

import os

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest

from campanula.formats.arrays.types import Ints
from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.comparing import significance
from campanula.stages.comparing.comparison import side_by_side, statistics
from campanula.stages.comparing.significance import Chance, Sampling, chance
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.scoring import Scorer
from campanula.stages.metrics.table import metric_named

SAMPLING = Sampling(samples=200, trials=400, seed=7)
JUDGES = {
    "bleu": lambda: BLEU(tokenize="none", force=True),
    "chrf": CHRF,
    "chrf++": lambda: CHRF(word_order=2),
    "ter": TER,
}


def sentences(seed: int, n: int = 12) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(list("abcdefg"), rng.integers(4, 9))) for _ in range(n)]


def noisy(lines: list[str], seed: int, share: float) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(w if rng.random() > share else "x" for w in line.split()) for line in lines]


REFS = [sentences(1), sentences(1)[:6] + sentences(2)[:6]]
FIRST, SECOND, THIRD = noisy(REFS[0], 3, 0.5), noisy(REFS[0], 4, 0.35), noisy(REFS[0], 5, 0.4)


def counted(metric: Metric, *files: list[str]) -> Ints:
    texts = Texts.of(line for lines in zip(*REFS, strict=True) for line in lines)
    scorer = Scorer(metric, References(texts, ("a", "b")))
    return statistics(side_by_side(list(files)), scorer, 1)


@pytest.mark.parametrize("name", JUDGES)
def test_of_single_outputs_they_are_sacrebleus(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = metric_named(name, n_refs=2)
    found = chance(metric, (counted(metric, FIRST), counted(metric, SECOND)), SAMPLING)
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    named = [("first", FIRST), ("second", SECOND)]
    expected = [
        PairedTest(named, {name: JUDGES[name]()}, REFS, kind, n)()[1].popitem()[1][1].p_value
        for kind, n in (("bs", 200), ("ar", 400))
    ]
    # sacrebleu's TER adds fractions, so that differences which are equal come out as above
    slack = 0.05 if name == "ter" else 0.0
    assert [found.bootstrap, found.randomisation] == pytest.approx(expected, abs=slack)


@pytest.mark.parametrize("name", JUDGES)
def test_ours_equal_sacrebleus(name: str) -> None:
    metric = metric_named(name, n_refs=2)
    stats = counted(metric, FIRST), counted(metric, SECOND)
    sampling = Sampling(2000, 4000, 7)
    expected = significance._by_sacrebleu(metric.judge(), metric, stats, sampling)
    values = metric.corpus_values(np.stack([part.sum(axis=(0, 1)) for part in stats]))
    found = abs(float(values[0] - values[1]))
    resampled = significance._resampled(metric, stats, sampling)
    assert (np.sum(resampled > found) + 1) / 2001 == pytest.approx(expected.bootstrap, abs=1e-12)
    dealt = significance._dealt(metric, stats, sampling, iter)
    assert (np.sum(dealt > found) + 1) / 4001 == pytest.approx(expected.randomisation, abs=0.03)


def test_long_outputs_take_another_way_to_the_same_end(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = metric_named("bleu", n_refs=2)
    stats = counted(metric, FIRST), counted(metric, SECOND)
    expected = chance(metric, stats, SAMPLING)
    monkeypatch.setattr(significance, "LARGE", 0)
    found = chance(metric, stats, SAMPLING)
    assert found.bootstrap == expected.bootstrap
    assert found.randomisation == pytest.approx(expected.randomisation, abs=0.08)


def test_replicates_of_each_side_may_differ_in_number() -> None:
    metric = metric_named("bleu", n_refs=2)
    one, many = counted(metric, FIRST), counted(metric, SECOND, THIRD, SECOND)
    found = chance(metric, (one, many), SAMPLING)
    back = chance(metric, (many, one), SAMPLING)
    assert 0 < found.bootstrap == back.bootstrap < 1
    assert found.randomisation == pytest.approx(back.randomisation, abs=0.08)
    assert chance(metric, (one, many), SAMPLING) == found


def test_a_clear_difference_is_significant_and_a_slight_one_is_not() -> None:
    metric = metric_named("bleu", n_refs=2)
    worst, best = noisy(REFS[0], 3, 0.9), REFS[0]
    two = counted(metric, worst, FIRST), counted(metric, best, best)
    assert chance(metric, two, SAMPLING).randomisation == 1 / 401
    alike = counted(metric, FIRST, SECOND), counted(metric, SECOND, FIRST, SECOND)
    assert chance(metric, alike, SAMPLING).randomisation > 0.1


def test_no_difference_is_never_significant() -> None:
    metric = metric_named("bleu", n_refs=2)
    one, two = counted(metric, FIRST), counted(metric, FIRST, FIRST)
    mixed = counted(metric, FIRST, SECOND), counted(metric, SECOND, FIRST)
    assert chance(metric, mixed, SAMPLING) == Chance(1.0, 1.0)
    assert chance(metric, (one, one), SAMPLING) == Chance(1.0, 1.0)
    assert chance(metric, (one, two), SAMPLING) == Chance(1.0, 1.0)


def test_the_environment_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = metric_named("bleu", n_refs=2)
    stats = counted(metric, FIRST), counted(metric, SECOND)
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    found = chance(metric, stats, SAMPLING)
    assert os.environ["SACREBLEU_SEED"] == "none"
    monkeypatch.delenv("SACREBLEU_SEED")
    assert chance(metric, stats, SAMPLING) == found
    assert "SACREBLEU_SEED" not in os.environ
