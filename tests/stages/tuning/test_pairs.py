import numpy as np
import pytest

from campanula.stages.kernels.lists.formulas import PAIRS, Formula
from campanula.stages.kernels.lists.total_losses import total_loss
from campanula.stages.tuning.pairs import PairSampling, paired_alone, sample_list, with_pairs
from campanula.stages.tuning.tuning_set import TuningSet
from tests.examples import random_lists


def test_pairs_are_those_of_the_largest_differences():
    gain = np.random.default_rng(1).random(30)
    better, worse = sample_list(gain, PairSampling(500, 20, 0.05, seed=3), sid=7)
    difference = gain[better] - gain[worse]
    assert len(better) == 20
    assert (np.diff(difference) <= 0).all()
    rng = np.random.default_rng([3, 7])
    a, b = rng.integers(30, size=(2, 500))
    drawn = np.sort(np.abs(gain[a] - gain[b]))[::-1]
    assert np.allclose(difference, drawn[:20])


def test_small_differences_give_no_pair():
    better, worse = sample_list(np.full(9, 0.5), PairSampling(), sid=0)
    assert len(better) == len(worse) == 0


def test_a_list_draws_the_same_whatever_its_place():
    gain = np.random.default_rng(2).random(300)
    first, again = (sample_list(gain, PairSampling(), 4)[0] for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, sample_list(gain, PairSampling(seed=2), 4)[0])


@pytest.mark.parametrize("seed", range(3))
def test_the_hypotheses_of_pairs_alone_have_the_same_loss(seed):
    records, _ = random_lists(seed, n_lists=4, max_size=20)
    data = TuningSet.of(records)
    chunk = data.whole
    sampling = PairSampling(pairs_sampled=8, pairs_kept=3, min_difference=0.0, seed=seed)
    targets = chunk.targets(10.0)
    targets = with_pairs(targets, chunk.lists.list_pointer, chunk.sid, sampling)
    lists, own_targets = paired_alone(chunk.lists, targets)
    assert 0 < lists.n_hyps < chunk.lists.n_hyps
    assert np.array_equal(own_targets.pair_pointer, targets.pair_pointer)
    theta = np.random.default_rng(seed).normal(size=len(data.names))
    gradients = np.zeros((2, len(theta)))
    values = [
        total_loss(both, theta, of_both, Formula(PAIRS), np.zeros(0), gradient)
        for both, of_both, gradient in zip(
            (chunk.lists, lists), (targets, own_targets), gradients, strict=True
        )
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-14)
    assert gradients[0] == pytest.approx(gradients[1], rel=1e-12, abs=1e-14)


def test_lists_without_pairs_keep_no_hypotheses():
    records, _ = random_lists(1, n_lists=2)
    chunk = TuningSet.of(records).whole
    sampling = PairSampling(min_difference=2.0)
    targets = chunk.targets(10.0)
    targets = with_pairs(targets, chunk.lists.list_pointer, chunk.sid, sampling)
    lists, _ = paired_alone(chunk.lists, targets)
    assert lists.list_pointer.tolist() == [0, 0, 0]
    assert lists.n_entries == 0
