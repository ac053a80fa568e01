from math import isfinite

import numpy as np
import pytest

from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.stages.metrics.bleu import Bleu
from campanula.stages.tuning.batch_mira import Settings, batch_mira
from campanula.stages.tuning.packing import join
from tests.naive import batch_mira as naive
from tests.stages.tuning.scored import packed, random_plain
from tests.stages.tuning.test_line_search import CASES

BLEU = Bleu().corpus_values


def bleu(sums):
    return float(BLEU(np.array([sums], np.int64))[0])


def tuned(plain, theta, free=None, **settings):
    lists, stats = packed(plain)
    free = np.ones(len(theta), bool) if free is None else free
    return batch_mira(lists, stats, np.array(theta), BLEU, free, Settings(**settings))


@pytest.mark.parametrize("model_background", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_as_the_naive_twin(seed, model_background):
    plain, theta, epochs = random_plain(seed, n_lists=8, whole=False), [0.5, -0.25, 0.0], 4
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(len(plain)).tolist() for _ in range(epochs)]
    averages = naive.averages(plain, theta, orders, 1.0, 0.9, model_background)
    found = tuned(
        plain, theta, C=1.0, decay=0.9, epochs=epochs, seed=seed, model_background=model_background
    )
    values = [bleu(naive.corpus(plain, average)) for average in [theta, *averages]]
    assert found.history == pytest.approx(values, abs=1e-12)
    best = [theta, *averages][int(np.argmax(found.history))]
    assert found.theta == pytest.approx(best, rel=1e-9)
    assert found.metric == max(found.history)
    assert len(set(found.history)) > 1


def test_lists_in_order_without_shuffling():
    plain, theta = random_plain(3, n_lists=8, whole=False), [0.5, -0.25, 1.0]
    expected = naive.averages(plain, theta, [range(8)] * 2, 1.0, 0.999)
    found = tuned(plain, theta, C=1.0, epochs=2, shuffle=False, seed=5)
    values = [bleu(naive.corpus(plain, average)) for average in [theta, *expected]]
    assert found.history == pytest.approx(values, abs=1e-12)


def test_the_same_for_the_same_seed_alone():
    plain = random_plain(4, n_lists=12, whole=False)
    one, same, other = (tuned(plain, [0.1, 0.2, 0.3], epochs=5, seed=s) for s in (0, 0, 1))
    assert one.theta.tobytes() == same.theta.tobytes()
    assert one.history == same.history
    assert (one.history, one.reason) != (other.history, other.reason)


def test_frozen_weights_stay():
    free = np.array([True, False, True])
    found = tuned(random_plain(5, n_lists=12), [0.1, 0.7, 0.2], free, epochs=3, C=0.5)
    assert found.theta[1] == 0.7


@pytest.mark.parametrize("seed", range(5))
def test_the_metric_is_at_least_that_of_the_initial_weights(seed):
    plain = random_plain(seed, n_lists=8)
    found = tuned(plain, [0.3, -0.2, 0.1], epochs=5)
    assert found.metric >= found.history[0] == bleu(naive.corpus(plain, [0.3, -0.2, 0.1]))


@pytest.mark.parametrize("initial", [(0.5, 0.5), (0.0, 0.0)])
@pytest.mark.parametrize("case", CASES)
def test_degenerate_lists_give_sensible_weights(case, initial):
    rows, stats = CASES[case]
    names = Names(["f0", "f1"])
    lists = join([Features.of(one, names) for one in rows])
    settings = Settings(epochs=3, C=1.0)
    free = np.ones(2, bool)
    found = batch_mira(lists, np.array(stats), np.array(initial), BLEU, free, settings)
    assert all(isfinite(w) and abs(w) <= 10.0 for w in found.theta)
    if case in ("a constant feature", "a feature absent from some lists", "an empty hypothesis"):
        assert found.metric == 1.0
        assert found.theta.any()
    if case == "a constant feature":
        assert found.theta[1] == initial[1]
    if case in ("all gains equal", "all hypotheses equal", "one hypothesis", "no features"):
        assert found.theta.tolist() == list(initial)
