from dataclasses import replace
from math import isfinite

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.tuning.packing import join
from campanula.stages.tuning.solvers.batch_mira import BATCH_MIRA, BatchMiraSettings
from tests.naive import batch_mira as naive
from tests.stages.tuning.scored import packed, random_plain
from tests.stages.tuning.solvers.inner import corpus_objective
from tests.stages.tuning.solvers.test_line_search import CASES

BLEU = Bleu().corpus_values


def bleu(sums):
    return float(BLEU(np.array([sums], np.int64))[0])


def tuned(plain, theta, free=None, **settings):
    """The solution, whose history is made of the metric."""
    objective = corpus_objective(*packed(plain), len(theta), free)
    found = BATCH_MIRA.solve(objective, np.array(theta), BatchMiraSettings(**settings))
    return replace(found, history=[1.0 - value for value in found.history])


@pytest.mark.parametrize("seed", range(6))
def test_as_the_naive_twin(seed):
    plain, theta, epochs = random_plain(seed, n_lists=8, whole=False), [0.5, -0.25, 0.0], 4
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(len(plain)).tolist() for _ in range(epochs)]
    averages = naive.averages(plain, theta, orders, 1.0, 0.9)
    found = tuned(plain, theta, aggressiveness=1.0, decay=0.9, epochs=epochs, seed=seed)
    values = [bleu(naive.corpus(plain, average)) for average in [theta, *averages]]
    assert found.history == pytest.approx(values, abs=1e-12)
    best = [theta, *averages][int(np.argmax(found.history))]
    assert found.theta == pytest.approx(best, rel=1e-9)
    assert len(set(found.history)) > 1


def test_the_average_of_every_epoch_is_shown():
    plain, theta = random_plain(3, n_lists=8, whole=False), [0.5, -0.25, 0.0]
    rng = np.random.default_rng(3)
    orders = [rng.permutation(len(plain)).tolist() for _ in range(4)]
    seen: list[np.ndarray] = []
    objective = corpus_objective(*packed(plain), len(theta))
    watched = replace(objective, after=lambda theta: seen.append(theta.copy()))
    settings = BatchMiraSettings(aggressiveness=1.0, decay=0.9, epochs=4, seed=3)
    BATCH_MIRA.solve(watched, np.array(theta), settings)
    expected = naive.averages(plain, theta, orders, 1.0, 0.9)
    assert np.array(seen) == pytest.approx(np.array(expected), rel=1e-9)


def test_its_own_number_of_epochs_is_done_unless_one_says():
    found = tuned(random_plain(4, n_lists=3), [0.1, 0.2, 0.3])
    assert len(found.history) == 61
    assert found.reason.startswith("60 epochs done")


def test_the_same_for_the_same_seed_alone():
    plain = random_plain(4, n_lists=12, whole=False)
    one, same, other = (tuned(plain, [0.1, 0.2, 0.3], epochs=5, seed=s) for s in (0, 0, 1))
    assert one.theta.tobytes() == same.theta.tobytes()
    assert one.history == same.history
    assert (one.history, one.reason) != (other.history, other.reason)


def test_frozen_weights_stay():
    free = np.array([True, False, True])
    found = tuned(random_plain(5, n_lists=12), [0.1, 0.7, 0.2], free, epochs=3, aggressiveness=0.5)
    assert found.theta[1] == 0.7


@pytest.mark.parametrize("seed", range(5))
def test_the_metric_is_at_least_that_of_the_initial_weights(seed):
    plain = random_plain(seed, n_lists=8)
    found = tuned(plain, [0.3, -0.2, 0.1], epochs=5)
    first, kept = ([0.3, -0.2, 0.1], found.theta.tolist())
    assert found.history[0] == pytest.approx(bleu(naive.corpus(plain, first)), abs=1e-15)
    assert max(found.history) == pytest.approx(bleu(naive.corpus(plain, kept)), abs=1e-12)
    assert bleu(naive.corpus(plain, kept)) >= bleu(naive.corpus(plain, first))


@pytest.mark.parametrize("initial", [(0.5, 0.5), (0.0, 0.0)])
@pytest.mark.parametrize("case", CASES)
def test_degenerate_lists_give_sensible_weights(case, initial):
    rows, stats = CASES[case]
    names = Names(["f0", "f1"])
    lists = join([Features.of(one, names) for one in rows])
    settings = BatchMiraSettings(epochs=3, aggressiveness=1.0)
    found = BATCH_MIRA.solve(corpus_objective(lists, stats, 2), np.array(initial), settings)
    assert all(isfinite(w) and abs(w) <= 10.0 for w in found.theta)
    if case in ("a constant feature", "a feature absent from some lists", "an empty hypothesis"):
        assert min(found.history) == 0.0
        assert found.theta.any()
    if case == "a constant feature":
        assert found.theta[1] == initial[1]
    if case in ("all gains equal", "all hypotheses equal", "one hypothesis", "no features"):
        assert found.theta.tolist() == list(initial)
