"""p-values against enumeration in slow loops, and where they must be exact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from campanula.formats.arrays.types import Ints
from campanula.formats.text.references import References
from campanula.stages.comparing import significance
from campanula.stages.comparing.interval import bootstrap_samples
from campanula.stages.comparing.scored_outputs import ScoredOutputs
from campanula.stages.comparing.significance import Chance, Sampling, SystemStatistics, chance
from campanula.stages.metrics.metric import Metric
from campanula.stages.metrics.table import metric_named
from tests.naive import resampling as naive

SAMPLING = Sampling(samples=200, trials=4000, seed=7)
METRICS = ("bleu", "chrf", "chrf++", "ter", "wer")


def sentences(seed: int, n: int = 12) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(list("abcdefg"), rng.integers(4, 9))) for _ in range(n)]


def noisy(lines: list[str], seed: int, share: float) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(w if rng.random() > share else "x" for w in line.split()) for line in lines]


REFS = [sentences(1), sentences(1)[:6] + sentences(2)[:6]]
FIRST, SECOND, THIRD = noisy(REFS[0], 3, 0.5), noisy(REFS[0], 4, 0.35), noisy(REFS[0], 5, 0.4)


def statistics(metric: Metric, *files: list[str]) -> Ints:
    return ScoredOutputs.of_texts(metric, files, References.of(*REFS)).stats


def chance_of(metric: Metric, first: Ints, second: Ints, sampling: Sampling = SAMPLING) -> Chance:
    stats = np.concatenate([first, second], axis=1)
    samples = bootstrap_samples(stats, sampling.samples, sampling.seed)
    place = first.shape[1]
    systems = (
        SystemStatistics(first, samples[:, :place]),
        SystemStatistics(second, samples[:, place:]),
    )
    return chance(metric, systems, sampling)


def value_of(metric: Metric, row: Sequence[int]) -> float:
    return float(metric.corpus_values(np.array([row]))[0])


@pytest.mark.parametrize("name", METRICS)
def test_both_are_those_of_slow_loops(name: str) -> None:
    metric = metric_named(name, n_refs=2)
    stats = statistics(metric, FIRST, SECOND)
    found = chance_of(metric, stats[:, :1], stats[:, 1:])
    pool = stats.tolist()
    assert found.exact
    assert found.randomisation == naive.p_of_all_deals(pool, 1, lambda s: value_of(metric, s))
    n = len(pool)
    drawn = np.random.default_rng(7).choice(n, size=(200, n), replace=True).tolist()
    one, two = ([rows[j] for rows in pool] for j in (0, 1))
    expected = naive.p_of_samples(one, two, drawn, lambda s: value_of(metric, s))
    assert found.bootstrap == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1), (1, 2), (2, 2)])
def test_with_replicates_all_deals_of_a_sentence_count(sizes: tuple[int, int]) -> None:
    metric = metric_named("wer", n_refs=2)
    stats = statistics(metric, FIRST, THIRD, SECOND, FIRST)[:5, : sum(sizes)]
    found = chance_of(metric, stats[:, : sizes[0]], stats[:, sizes[0] :])
    expected = naive.p_of_all_deals(stats.tolist(), sizes[0], lambda s: value_of(metric, s))
    assert found.exact
    assert found.randomisation == expected


@pytest.mark.parametrize("sizes", [(1, 1), (2, 2)])
def test_trials_come_near_to_the_exact_value(
    sizes: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = metric_named("bleu", n_refs=2)
    stats = statistics(metric, FIRST, THIRD, SECOND, THIRD)[:5, : sum(sizes)]
    two = stats[:, : sizes[0]], stats[:, sizes[0] :]
    exact = chance_of(metric, *two)
    monkeypatch.setattr(significance, "ENUMERATED", 1)
    drawn = chance_of(metric, *two)
    assert exact.exact
    assert not drawn.exact
    assert drawn.randomisation == pytest.approx(exact.randomisation, abs=0.03)
    assert drawn.randomisation * 4001 == pytest.approx(round(drawn.randomisation * 4001))


def better_in(k: int, n: int = 200) -> tuple[Ints, Ints]:
    """Word errors (n, 1, 2) of n captions, of which the second system has fewer in k."""
    first = np.stack([np.full(n, 3), np.full(n, 10)], axis=1)[:, None]
    second = first.copy()
    second[:k, 0, 0] = 2
    return first, second


@pytest.mark.parametrize("k", range(1, 11))
def test_p_of_k_sentences_that_are_all_better_is_exact(k: int) -> None:
    metric = metric_named("wer")
    for trials in (10, 1000):
        found = chance_of(metric, *better_in(k), Sampling(50, trials, 3))
        assert found.randomisation == 2.0 ** (1 - k)
        assert (found.differing, found.exact) == (k, True)


def test_beyond_enumeration_p_is_never_0() -> None:
    found = chance_of(metric_named("wer"), *better_in(30), Sampling(50, 99, 3))
    assert found.randomisation == 1 / 100
    assert not found.exact


def test_a_clear_difference_is_significant_and_a_slight_one_is_not() -> None:
    metric = metric_named("bleu", n_refs=2)
    worst, best = noisy(REFS[0], 3, 0.9), REFS[0]
    clear = statistics(metric, worst, FIRST, best, best)
    assert chance_of(metric, clear[:, :2], clear[:, 2:]).randomisation == 1 / 4001
    alike = statistics(metric, FIRST, SECOND, SECOND, FIRST, SECOND)
    assert chance_of(metric, alike[:, :2], alike[:, 2:]).randomisation > 0.1


def test_no_difference_is_never_significant() -> None:
    metric = metric_named("bleu", n_refs=2)
    stats = statistics(metric, FIRST, FIRST, SECOND, SECOND, FIRST)
    assert chance_of(metric, stats[:, :1], stats[:, 1:2]) == Chance(1.0, 1.0, 0, True)
    mixed = chance_of(metric, stats[:, 1:3], stats[:, 3:])
    assert (mixed.bootstrap, mixed.randomisation) == (1.0, 1.0)


def test_the_direction_does_not_matter() -> None:
    metric = metric_named("ter", n_refs=2)
    stats = statistics(metric, FIRST, SECOND)
    there, back = (
        chance_of(metric, *two)
        for two in ((stats[:, :1], stats[:, 1:]), (stats[:, 1:], stats[:, :1]))
    )
    assert there == back


def null_pair(stats: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Statistics (n, 2, w) swapped at random, sentence by sentence."""
    swapped = np.where(rng.random(len(stats))[:, None, None] < 0.5, stats, stats[:, ::-1])
    return swapped[:, :1], swapped[:, 1:]


def test_under_the_null_one_in_twenty_is_below_a_twentieth() -> None:
    metric, rng = metric_named("bleu", n_refs=1), np.random.default_rng(11)
    refs = sentences(1, 300)
    files = noisy(refs, 3, 0.45), noisy(refs, 4, 0.35)
    stats = ScoredOutputs.of_texts(metric, files, References.of(refs)).stats
    sampling = Sampling(200, 200, 5)
    found = [chance_of(metric, *null_pair(stats, rng), sampling) for _ in range(400)]
    assert 0.03 < np.mean([p.randomisation <= 0.05 for p in found]) < 0.07
    assert 0.03 < np.mean([p.bootstrap <= 0.05 for p in found]) < 0.08
